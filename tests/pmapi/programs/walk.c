/* A walk over all names with a closure: descriptors, all names of a number, children by kind. */
#include "program.h"

struct tally {
  int leaves, by_type[12], counters, domains, twice;
  pmInDom last;
};

static void leaf(const char* name, void* closure) {
  struct tally* const tally = closure;
  pmID pmid;
  pmDesc desc;
  char **all, *first;
  int count;
  ++tally->leaves;
  if (pmLookupName(1, &name, &pmid) < 0 || pmLookupDesc(pmid, &desc) < 0) return;
  if (desc.type >= 0 && desc.type < 12) ++tally->by_type[desc.type];
  tally->counters += desc.sem == PM_SEM_COUNTER;
  if (desc.indom != tally->last) ++tally->domains;
  tally->last = desc.indom;
  if ((count = pmNameAll(pmid, &all)) < 0) {
    printf("%s: %s\n", name, pmErrStr(count));
    return;
  }
  if (count > 1) ++tally->twice;
  if (pmNameID(pmid, &first) >= 0) {
    if (strcmp(first, name) != 0) printf("%s is %s, too\n", name, first);
    free(first);
  }
  free(all);
}

static void children(const char* name, int depth) {
  char** list;
  int i, *status;
  const int count = pmGetChildrenStatus(name, &list, &status);
  printf("%*s%s: %d\n", depth, "", name, count);
  if (count <= 0) return;
  for (i = 0; i < count; ++i) {
    char path[300];
    pmsprintf(path, sizeof path, "%s%s%s", name, *name ? "." : "", list[i]);
    if (status[i] == PMNS_NONLEAF_STATUS && depth < 3) children(path, depth + 1);
  }
  free(list);
  free(status);
}

int main(int argc, char** argv) {
  int i, k;
  if (open_context(argc, argv) < 0) return 1;
  children("", 0);
  for (i = 3; i < argc; ++i) {
    struct tally tally = {0};
    const int sts = pmTraversePMNS_r(argv[i], leaf, &tally);
    printf("%s: %d, %d leaves, %d counters, %d domains, %d twice;", argv[i], sts, tally.leaves,
           tally.counters, tally.domains, tally.twice);
    for (k = 0; k < 12; ++k) printf(" %d", tally.by_type[k]);
    printf("\n");
  }
  return 0;
}
