/* Derived metrics of words NAME=EXPRESSION, over an archive or a host: what they are, their values.
 */
#include "program.h"

static void describe(pmID pmid) {
  pmDesc desc;
  char* text;
  int *ids, count, i;
  char** names;
  int sts = pmLookupDesc(pmid, &desc);
  if (sts < 0) {
    printf("pmLookupDesc: %s\n", pmErrStr(sts));
    return;
  }
  pmPrintDesc(stdout, &desc);
  SHOW(pmLookupText(pmid, PM_TEXT_HELP, &text));
  if (desc.indom == PM_INDOM_NULL) return;
  count = pmGetInDom(desc.indom, &ids, &names);
  for (i = 0; i < count; ++i) printf("  %d %s\n", ids[i], names[i]);
  if (count > 0) {
    free(ids);
    free(names);
  }
}

int main(int argc, char** argv) {
  const char* names[20];
  pmID pmids[20];
  pmResult* result;
  pmLogLabel label;
  int i, count = 0, sts, before = argc > 1 && getenv("BEFORE") != NULL;
  setvbuf(stdout, NULL, _IONBF, 0);
  if (!before && open_context(argc, argv) < 0) return 1;
  for (i = 3; i < argc && count < 20; ++i) {
    char *equals = strchr(argv[i], '='), *message = NULL;
    if (!equals) continue;
    *equals = '\0';
    names[count] = argv[i];
    sts = before ? pmRegisterDerivedMetric(argv[i], equals + 1, &message)
                 : pmAddDerivedMetric(argv[i], equals + 1, &message);
    printf("%s: %d\n%s", argv[i], sts, sts < 0 && message ? message : "");
    free(message);
    if (sts >= 0) ++count;
  }
  if (before && open_context(argc, argv) < 0) return 1;
  if (count == 0) return 1;
  SHOW(pmLookupName(count, names, pmids));
  for (i = 0; i < count; ++i) {
    printf("--- %s\n", names[i]);
    if (pmids[i] != PM_ID_NULL) describe(pmids[i]);
  }
  if (pmGetArchiveLabel(&label) >= 0) SHOW(pmSetMode(PM_MODE_INTERP, &label.ll_start, 30000));
  for (i = 0; i < 4; ++i) {
    if ((sts = pmFetch(count, pmids, &result)) < 0) {
      printf("pmFetch: %s\n", pmErrStr(sts));
      continue;
    }
    show_result(result);
    pmFreeResult(result);
  }
  return 0;
}
