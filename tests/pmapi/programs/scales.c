/* A converter of units: `number unit unit` asked of pmParseUnitsStr and pmConvScale in each type.
 */
#include <errno.h>

#include "program.h"

static void to_atom(double number, int type, pmAtomValue* out) {
  memset(out, 0, sizeof *out);
  switch (type) {
    case PM_TYPE_32: out->l = (int)number; break;
    case PM_TYPE_U32: out->ul = (unsigned)(long long)number; break;
    case PM_TYPE_64: out->ll = (long long)number; break;
    case PM_TYPE_U64: out->ull = (unsigned long long)(long long)number; break;
    case PM_TYPE_FLOAT: out->f = (float)number; break;
    default: out->d = number;
  }
}

static int parse(const char* word, pmUnits* units, double* factor) {
  char *message = NULL, room[60];
  int sts = pmParseUnitsStr(word, units, factor, &message);
  printf("<%s> %d", word, sts);
  if (sts < 0)
    printf(" %s\n", message ? message : "NULL");
  else
    printf(" %d%d%d %d%d%d x %.17g <%s> <%s>\n", units->dimSpace, units->dimTime, units->dimCount,
           (int)units->scaleSpace, (int)units->scaleTime, units->scaleCount, *factor,
           pmUnitsStr(units), pmUnitsStr_r(units, room, 8) ? room : "NULL");
  if (sts < 0) free(message);
  return sts;
}

int main(int argc, char** argv) {
  static const int types[] = {PM_TYPE_32,     PM_TYPE_U32,       PM_TYPE_64,
                              PM_TYPE_U64,    PM_TYPE_FLOAT,     PM_TYPE_DOUBLE,
                              PM_TYPE_STRING, PM_TYPE_AGGREGATE, 99};
  int i, k;
  setvbuf(stdout, NULL, _IONBF, 0);
  for (i = 1; i + 2 < argc; i += 3) {
    const double number = strtod(argv[i], NULL);
    pmUnits from, to;
    double one, other;
    if (parse(argv[i + 1], &from, &one) < 0) continue;
    if (parse(argv[i + 2], &to, &other) < 0) continue;
    for (k = 0; k < (int)(sizeof types / sizeof *types); ++k) {
      pmAtomValue in, out;
      int sts;
      char room[40];
      to_atom(number, types[k], &in);
      memset(&out, 0, sizeof out);
      sts = pmConvScale(types[k], &in, &from, &out, &to);
      printf("  %s %s: %d", argv[i], pmTypeStr_r(types[k], room, sizeof room), sts);
      if (sts >= 0) printf(" %s", pmAtomStr_r(&out, types[k], room, sizeof room));
      printf("\n");
    }
  }
  return 0;
}
