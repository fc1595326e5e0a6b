/* One context of an archive that is moved about: forward, backward, interpolated, to and fro, past
 * both ends and back. */
#include "program.h"

static pmID pmids[8];
static int count;

static void once(const char* what) {
  pmResult* result;
  int sts = pmFetch(count, pmids, &result), i, k;
  printf("%-12s", what);
  if (sts < 0) {
    printf("%s\n", pmErrStr(sts));
    return;
  }
  pmPrintStamp(stdout, &result->timestamp);
  for (i = 0; i < result->numpmid; ++i) {
    const pmValueSet* set = result->vset[i];
    printf(" | %d", set->numval);
    for (k = 0; k < set->numval && k < 4; ++k) {
      pmDesc desc;
      printf(" %d:", set->vlist[k].inst);
      if (pmLookupDesc(set->pmid, &desc) >= 0)
        pmPrintValue(stdout, set->valfmt, desc.type, &set->vlist[k], 1);
    }
  }
  printf("\n");
  pmFreeResult(result);
}

static void times(const char* what, int number) {
  while (number-- > 0) once(what);
}

static void go(int mode, struct timeval base, double away, int delta) {
  struct timeval by;
  pmtimevalFromReal(away < 0 ? -away : away, &by);
  if (away < 0)
    pmtimevalDec(&base, &by);
  else
    pmtimevalInc(&base, &by);
  printf("mode %x from %+g by %d: %d\n", (unsigned)mode, away, delta,
         pmSetMode(mode, &base, delta));
}

static void duplicate(struct timeval start) {
  int other = pmDupContext();
  SHOW(other);
  times("duplicate", 2);
  go(PM_MODE_FORW, start, 3, 0);
  once("it alone");
  SHOW(pmUseContext(0));
  once("the first");
  SHOW(pmReconnectContext(0));
  once("again");
  SHOW(pmDestroyContext(other));
  once("still");
}

int main(int argc, char** argv) {
  pmLogLabel label;
  struct timeval end;
  int i;
  if (open_context(argc, argv) < 0 || argc < 4) return 1;
  for (i = 3; i < argc && count < 8; ++i) pmids[count++] = metric(argv[i]);
  if (pmGetArchiveLabel(&label) < 0 || pmGetArchiveEnd(&end) < 0) return 1;
  times("start", 3);
  go(PM_MODE_FORW, label.ll_start, 0, 0);
  times("forward", 3);
  go(PM_MODE_BACK, label.ll_start, 25, 0);
  times("back", 4);
  go(PM_MODE_FORW, end, 0, 0);
  times("at the end", 2);
  go(PM_MODE_BACK, end, 100, 0);
  times("behind it", 2);
  go(PM_MODE_INTERP, label.ll_start, -100, 60000);
  times("before", 3);
  go(PM_MODE_INTERP, end, -0.5, 250);
  times("to the end", 4);
  go(PM_MODE_INTERP, end, 10, -5000);
  times("from behind", 4);
  go(PM_MODE_INTERP, label.ll_start, 12, -4000);
  times("to the start", 5);
  go(PM_MODE_INTERP, label.ll_start, 12, 0);
  times("stands", 2);
  go(PM_MODE_INTERP | PM_XTB_SET(PM_TIME_MIN), label.ll_start, 1, 1);
  times("minutes", 2);
  go(PM_MODE_INTERP | PM_XTB_SET(PM_TIME_NSEC), label.ll_start, 1, 500000000);
  times("nanoseconds", 3);
  duplicate(label.ll_start);
  SHOW(pmSetMode(PM_MODE_FORW, NULL, 0));
  once("no time");
  SHOW(pmSetMode(PM_MODE_LIVE, &end, 0));
  SHOW(pmSetMode(99, &end, 0));
  once("as before");
  return 0;
}
