/* The same in nanoseconds: label, end, modes, fetches, records. */
#include "program.h"

static void show_fine(const pmHighResResult* result) {
  int i, k;
  printf("%ld.%09ld %d sets\n", (long)result->timestamp.tv_sec, result->timestamp.tv_nsec,
         result->numpmid);
  for (i = 0; i < result->numpmid; ++i) {
    const pmValueSet* set = result->vset[i];
    pmDesc desc = {.type = PM_TYPE_UNKNOWN};
    printf("  %s %d", pmIDStr(set->pmid), set->numval);
    pmLookupDesc(set->pmid, &desc);
    for (k = 0; k < set->numval; ++k) {
      printf(" %d:", set->vlist[k].inst);
      pmPrintValue(stdout, set->valfmt, desc.type, &set->vlist[k], 1);
    }
    printf("\n");
  }
}

static void fetch(int count, pmID* pmids, int times, int as_record) {
  pmHighResResult* result;
  int i, sts;
  for (i = 0; i < times; ++i) {
    sts = as_record ? pmFetchHighResArchive(&result) : pmFetchHighRes(count, pmids, &result);
    if (sts < 0) {
      printf("%s\n", pmErrStr(sts));
      continue;
    }
    pmSortHighResInstances(result);
    show_fine(result);
    pmFreeHighResResult(result);
  }
}

int main(int argc, char** argv) {
  pmHighResLogLabel label = {0};
  struct timespec end = {0, 0}, step = {3, 250000000}, back = {-1, -500000001}, early,
                  none = {0, 0};
  pmHighResResult* result;
  pmID pmids[10];
  int i, count = 0;
  if (argc < 4 || open_context(argc, argv) < 0) return 1;
  for (i = 3; i < argc && count < 10; ++i) pmids[count++] = metric(argv[i]);
  SHOW(pmGetHighResArchiveLabel(&label));
  printf("%x %ld.%09ld <%s> <%s> <%s>\n", label.magic, (long)label.start.tv_sec,
         label.start.tv_nsec, label.hostname, label.timezone, label.zoneinfo);
  /* Of a host the real library writes something all the same. */
  if (pmGetHighResArchiveEnd(&end) < 0) end = none;
  printf("%ld.%09ld %.9f\n", (long)end.tv_sec, end.tv_nsec, pmtimespecToReal(&end));
  fetch(count, pmids, 3, 0);
  SHOW(pmSetModeHighRes(PM_MODE_INTERP, &label.start, &step));
  fetch(count, pmids, 5, 0);
  SHOW(pmSetModeHighRes(PM_MODE_INTERP, &end, &back));
  fetch(count, pmids, 5, 0);
  SHOW(pmSetModeHighRes(PM_MODE_INTERP, &end, NULL));
  fetch(count, pmids, 2, 0);
  SHOW(pmSetModeHighRes(PM_MODE_INTERP, &end, &none));
  fetch(count, pmids, 2, 0);
  early = label.start;
  early.tv_sec -= 10;
  SHOW(pmSetModeHighRes(PM_MODE_INTERP, &early, &step));
  fetch(count, pmids, 6, 0);
  SHOW(pmSetModeHighRes(PM_MODE_FORW, &label.start, NULL));
  fetch(count, pmids, 3, 1);
  fetch(count, pmids, 3, 0);
  SHOW(pmSetModeHighRes(PM_MODE_BACK, &end, NULL));
  fetch(count, pmids, 3, 1);
  SHOW(pmSetModeHighRes(PM_MODE_LIVE, NULL, NULL));
  SHOW(pmHighResFetch(count, pmids, &result));
  return 0;
}
