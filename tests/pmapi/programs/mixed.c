/* Good and bad metrics together: names, descriptors, values; the same metric twice, under two
 * names. */
#include "program.h"

static const char* names[] = {
    "hinv.ncpu",   "no.such.metric",   "kernel",          "",
    "hinv.ncpu",   "event.flags",      "sample.bin",      "sample.dupnames.two.bin",
    "sample",      "sample.bogus_bin", "sample.darkness", "pmcd.version",
    "sample.long", "sample.long.one",  "pmcd.numagents",  "sample.string.hullo"};
enum { COUNT = sizeof names / sizeof names[0] };

static void show_fetch(int count, pmID* pmids) {
  pmResult* result;
  int sts = pmFetch(count, pmids, &result), i;
  printf("pmFetch %d\n", sts);
  if (sts < 0) return;
  for (i = 0; i < result->numpmid; ++i)
    printf("  %s %d%s%s\n", pmIDStr(result->vset[i]->pmid), result->vset[i]->numval,
           result->vset[i]->numval < 0 ? " " : "",
           result->vset[i]->numval < 0 ? pmErrStr(result->vset[i]->numval) : "");
  pmSortInstances(result);
  pmFreeResult(result);
}

int main(int argc, char** argv) {
  pmID pmids[COUNT], few[6];
  pmDesc descs[COUNT];
  pmLogLabel label;
  int i, k, sts;
  if (open_context(argc, argv) < 0) return 1;
  SHOW(pmLookupName(COUNT, names, pmids));
  for (i = 0; i < COUNT; ++i) printf("  <%s> %s\n", names[i], pmIDStr(pmids[i]));
  memset(descs, 0, sizeof descs);
  SHOW(pmLookupDescs(COUNT, pmids, descs));
  for (i = 0; i < COUNT; ++i) printf("  %s %s\n", pmIDStr(descs[i].pmid), pmTypeStr(descs[i].type));
  /* Without those that libpcp makes itself. */
  for (i = 0; i < COUNT; ++i)
    if (pmids[i] != PM_ID_NULL && IS_DERIVED(pmids[i])) pmids[i] = PM_ID_NULL;
  show_fetch(COUNT, pmids);
  if (pmGetArchiveLabel(&label) >= 0) {
    label.ll_start.tv_sec += 30;
    /* With one of them twice the real library does not come back. */
    pmID known[COUNT] = {0};
    int some = 0;
    for (i = 0; i < COUNT; ++i) {
      for (k = 0; k < some && known[k] != pmids[i]; ++k) continue;
      if (pmids[i] != PM_ID_NULL && k == some) known[some++] = pmids[i];
    }
    SHOW(pmSetMode(PM_MODE_INTERP, &label.ll_start, 1000));
    show_fetch(some, known);
    SHOW(pmSetMode(PM_MODE_FORW, &label.ll_start, 0));
    show_fetch(COUNT, pmids);
  }
  for (i = 0; i < COUNT; ++i) {
    char** all;
    if (pmids[i] == PM_ID_NULL) continue;
    sts = pmNameAll(pmids[i], &all);
    printf("%s %d:", pmIDStr(pmids[i]), sts);
    for (k = 0; k < sts; ++k) printf(" %s", all[k]);
    printf("\n");
    if (sts > 0) free(all);
  }
  few[0] = few[1] = few[2] = pmids[0];
  few[3] = PM_ID_NULL;
  few[4] = pmID_build(300, 1, 1);
  few[5] = pmID_build(29, 4000, 1);
  show_fetch(6, few);
  show_fetch(1, few + 3);
  show_fetch(1, few + 4);
  show_fetch(2, few + 4);
  return 0;
}
