/* Labels of every level, taken apart by their offsets, merged, and merged with a filter. */
#include "program.h"

static void one(const pmLabelSet* set) {
  int i;
  printf("  inst %d, %d labels, %d bytes: %s\n", (int)set->inst, set->nlabels, set->jsonlen,
         set->json ? set->json : "none");
  for (i = 0; i < set->nlabels; ++i) {
    const pmLabel* label = &set->labels[i];
    printf("    %.*s = %.*s%s%s %x\n", label->namelen, set->json + label->name, label->valuelen,
           set->json + label->value, label->flags & PM_LABEL_OPTIONAL ? " optional" : "",
           label->flags & PM_LABEL_COMPOUND ? " compound" : "", label->flags);
  }
}

static void level(const char* name, int count, pmLabelSet* sets) {
  int i;
  printf("%s: %d%s%s\n", name, count, count < 0 ? " " : "", count < 0 ? pmErrStr(count) : "");
  for (i = 0; i < count; ++i) one(&sets[i]);
  if (count > 0) pmFreeLabelSets(sets, count);
}

static int without_host(const pmLabel* label, const char* json, void* closure) {
  ++*(int*)closure;
  return strncmp(json + label->name, "hostname", 8) != 0;
}

static void merged(pmID pmid) {
  pmLabelSet *sets = NULL, *list[8];
  char* texts[8];
  char text[PM_MAXLABELJSONLEN];
  int count = pmLookupLabels(pmid, &sets), i, seen = 0;
  level("pmLookupLabels", count < 0 ? count : 0, sets);
  for (i = 0; i < count && i < 8; ++i) {
    list[i] = &sets[i];
    texts[i] = sets[i].json;
  }
  if (count < 1) return;
  SHOW(pmMergeLabelSets(list, count, text, sizeof text, NULL, NULL));
  printf("  %s\n", text);
  SHOW(pmMergeLabelSets(list, count, text, sizeof text, without_host, &seen));
  printf("  %s, %d seen\n", text, seen);
  SHOW(pmMergeLabelSets(list, count, text, 5, NULL, NULL));
  SHOW(pmMergeLabelSets(list, 0, text, sizeof text, NULL, NULL));
  SHOW(pmMergeLabels(texts, count, text, sizeof text));
  printf("  %s\n", text);
  pmPrintLabelSets(stdout, (int)pmid, PM_LABEL_ITEM, sets, count);
  pmFreeLabelSets(sets, count);
}

int main(int argc, char** argv) {
  pmLabelSet* sets = NULL;
  pmDesc desc;
  pmID pmid;
  int i;
  if (open_context(argc, argv) < 0) return 1;
  level("context", pmGetContextLabels(&sets), sets);
  for (i = 3; i < argc; ++i) {
    printf("--- %s\n", argv[i]);
    pmid = metric(argv[i]);
    SHOW(pmLookupDesc(pmid, &desc));
    level("domain", pmGetDomainLabels((int)pmID_domain(pmid), &sets), sets);
    level("cluster", pmGetClusterLabels(pmid, &sets), sets);
    level("item", pmGetItemLabels(pmid, &sets), sets);
    if (desc.indom != PM_INDOM_NULL) {
      level("indom", pmGetInDomLabels(desc.indom, &sets), sets);
      level("instances", pmGetInstancesLabels(desc.indom, &sets), sets);
    }
    merged(pmid);
  }
  return 0;
}
