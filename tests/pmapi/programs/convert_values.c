/* Values of an archive in other units: what pmParseUnitsStr() reads, pmConvScale() makes. */
#include "program.h"

static const char* const wanted[] = {
    "bytes",     "Kbyte",     "2 Mbyte",  "count", "count x 10^3", "millisec", "sec / 100", "hour",
    "Mbyte / s", "count/sec", "10 hours", "",      "byte^2",       "Kbyte/0",  "nonsense"};

int main(int argc, char** argv) {
  size_t k;
  int i;
  if (open_context(argc, argv) < 0) return 1;
  for (i = 3; i < argc; ++i) {
    pmDesc desc;
    pmResult* result;
    if (pmLookupDesc(metric(argv[i]), &desc) < 0) continue;
    if (pmFetch(1, &desc.pmid, &result) < 0) continue;
    printf("--- %s %s %s\n", argv[i], pmTypeStr(desc.type), pmUnitsStr(&desc.units));
    for (k = 0; k < sizeof wanted / sizeof wanted[0]; ++k) {
      pmUnits units;
      double factor = 0;
      char* message = NULL;
      pmAtomValue atom, out;
      int sts = pmParseUnitsStr(wanted[k], &units, &factor, &message);
      printf("<%s>: %d %s", wanted[k], sts, sts < 0 ? message : pmUnitsStr(&units));
      free(message);
      if (sts >= 0) printf(" x %g", factor);
      if (sts >= 0 && result->vset[0]->numval > 0 &&
          pmExtractValue(result->vset[0]->valfmt, result->vset[0]->vlist, desc.type, &atom,
                         PM_TYPE_DOUBLE) >= 0) {
        sts = pmConvScale(PM_TYPE_DOUBLE, &atom, &desc.units, &out, &units);
        printf(", %g is %s", atom.d, sts < 0 ? pmErrStr(sts) : pmAtomStr(&out, PM_TYPE_DOUBLE));
      }
      printf("\n");
    }
    pmFreeResult(result);
  }
  return 0;
}
