/* Units as texts: read from the words, written again, and what is between two of them. */
#include "program.h"

static int read_units(const char* word, pmUnits* units, double* factor) {
  char* message = NULL;
  int sts = pmParseUnitsStr(word, units, factor, &message);
  printf("<%s> %d", word, sts);
  if (sts < 0) {
    printf(" %s\n", message ? message : "none");
    free(message);
    return sts;
  }
  printf(" {%d,%d,%d,%d,%d,%d} %.17g <%s>\n", units->dimSpace, units->dimTime, units->dimCount,
         units->scaleSpace, units->scaleTime, units->scaleCount, *factor, pmUnitsStr(units));
  return sts;
}

int main(int argc, char** argv) {
  pmUnits units, last = {0};
  double factor;
  char text[60], small[10];
  int i;
  for (i = 1; i < argc; ++i) {
    pmAtomValue value = {.d = 1000}, converted = {.d = 0};
    int sts;
    if (read_units(argv[i], &units, &factor) < 0) continue;
    printf("  %s", pmUnitsStr_r(&units, text, sizeof text) ? text : "NULL");
    printf(" %s\n", pmUnitsStr_r(&units, small, sizeof small) ? small : "NULL");
    sts = pmConvScale(PM_TYPE_DOUBLE, &value, &last, &converted, &units);
    printf("  1000 of those before: %d %.17g\n", sts, sts < 0 ? 0 : converted.d * factor);
    last = units;
  }
  return 0;
}
