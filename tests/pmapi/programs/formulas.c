/* Definitions from the command line (`name=formula`), good and bad: what is wrong, what they are,
 * and their values over time. In front of a context, or with `in` behind the source, for it alone.
 */
#include "program.h"

enum { MOST = 60 };
static const char* names[MOST];
static int count;

static void define(char* word, int globally) {
  char *formula = strchr(word, '='), *message = NULL, *other;
  int sts;
  if (!formula || count == MOST) return;
  *formula++ = '\0';
  sts = globally ? pmRegisterDerivedMetric(word, formula, &message)
                 : pmAddDerivedMetric(word, formula, &message);
  printf("%s = %s: %d\n", word, formula, sts);
  if (message) {
    printf("%s", message);
    free(message);
  }
  if (sts < 0) {
    other = globally ? pmRegisterDerived(word, formula) : pmAddDerived(word, formula);
    if (other) {
      printf("  stops at <%s>", other);
      printf(" %s\n", pmDerivedErrStr() ? pmDerivedErrStr() : "NULL");
    }
  }
  names[count++] = word;
}

static void describe(const char* name, pmID pmid) {
  pmDesc desc;
  char *text, **all;
  pmLabelSet* sets;
  int *codes, k, sts = pmLookupDesc(pmid, &desc);
  printf("%s: ", name);
  if (sts < 0) {
    printf("%s\n", pmErrStr(sts));
    return;
  }
  printf("%s %s %s <%s> %s\n", pmTypeStr(desc.type), pmSemStr(desc.sem), pmInDomStr(desc.indom),
         pmUnitsStr(&desc.units), IS_DERIVED(pmid) ? "derived" : "plain");
  if ((sts = pmLookupText(pmid, PM_TEXT_ONELINE, &text)) >= 0) {
    printf("  %s\n", text);
    free(text);
  } else {
    printf("  no text: %s\n", pmErrStr(sts));
  }
  if ((sts = pmNameAll(pmid, &all)) > 0) {
    for (k = 0; k < sts; ++k) printf("  %s", all[k]);
    free(all);
  }
  sts = desc.indom == PM_INDOM_NULL ? 0 : pmGetInDom(desc.indom, &codes, &all);
  printf("  %d instances\n", sts);
  if (sts > 0) {
    free(codes);
    free(all);
  }
  sts = pmLookupLabels(pmid, &sets);
  printf("  %d label sets\n", sts);
  if (sts > 0) pmFreeLabelSets(sets, sts);
}

static void values(int many, pmID* pmids) {
  pmResult* result;
  pmDesc desc;
  int i, k, sts = pmFetch(many, pmids, &result);
  printf("pmFetch %d%s%s\n", sts, sts < 0 ? " " : "", sts < 0 ? pmErrStr(sts) : "");
  if (sts < 0) return;
  pmSortInstances(result);
  for (i = 0; i < result->numpmid; ++i) {
    const pmValueSet* set = result->vset[i];
    printf("  %s %d%s%s:", names[i], set->numval, set->numval < 0 ? " " : "",
           set->numval < 0 ? pmErrStr(set->numval) : "");
    for (k = 0; k < set->numval && k < 6; ++k) {
      printf(" %d=", set->vlist[k].inst);
      if (pmLookupDesc(set->pmid, &desc) >= 0)
        pmPrintValue(stdout, set->valfmt, desc.type, &set->vlist[k], 1);
    }
    printf("\n");
  }
  pmFreeResult(result);
}

int main(int argc, char** argv) {
  pmID pmids[MOST];
  pmLogLabel label;
  int i, within = argc > 3 && strcmp(argv[3], "in") == 0;
  setvbuf(stdout, NULL, _IONBF, 0);
  if (argc < 4) return 1;
  for (i = 3; i < argc && !within; ++i) define(argv[i], 1);
  if (open_context(argc, argv) < 0) return 1;
  for (i = 4; i < argc && within; ++i) define(argv[i], 0);
  SHOW(pmLookupName(count, names, pmids));
  for (i = 0; i < count; ++i) describe(names[i], pmids[i]);
  if (pmGetArchiveLabel(&label) >= 0) {
    struct timeval from = label.ll_start;
    from.tv_sec += 1;
    for (i = 0; i < 3; ++i) values(count, pmids);
    SHOW(pmSetMode(PM_MODE_INTERP, &from, 10000));
    for (i = 0; i < 5; ++i) values(count, pmids);
    SHOW(pmSetMode(PM_MODE_INTERP, &from, 3600000));
    for (i = 0; i < 3; ++i) values(count, pmids);
  } else {
    values(count, pmids);
  }
  return 0;
}
