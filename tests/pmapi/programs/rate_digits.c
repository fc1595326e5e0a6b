/* All digits of a derived rate, at times of an interval that is no whole number of milliseconds. */
#include "program.h"

int main(int argc, char** argv) {
  char* wrong;
  const char* name = "own.rate";
  char expression[200];
  pmID pmid;
  pmDesc desc;
  pmHighResLogLabel label;
  pmHighResResult* result;
  struct timespec step = {0, 333000001};
  int i, sts, rows = 0;
  if (argc < 4) return 1;
  snprintf(expression, sizeof(expression), "rate(%s)", argv[3]);
  if (pmRegisterDerivedMetric(name, expression, &wrong) < 0) {
    printf("%s", wrong);
    free(wrong);
    return 1;
  }
  if (open_context(argc, argv) < 0) return 1;
  SHOW(pmGetHighResArchiveLabel(&label));
  SHOW(pmSetModeHighRes(PM_MODE_INTERP, &label.start, &step));
  SHOW(pmLookupName(1, &name, &pmid));
  SHOW(pmLookupDesc(pmid, &desc));
  while (rows++ < 300 && (sts = pmFetchHighRes(1, &pmid, &result)) >= 0) {
    const pmValueSet* const set = result->vset[0];
    printf("%ld.%09ld", (long)result->timestamp.tv_sec, (long)result->timestamp.tv_nsec);
    for (i = 0; i < set->numval; ++i) {
      pmAtomValue value;
      if (pmExtractValue(set->valfmt, &set->vlist[i], desc.type, &value, PM_TYPE_DOUBLE) < 0)
        continue;
      printf(" %d=%.17g", set->vlist[i].inst, value.d);
    }
    printf("\n");
    pmFreeHighResResult(result);
  }
  return 0;
}
