/* Labels of metrics, merged level by level, with filters that keep some of them. */
#include "program.h"

static int only_optional(const pmLabel* label, const char* json, void* closure) {
  ++*(int*)closure;
  (void)json;
  return (label->flags & PM_LABEL_OPTIONAL) != 0;
}
static int short_names(const pmLabel* label, const char* json, void* closure) {
  (void)json;
  return label->namelen <= *(int*)closure;
}

static void merge(pmLabelSet** sets, int count, const char* what,
                  int (*filter)(const pmLabel*, const char*, void*), int number) {
  char room[PM_MAXLABELJSONLEN];
  const int sts = pmMergeLabelSets(sets, count, room, sizeof room, filter, &number);
  printf("%s: %d %s %d\n", what, sts, sts < 0 ? pmErrStr(sts) : room, number);
}

int main(int argc, char** argv) {
  int i, k;
  if (open_context(argc, argv) < 0) return 1;
  for (i = 3; i < argc; ++i) {
    pmLabelSet *sets = NULL, *by_level[6];
    const int count = pmLookupLabels(metric(argv[i]), &sets);
    printf("--- %s: %d %s\n", argv[i], count, count < 0 ? pmErrStr(count) : "");
    for (k = 0; k < count && k < 6; ++k) by_level[k] = &sets[k];
    for (k = 0; k <= count && k <= 6; ++k) {
      merge(by_level, k, "all", NULL, 0);
      merge(by_level, k, "optional", only_optional, 0);
      merge(by_level, k, "short", short_names, 6);
    }
    if (count >= 0) {
      pmPrintLabelSets(stdout, (int)metric(argv[i]), PM_LABEL_ITEM, sets, count);
      pmFreeLabelSets(sets, count);
    }
  }
  return 0;
}
