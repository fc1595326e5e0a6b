/* Connects to a host, with flags of pmNewContext(), and prints a metric that is known beforehand.
 *
 *   connect SPEC [secure|relaxed|auth] */
#include <pcp/pmapi.h>
#include <stdio.h>
#include <string.h>

static const char *name = "sample.long.hundred";

static unsigned int flag_of(const char *word)
{
    if (strcmp(word, "secure") == 0)
        return PM_CTXFLAG_SECURE;
    if (strcmp(word, "relaxed") == 0)
        return PM_CTXFLAG_RELAXED;
    return PM_CTXFLAG_AUTH;
}

static int fails(const char *what, int code)
{
    char text[PM_MAXERRMSGLEN];

    printf("%s: %s\n", what, pmErrStr_r(code, text, sizeof text));
    return 1;
}

int main(int argc, char **argv)
{
    unsigned int flags = 0;
    pmID pmid;
    pmResult *result;
    int code, i;

    for (i = 2; i < argc; i++)
        flags |= flag_of(argv[i]);
    if ((code = pmNewContext(PM_CONTEXT_HOST | (int)flags, argv[1])) < 0)
        return fails("pmNewContext", code);
    if ((code = pmLookupName(1, &name, &pmid)) < 0)
        return fails("pmLookupName", code);
    if ((code = pmFetch(1, &pmid, &result)) < 0)
        return fails("pmFetch", code);
    printf("%s: %d\n", name, result->vset[0]->vlist[0].value.lval);
    pmFreeResult(result);
    return 0;
}
