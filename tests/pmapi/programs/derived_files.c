/* Derived metrics from files and folders, and the knobs for them. Words: a folder, then files'
 * lines. */
#include "program.h"

static void leaf(const char* name) {
  pmID pmid;
  int sts = pmLookupName(1, &name, &pmid);
  printf("  %s %d\n", name, sts);
}

static void knob(int which) {
  int value = -77;
  SHOW(pmGetDerivedControl(which, &value));
  printf("  %d: %d\n", which, value);
}

int main(int argc, char** argv) {
  char path[300];
  FILE* out;
  int i;
  if (argc < 4) return 1;
  setvbuf(stdout, NULL, _IONBF, 0);
  setvbuf(stderr, NULL, _IONBF, 0);
  pmSetProgname(argv[0]);
  pmsprintf(path, sizeof path, "%s/derived_files", argv[1]);
  out = fopen(path, "w");
  for (i = 3; i < argc; ++i) fprintf(out, "%s\n", argv[i]);
  fclose(out);
  SHOW(pmLoadDerivedConfig(path));
  SHOW(pmLoadDerivedConfig(path));
  SHOW(pmLoadDerivedConfig("/nonexistent"));
  SHOW(pmLoadDerivedConfig(""));
  unlink(path);
  printf("%s\n", pmDerivedErrStr() ? pmDerivedErrStr() : "NULL");
  SHOW(pmNewContext(PM_CONTEXT_ARCHIVE, argv[2]));
  SHOW(pmTraversePMNS("mine", leaf));
  for (i = 1; i <= 5; ++i) knob(i);
  SHOW(pmSetDerivedControl(PCP_DERIVED_CONTEXT_LIMIT, 2));
  knob(PCP_DERIVED_CONTEXT_LIMIT);
  SHOW(pmAddDerived("own.a", "1") != NULL);
  SHOW(pmAddDerived("own.b", "2") != NULL);
  SHOW(pmAddDerived("own.c", "3") != NULL);
  printf("%s\n", pmDerivedErrStr() ? pmDerivedErrStr() : "NULL");
  SHOW(pmSetDerivedControl(PCP_DERIVED_DEBUG_EVAL, 1));
  SHOW(pmSetDerivedControl(PCP_DERIVED_DEBUG_EVAL, 0));
  SHOW(pmSetDerivedControl(PCP_DERIVED_CONTEXT_LIMIT, -1));
  SHOW(pmSetDerivedControl(99, 1));
  return 0;
}
