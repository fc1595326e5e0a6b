/* Callbacks that call the library themselves: look up, fetch, traverse, open and close contexts. */
#include "program.h"

static int depth, seen;
static const char* archive;

static void inner(const char* name, void* closure) {
  ++*(int*)closure;
  (void)name;
}

static void outer(const char* name) {
  pmID pmid;
  pmDesc desc;
  pmResult* result;
  int below = 0, context, sts;
  if (seen++ > 12) return;
  ++depth;
  sts = pmLookupName(1, &name, &pmid);
  printf("%d %s %d %s", depth, name, sts, pmIDStr(pmid));
  if (pmLookupDesc(pmid, &desc) >= 0) printf(" %s", pmTypeStr(desc.type));
  if (pmFetch(1, &pmid, &result) >= 0) {
    printf(" %d values", result->vset[0]->numval);
    pmFreeResult(result);
  }
  printf(" %d", pmTraversePMNS_r("hinv", inner, &below));
  printf(" %d", below);
  if (archive && seen == 3) {
    context = pmWhichContext();
    sts = pmNewContext(PM_CONTEXT_ARCHIVE, archive);
    printf(" another %d", pmTraversePMNS_r("kernel.all.cpu", inner, &below));
    pmDestroyContext(sts);
    pmUseContext(context);
  }
  printf("\n");
  --depth;
}

static int keep(const pmLabel* label, const char* json, void* closure) {
  pmLabelSet* sets;
  int count = pmGetContextLabels(&sets);
  printf("  filter: %.*s, %d\n", label->namelen, json + label->name, count);
  if (count > 0) pmFreeLabelSets(sets, count);
  return ++*(int*)closure % 2;
}

int main(int argc, char** argv) {
  pmLabelSet* sets;
  char text[2000];
  int i, count, kept = 0;
  if (open_context(argc, argv) < 0) return 1;
  archive = strcmp(argv[1], "archive") == 0 ? argv[2] : NULL;
  for (i = 3; i < argc; ++i) SHOW(pmTraversePMNS(argv[i], outer));
  count = pmGetContextLabels(&sets);
  if (count > 0) {
    SHOW(pmMergeLabelSets(&sets, 1, text, sizeof text, keep, &kept));
    printf("%s\n", text);
    pmFreeLabelSets(sets, count);
  }
  SHOW(pmWhichContext());
  return 0;
}
