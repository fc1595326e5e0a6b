/* Derived metrics, of the process and of a context; good ones and bad ones. */
#include "program.h"

static void try_global(const char* name, const char* expression) {
  char* message = NULL;
  int sts = pmRegisterDerivedMetric(name, expression, &message);
  printf("pmRegisterDerivedMetric %s %s: %d\n%s", name, expression, sts, message ? message : "");
  free(message);
}

static void try_own(const char* name, const char* expression) {
  char* message = NULL;
  int sts = pmAddDerivedMetric(name, expression, &message);
  printf("pmAddDerivedMetric %s %s: %d\n%s", name, expression, sts, message ? message : "");
  free(message);
}

static void show(const char* name) {
  pmID pmid = metric(name);
  pmDesc desc;
  pmResult* result;
  char* text;
  int i, sts;
  if (pmid == PM_ID_NULL) return;
  printf("%s\n", name);
  if ((sts = pmLookupDesc(pmid, &desc)) < 0)
    printf("  %s\n", pmErrStr(sts));
  else
    pmPrintDesc(stdout, &desc);
  SHOW(pmNameID(pmid, &text));
  SHOW(pmLookupText(pmid, PM_TEXT_ONELINE, &text));
  for (i = 0; i < 3; ++i) {
    if ((sts = pmFetch(1, &pmid, &result)) < 0) {
      printf("  pmFetch: %s\n", pmErrStr(sts));
      continue;
    }
    result->vset[0]->pmid = 0;
    show_result(result);
    pmFreeResult(result);
  }
}

static void define_globals(const char* of) {
  const char *wrong = "1 + * 2", *stopped;
  char whole[200];
  snprintf(whole, sizeof whole, "rate(%s)", of);
  try_global("mine.rate", whole);
  try_global("mine.rate", whole);
  try_global("mine.bad", "1 +");
  try_global("mine.missing", "no.such.metric + 1");
  try_global("mine.const", "2 * 3 + 0.5");
  stopped = pmRegisterDerived("mine.wrong", wrong);
  printf("stopped at %d: %s\n", stopped ? (int)(stopped - wrong) : -1, pmDerivedErrStr());
}

static void define_own(const char* of) {
  const char* stopped;
  char whole[200];
  snprintf(whole, sizeof whole, "sum(%s)", of);
  try_own("own.sum", whole);
  try_own("own.sum", whole);
  try_own("own.bad", "a ? b");
  stopped = pmAddDerived("own.alias", of);
  printf("%s\n", stopped ? stopped : "defined");
}

/* A fifth word: metrics of the context, in place of those of the process. */
int main(int argc, char** argv) {
  pmLogLabel label;
  int context, value;
  if (argc < 4) return 1;
  if (argc == 4) define_globals(argv[3]);
  context = open_context(argc, argv);
  if (context < 0) return 1;
  SHOW(pmGetArchiveLabel(&label));
  SHOW(pmGetPMNSLocation());
  if (argc > 4) define_own(argv[3]);
  SHOW(pmSetMode(PM_MODE_INTERP, &label.ll_start, 20000));
  if (argc > 4) {
    show("own.sum");
    show("own.alias");
    show("own.bad");
  } else {
    show("mine.rate");
    show("mine.missing");
    show("mine.const");
  }
  SHOW(pmGetDerivedControl(PCP_DERIVED_GLOBAL_LIMIT, &value));
  SHOW(pmSetDerivedControl(PCP_DERIVED_GLOBAL_LIMIT, 1));
  try_global("mine.many", "1 + 1");
  SHOW(pmReconnectContext(context));
  if (argc == 4) show("mine.rate");
  return 0;
}
