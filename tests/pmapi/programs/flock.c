/* Several sources side by side, as programs for many hosts have them: each is a context with its
 * own zone, mode and profile, and they take turns. */
#include "program.h"

enum { MOST = 12 };
struct source {
  const char* name;
  int context, zone, ended;
  pmID pmid;
  pmDesc desc;
};
static struct source sources[MOST];

static int open_source(struct source* of, char* word, const char* name) {
  pmLogLabel label;
  of->name = word;
  of->context = pmNewContext(strncmp(word, "host:", 5) == 0 ? PM_CONTEXT_HOST : PM_CONTEXT_ARCHIVE,
                             strncmp(word, "host:", 5) == 0 ? word + 5 : word);
  if (of->context < 0) {
    printf("%s: %s\n", word, pmErrStr(of->context));
    return of->context;
  }
  of->zone = pmNewContextZone();
  printf("context %d zone %d\n", of->context, of->zone);
  if (pmGetArchiveLabel(&label) >= 0) {
    struct timeval from = label.ll_start;
    from.tv_sec += 2;
    SHOW(pmSetMode(of->context % 2 ? PM_MODE_INTERP : PM_MODE_FORW, &from,
                   of->context % 2 ? 3000 : 0));
  }
  of->pmid = metric(name);
  return pmLookupDesc(of->pmid, &of->desc);
}

static void take_turn(struct source* of) {
  pmResult* result;
  char stamp[30], *zone = NULL;
  time_t seconds;
  int sts, k;
  if (of->context < 0 || of->ended) return;
  sts = pmUseContext(of->context);
  if (of->zone >= 0) pmUseZone(of->zone);
  if (sts < 0 || (sts = pmFetch(1, &of->pmid, &result)) < 0) {
    printf("  %d: %s\n", of->context, pmErrStr(sts));
    of->ended = 1;
    return;
  }
  seconds = result->timestamp.tv_sec;
  pmWhichZone(&zone);
  printf("  %d %.24s (%s) %d:", of->context, pmCtime(&seconds, stamp), zone ? zone : "none",
         result->vset[0]->numval);
  for (k = 0; k < result->vset[0]->numval && k < 5; ++k) {
    putchar(' ');
    pmPrintValue(stdout, result->vset[0]->valfmt, of->desc.type, &result->vset[0]->vlist[k], 3);
  }
  printf("\n");
  pmFreeResult(result);
}

int main(int argc, char** argv) {
  int i, round, count = 0;
  setvbuf(stdout, NULL, _IONBF, 0);
  if (argc < 3) return 1;
  for (i = 2; i < argc && count < MOST; ++i)
    if (open_source(&sources[count], argv[i], argv[1]) >= 0 || sources[count].context >= 0) ++count;
  for (round = 0; round < 6; ++round) {
    printf("round %d\n", round);
    for (i = 0; i < count; ++i) take_turn(&sources[round % 2 ? count - 1 - i : i]);
    if (round == 2 && count > 1) {
      SHOW(pmDestroyContext(sources[0].context));
      sources[0].context = -1;
      SHOW(pmWhichContext() >= 0);
    }
  }
  for (i = 0; i < count; ++i)
    if (sources[i].context >= 0) printf("%s\n", pmErrStr(pmDestroyContext(sources[i].context)));
  SHOW(pmWhichContext());
  return 0;
}
