/* Labels before a fetch and after it, and those of a cluster by pmids with and without an item. */
#include "program.h"

static void show(const char* what, int count, pmLabelSet* sets) {
  int i;
  printf("%s: %d%s%s\n", what, count, count < 0 ? " " : "", count < 0 ? pmErrStr(count) : "");
  for (i = 0; i < count; ++i) printf("  %s\n", sets[i].json ? sets[i].json : "none");
  if (count > 0) pmFreeLabelSets(sets, count);
}

static void labels_of(pmID pmid) {
  pmLabelSet* sets = NULL;
  int count = pmGetClusterLabels(pmid, &sets);
  show(pmIDStr(pmid), count, sets);
  count = pmGetClusterLabels(pmID_build(pmID_domain(pmid), pmID_cluster(pmid), 0), &sets);
  show("cluster", count, sets);
  count = pmGetClusterLabels(pmID_build(pmID_domain(pmid), pmID_cluster(pmid), 1023), &sets);
  show("last of cluster", count, sets);
  count = pmGetItemLabels(pmid, &sets);
  show("item", count, sets);
  count = pmLookupLabels(pmid, &sets);
  show("all", count, sets);
}

int main(int argc, char** argv) {
  int i;
  if (open_context(argc, argv) < 0) return 1;
  for (i = 3; i < argc; ++i) {
    pmResult* result;
    pmID pmid = metric(argv[i]);
    labels_of(pmid);
    if (pmFetch(1, &pmid, &result) >= 0) pmFreeResult(result);
    labels_of(pmid);
  }
  return 0;
}
