/* The name space as a tree, by children and by traversal: both must find the same leaves. */
#include "program.h"

static int leaves, deepest;

static void descend(const char* name, int depth) {
  char **children, below[500];
  int *status, count, i;
  count = pmGetChildrenStatus(name, &children, &status);
  if (depth > deepest) deepest = depth;
  if (count < 0) printf("%s: %s\n", name, pmErrStr(count));
  for (i = 0; i < count; ++i) {
    if (*name)
      pmsprintf(below, sizeof below, "%s.%s", name, children[i]);
    else
      pmstrncpy(below, sizeof below, children[i]);
    printf("%*s%s%s\n", 2 * depth, "", children[i], status[i] == PMNS_NONLEAF_STATUS ? "." : "");
    if (status[i] == PMNS_LEAF_STATUS)
      ++leaves;
    else
      descend(below, depth + 1);
  }
  if (count > 0) {
    free(children);
    free(status);
  }
}

static int visited;
static void visit(const char* name) { visited += *name != '\0'; }

static void keep(const char* name, void* closure) {
  char** last = closure;
  free(*last);
  *last = strdup(name);
}

static void names_of(const char* name) {
  char **all, *one;
  int count, i;
  pmID pmid = metric(name);
  count = pmNameAll(pmid, &all);
  printf("pmNameAll %d:", count);
  for (i = 0; i < count; ++i) printf(" %s", all[i]);
  printf("\n");
  if (count > 0) free(all);
  if ((count = pmNameID(pmid, &one)) >= 0) {
    printf("pmNameID %d %s\n", count, one);
    free(one);
  } else {
    printf("pmNameID %s\n", pmErrStr(count));
  }
}

int main(int argc, char** argv) {
  char *last = NULL, **children;
  int i, count;
  if (open_context(argc, argv) < 0) return 1;
  SHOW(pmGetPMNSLocation());
  for (i = 3; i < argc; ++i) {
    leaves = visited = deepest = 0;
    descend(argv[i], 0);
    SHOW(pmTraversePMNS(argv[i], visit));
    SHOW(pmTraversePMNS_r(argv[i], keep, &last));
    printf("%s: %d leaves, %d visited, %d deep, last %s\n", argv[i], leaves, visited, deepest,
           last ? last : "none");
    if (last) names_of(last);
    free(last);
    last = NULL;
    count = pmGetChildren(argv[i], &children);
    printf("%d children\n", count);
    if (count > 0) free(children);
  }
  return 0;
}
