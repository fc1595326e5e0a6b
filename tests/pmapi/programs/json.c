/* Everything below some names as JSON: descriptors, labels, instances, values. */
#include "program.h"

static int first;

static void quoted(const char* text) {
  putchar('"');
  for (; *text; ++text) {
    if (*text == '"' || *text == '\\') putchar('\\');
    if ((unsigned char)*text >= ' ') putchar(*text);
  }
  putchar('"');
}

static void labels(pmID pmid) {
  pmLabelSet *sets = NULL, *list[8];
  char text[PM_MAXLABELJSONLEN];
  int count = pmLookupLabels(pmid, &sets), i;
  for (i = 0; i < count && i < 8; ++i) list[i] = &sets[i];
  if (count > 0 && pmMergeLabelSets(list, count, text, sizeof text, NULL, NULL) > 0)
    printf(", \"labels\": %s", text);
  if (count > 0) pmFreeLabelSets(sets, count);
}

static void values(pmID pmid, const pmDesc* desc) {
  pmResult* result;
  int sts = pmFetch(1, &pmid, &result), i;
  if (sts < 0) {
    printf(", \"error\": \"%s\"", pmErrStr(sts));
    return;
  }
  printf(", \"values\": [");
  for (i = 0; i < result->vset[0]->numval; ++i) {
    char* name = NULL;
    printf("%s{", i ? ", " : "");
    if (desc->indom != PM_INDOM_NULL &&
        pmNameInDom(desc->indom, result->vset[0]->vlist[i].inst, &name) >= 0) {
      printf("\"instance\": ");
      quoted(name);
      printf(", ");
      free(name);
    }
    printf("\"value\": ");
    pmPrintValue(stdout, result->vset[0]->valfmt, desc->type, &result->vset[0]->vlist[i], 1);
    printf("}");
  }
  printf("]");
  pmFreeResult(result);
}

static void leaf(const char* name, void* closure) {
  pmLogLabel label;
  pmDesc desc;
  pmID pmid;
  char* text;
  (void)closure;
  if (pmLookupName(1, &name, &pmid) < 0 || pmLookupDesc(pmid, &desc) < 0) return;
  printf("%s\n  {\"name\": ", first++ ? "," : "");
  quoted(name);
  printf(", \"type\": \"%s\", \"sem\": \"%s\", \"units\": ", pmTypeStr(desc.type),
         pmSemStr(desc.sem));
  quoted(pmUnitsStr(&desc.units));
  if (pmLookupText(pmid, PM_TEXT_ONELINE, &text) >= 0) {
    printf(", \"text\": ");
    quoted(text);
    free(text);
  }
  labels(pmid);
  if (pmGetArchiveLabel(&label) >= 0) {
    label.ll_start.tv_sec += 60;
    pmSetMode(PM_MODE_INTERP, &label.ll_start, 0);
  }
  values(pmid, &desc);
  printf("}");
}

int main(int argc, char** argv) {
  int i;
  if (open_context(argc, argv) < 0) return 1;
  printf("[");
  for (i = 3; i < argc; ++i) pmTraversePMNS_r(argv[i], leaf, NULL);
  printf("\n]\n");
  return 0;
}
