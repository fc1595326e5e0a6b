/* The name space, descriptors, texts, instances and labels of everything below some names. */
#include "program.h"

static void show_instances(pmInDom indom, int archive) {
  int *ids = NULL, count, i;
  char **names = NULL, *name = NULL;
  count = archive ? pmGetInDomArchive(indom, &ids, &names) : pmGetInDom(indom, &ids, &names);
  printf("  indom %s: %d", pmInDomStr(indom), count);
  for (i = 0; i < count; ++i) printf(" %d=%s", ids[i], names[i]);
  printf("\n");
  if (count > 0) {
    printf("  %s is %d", names[count - 1], pmLookupInDom(indom, names[count - 1]));
    if (pmNameInDom(indom, ids[0], &name) >= 0) printf(", %d is %s", ids[0], name);
    printf("\n");
    free(name);
    free(ids);
    free(names);
  }
}

static void show_labels(pmID pmid, pmInDom indom) {
  pmLabelSet* sets = NULL;
  char merged[PM_MAXLABELJSONLEN];
  int count = pmLookupLabels(pmid, &sets), i;
  printf("  labels: %d", count);
  for (i = 0; i < count; ++i) printf(" %s", sets[i].json);
  printf("\n");
  for (i = 0; i < count; ++i) {
    pmLabelSet* one = &sets[i];
    SHOW(pmMergeLabelSets(&one, 1, merged, sizeof merged, NULL, NULL));
    printf("  %s\n", merged);
  }
  pmFreeLabelSets(sets, count);
  /* pmcd of 6.0.3 does not survive the question for the instances of no domain. */
  if (indom == PM_INDOM_NULL) return;
  sets = NULL;
  count = pmGetInstancesLabels(indom, &sets);
  printf("  of instances: %d\n", count);
  pmPrintLabelSets(stdout, (int)indom, PM_LABEL_INSTANCES, sets, count > 0 ? count : 0);
  pmFreeLabelSets(sets, count);
}

static void leaf(const char* name, void* closure) {
  pmID pmid = metric(name);
  pmDesc desc;
  char *text, **names;
  int sts, i;
  printf("%s %s\n", name, pmIDStr(pmid));
  if ((sts = pmLookupDesc(pmid, &desc)) < 0) {
    printf("  %s\n", pmErrStr(sts));
    return;
  }
  pmPrintDesc(stdout, &desc);
  if (pmLookupText(pmid, PM_TEXT_ONELINE, &text) >= 0) {
    printf("  %s\n", text);
    free(text);
  }
  if ((sts = pmLookupText(pmid, PM_TEXT_HELP, &text)) >= 0) {
    printf("  %s\n", text);
    free(text);
  } else {
    printf("  no help: %s\n", pmErrStr(sts));
  }
  sts = pmNameAll(pmid, &names);
  for (i = 0; i < sts; ++i) printf("  named %s\n", names[i]);
  if (sts >= 0) free(names);
  if (desc.indom != PM_INDOM_NULL) show_instances(desc.indom, *(int*)closure);
  show_labels(pmid, desc.indom);
}

int main(int argc, char** argv) {
  int archive, i, k, count, *status;
  char** children;
  if (open_context(argc, argv) < 0) return 1;
  archive = strcmp(argv[1], "archive") == 0;
  printf("host %s\n", archive ? pmGetContextHostName(pmWhichContext()) : "");
  for (i = 3; i < argc; ++i) {
    count = pmGetChildrenStatus(argv[i], &children, &status);
    printf("below %s: %d", argv[i], count);
    for (k = 0; k < count; ++k) printf(" %s:%d", children[k], status[k]);
    printf("\n");
    if (count > 0) {
      free(children);
      free(status);
    }
    SHOW(pmTraversePMNS_r(argv[i], leaf, &archive));
  }
  return 0;
}
