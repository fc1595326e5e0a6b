/* Names of all units with small exponents, and conversions between their scales. */
#include "program.h"

static void names(void) {
  int space, when, count, scale;
  for (space = -2; space <= 2; ++space) {
    for (when = -2; when <= 2; ++when) {
      for (count = -2; count <= 2; ++count) {
        for (scale = 0; scale < 16; scale += 3) {
          pmUnits units = {0};
          units.dimSpace = space;
          units.dimTime = when;
          units.dimCount = count;
          if (space) units.scaleSpace = (unsigned)scale & 15;
          if (when) units.scaleTime = (unsigned)scale & 15;
          if (count) units.scaleCount = scale - 8;
          printf("<%s>\n", pmUnitsStr(&units));
        }
      }
    }
  }
}

static void convert(int type, const pmUnits* from, const pmUnits* to) {
  pmAtomValue in, out;
  int sts;
  memset(&in, 0, sizeof in);
  if (type == PM_TYPE_DOUBLE)
    in.d = 12345.678;
  else if (type == PM_TYPE_FLOAT)
    in.f = 12345.678f;
  else if (type == PM_TYPE_64 || type == PM_TYPE_U64)
    in.ll = 123456789012LL;
  else
    in.l = 123456789;
  out = in;
  sts = pmConvScale(type, &in, from, &out, to);
  printf("%d %s -> %s: %d %s\n", type, pmUnitsStr(from), "", sts, pmAtomStr(&out, type));
}

int main(void) {
  int type, a, b;
  names();
  for (type = PM_TYPE_32; type <= PM_TYPE_DOUBLE; ++type) {
    for (a = 0; a < 6; ++a) {
      for (b = 0; b < 6; ++b) {
        pmUnits from = {0}, to = {0};
        from.dimTime = to.dimTime = 1;
        from.scaleTime = (unsigned)a & 15;
        to.scaleTime = (unsigned)b & 15;
        convert(type, &from, &to);
        from.dimTime = to.dimTime = 0;
        from.dimSpace = to.dimSpace = 1;
        from.scaleSpace = (unsigned)a & 15;
        to.scaleSpace = (unsigned)b & 15;
        convert(type, &from, &to);
        from.dimCount = to.dimCount = -1;
        from.scaleCount = a;
        to.scaleCount = b;
        convert(type, &from, &to);
        to.dimSpace = 2;
        convert(type, &from, &to);
      }
    }
  }
  return 0;
}
