/* A tree view of names: children with their kind, sorted, each leaf's other names, then names that
 * are no metrics. */
#include "program.h"

static int by_name(const void* a, const void* b) {
  return strcmp(*(char* const*)a, *(char* const*)b);
}

static void others(const char* name) {
  pmID pmid;
  char **all, *one;
  int i, sts = pmLookupName(1, &name, &pmid);
  if (sts < 0) {
    printf(" !%s", pmErrStr(sts));
    return;
  }
  printf(" %s", pmIDStr(pmid));
  sts = pmNameAll(pmid, &all);
  if (sts > 1) qsort(all, (size_t)sts, sizeof *all, by_name);
  for (i = 0; i < sts; ++i)
    if (strcmp(all[i], name) != 0) printf(" =%s", all[i]);
  if (sts >= 0) free(all);
  if ((sts = pmNameID(pmid, &one)) < 0)
    printf(" !%s", pmErrStr(sts));
  else
    free(one);
}

static void show(const char* of, int depth) {
  char** children;
  int *kinds, i, sts = pmGetChildrenStatus(of, &children, &kinds);
  if (sts < 0) {
    printf("%*s<%s> %s\n", depth * 2, "", of, pmErrStr(sts));
    return;
  }
  printf("%*s<%s> %d\n", depth * 2, "", of, sts);
  for (i = 0; i < sts; ++i) {
    char full[500];
    snprintf(full, sizeof full, "%s%s%s", of, *of ? "." : "", children[i]);
    if (kinds[i] == PMNS_NONLEAF_STATUS && depth < 4) show(full, depth + 1);
    if (kinds[i] != PMNS_LEAF_STATUS) continue;
    printf("%*s%s", depth * 2 + 2, "", children[i]);
    others(full);
    printf("\n");
  }
  if (sts > 0) {
    free(children);
    free(kinds);
  }
}

static void quiet(const char* name, void* sum) { *(size_t*)sum += strlen(name); }

int main(int argc, char** argv) {
  static const char* odd[] = {".",           "..",          "a.",   ".a",         "kernel.",
                              "kernel..all", "KERNEL",      " ",    "kernel all", "any",
                              "event",       "event.flags", "\xff", "hinv.ncpu.", "hinv.ncpu.x"};
  char** children;
  size_t sum = 0;
  int i;
  if (open_context(argc, argv) < 0) return 1;
  for (i = 3; i < argc; ++i) show(argv[i], 0);
  for (i = 0; i < (int)(sizeof odd / sizeof *odd); ++i) {
    pmID pmid = 1;
    int sts = pmGetChildren(odd[i], &children);
    printf("<%s> %d", odd[i], sts);
    if (sts > 0) free(children);
    printf(" %d", pmLookupName(1, &odd[i], &pmid));
    printf(" %s %d\n", pmIDStr(pmid), pmTraversePMNS_r(odd[i], quiet, &sum));
  }
  printf("%zu\n", sum);
  SHOW(pmTrimNameSpace());
  SHOW(pmGetPMNSLocation());
  SHOW(pmLoadNameSpace("/proc/none/pmns"));
  SHOW(pmTraversePMNS_r("hinv", quiet, &sum));
  return 0;
}
