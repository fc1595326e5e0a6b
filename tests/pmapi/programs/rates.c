/* Rates of counters between two fetches, instance by instance, as a monitor reckons them itself. */
#include "program.h"

static void rate(const pmDesc* desc, const pmResult* before, const pmResult* now) {
  double seconds = pmtimevalSub(&now->timestamp, &before->timestamp);
  const pmValueSet *old = before->vset[0], *set = now->vset[0];
  int i, k = 0;
  pmPrintStamp(stdout, &now->timestamp);
  for (i = 0; i < set->numval; ++i) {
    pmAtomValue a, b;
    while (k < old->numval && old->vlist[k].inst < set->vlist[i].inst) ++k;
    if (k == old->numval || old->vlist[k].inst != set->vlist[i].inst) continue;
    if (pmExtractValue(old->valfmt, &old->vlist[k], desc->type, &a, PM_TYPE_DOUBLE) < 0) continue;
    if (pmExtractValue(set->valfmt, &set->vlist[i], desc->type, &b, PM_TYPE_DOUBLE) < 0) continue;
    printf(" %d=%.4f%s", set->vlist[i].inst, (b.d - a.d) / seconds, b.d < a.d ? "!" : "");
  }
  printf("\n");
}

int main(int argc, char** argv) {
  pmID pmid;
  pmDesc desc;
  pmUnits per;
  pmResult *before = NULL, *now;
  pmLogLabel label;
  int sts, rows = 0, step = argc > 4 ? atoi(argv[4]) : 10000;
  if (argc < 4 || open_context(argc, argv) < 0) return 1;
  SHOW(pmNewContextZone());
  pmid = metric(argv[3]);
  SHOW(pmLookupDesc(pmid, &desc));
  per = desc.units;
  per.dimTime = per.dimTime - 1;
  per.scaleTime = PM_TIME_SEC;
  printf("%s %s -> %s\n", argv[3], pmSemStr(desc.sem), pmUnitsStr(&per));
  SHOW(pmGetArchiveLabel(&label));
  SHOW(pmSetMode(PM_MODE_INTERP, &label.ll_start, step));
  while ((sts = pmFetch(1, &pmid, &now)) >= 0 && rows++ < 100) {
    pmSortInstances(now);
    if (before) {
      rate(&desc, before, now);
      pmFreeResult(before);
    }
    before = now;
  }
  printf("%d rows, %s\n", rows, sts < 0 ? pmErrStr(sts) : "enough");
  return 0;
}
