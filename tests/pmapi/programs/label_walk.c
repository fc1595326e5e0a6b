/* Labels as an inventory has them: each level by its own function, entry by entry with its flags,
 * then merged in rooms that are too small. */
#include "program.h"

static void entries(const char* what, int sts, pmLabelSet* sets) {
  int i, k;
  printf("%s: %d%s%s\n", what, sts, sts < 0 ? " " : "", sts < 0 ? pmErrStr(sts) : "");
  if (sts <= 0) return;
  for (i = 0; i < sts; ++i) {
    printf("  inst %d, %d labels, %u bytes\n", (int)sets[i].inst, sets[i].nlabels, sets[i].jsonlen);
    for (k = 0; k < sets[i].nlabels; ++k) {
      const pmLabel* label = &sets[i].labels[k];
      printf("    %.*s = %.*s flags %x\n", label->namelen, sets[i].json + label->name,
             label->valuelen, sets[i].json + label->value, label->flags);
    }
  }
  pmFreeLabelSets(sets, sts);
}

static int count_all(const pmLabel* label, const char* json, void* closure) {
  int* counts = closure;
  (void)json;
  counts[0]++;
  counts[1] += label->namelen;
  counts[2] += label->valuelen;
  return 1;
}

static void merged(pmID pmid) {
  static const int rooms[] = {1, 2, 16, 64, 200, PM_MAXLABELJSONLEN};
  pmLabelSet *sets, *levels[6];
  char* room = malloc(PM_MAXLABELJSONLEN);
  int i, counts[3] = {0, 0, 0}, sts = pmLookupLabels(pmid, &sets);
  printf("pmLookupLabels %d\n", sts);
  if (sts > 0) {
    for (i = 0; i < sts && i < 6; ++i) levels[i] = &sets[i];
    for (i = 0; i < 6; ++i) {
      int length;
      room[0] = '\0';
      length = pmMergeLabelSets(levels, sts < 6 ? sts : 6, room, rooms[i], NULL, NULL);
      printf("  %d: %d %s\n", rooms[i], length, length < 0 ? pmErrStr(length) : room);
    }
    SHOW(pmMergeLabelSets(levels, 1, room, PM_MAXLABELJSONLEN, count_all, counts));
    printf("  %d %d %d %s\n", counts[0], counts[1], counts[2], room);
    pmPrintLabelSets(stdout, (int)pmid, PM_LABEL_ITEM, sets, sts);
    pmFreeLabelSets(sets, sts);
  }
  free(room);
}

int main(int argc, char** argv) {
  pmLabelSet* sets = NULL;
  pmDesc desc;
  int i, sts;
  if (open_context(argc, argv) < 0) return 1;
  sts = pmGetContextLabels(&sets);
  entries("context", sts, sets);
  for (i = 3; i < argc; ++i) {
    pmID pmid = metric(argv[i]);
    if (pmid == PM_ID_NULL || pmLookupDesc(pmid, &desc) < 0) continue;
    printf("--- %s\n", argv[i]);
    sts = pmGetDomainLabels((int)pmID_domain(pmid), &sets);
    entries("domain", sts, sets);
    sts = pmGetClusterLabels(pmid, &sets);
    entries("cluster", sts, sets);
    sts = pmGetItemLabels(pmid, &sets);
    entries("item", sts, sets);
    sts = pmGetInDomLabels(desc.indom, &sets);
    entries("indom", sts, sets);
    sts = pmGetInstancesLabels(desc.indom, &sets);
    entries("instances", sts, sets);
    merged(pmid);
  }
  return 0;
}
