/* Values of every type into every type: small, large, negative ones, fractions, texts, bytes. */
#include "program.h"

static const double numbers[] = {0,
                                 1,
                                 -1,
                                 0.5,
                                 -0.5,
                                 2147483647,
                                 2147483648.0,
                                 4294967295.0,
                                 4294967296.0,
                                 -2147483648.0,
                                 9.3e18,
                                 1.9e19,
                                 -9.3e18,
                                 1e-30,
                                 3.5e38};
enum { COUNT = sizeof numbers / sizeof numbers[0] };

static pmValueBlock* block(int type, const void* bytes, size_t size) {
  static union {
    pmValueBlock block;
    char room[200];
  } out;
  out.block.vtype = (unsigned)type & 0xff;
  out.block.vlen = (unsigned)(PM_VAL_HDR_SIZE + size) & 0xffffff;
  memcpy(out.block.vbuf, bytes, size);
  return &out.block;
}

static void into_all(int valfmt, const pmValue* value, int type) {
  int to;
  for (to = PM_TYPE_NOSUPPORT; to <= PM_TYPE_HIGHRES_EVENT; ++to) {
    pmAtomValue atom;
    int sts;
    memset(&atom, 0x55, sizeof atom);
    sts = pmExtractValue(valfmt, value, type, &atom, to);
    printf(" %d:%d", to, sts);
    if (sts >= 0 && (to <= PM_TYPE_STRING || to == PM_TYPE_AGGREGATE)) {
      printf("=%s", pmAtomStr(&atom, to));
      if (to >= PM_TYPE_STRING) free(atom.cp);
    }
  }
  printf("\n");
}

static void of_number(double number) {
  pmValue value = {.inst = -1};
  float narrow = (float)number;
  long long signed_one = number > 9.2e18    ? 0x7fffffffffffffffLL
                         : number < -9.2e18 ? -0x7fffffffffffffffLL - 1
                                            : (long long)number;
  unsigned long long large = number < 0 ? 0 : number > 1.8e19 ? ~0ULL : (unsigned long long)number;
  printf("%.17g\n", number);
  value.value.lval = (int)(signed_one & 0xffffffff);
  into_all(PM_VAL_INSITU, &value, PM_TYPE_32);
  into_all(PM_VAL_INSITU, &value, PM_TYPE_U32);
  into_all(PM_VAL_INSITU, &value, PM_TYPE_64);
  memcpy(&value.value.lval, &narrow, sizeof narrow);
  into_all(PM_VAL_INSITU, &value, PM_TYPE_FLOAT);
  value.value.pval = block(PM_TYPE_FLOAT, &narrow, sizeof narrow);
  into_all(PM_VAL_DPTR, &value, PM_TYPE_FLOAT);
  value.value.pval = block(PM_TYPE_64, &signed_one, sizeof signed_one);
  into_all(PM_VAL_DPTR, &value, PM_TYPE_64);
  value.value.pval = block(PM_TYPE_U64, &large, sizeof large);
  into_all(PM_VAL_SPTR, &value, PM_TYPE_U64);
  value.value.pval = block(PM_TYPE_DOUBLE, &number, sizeof number);
  into_all(PM_VAL_DPTR, &value, PM_TYPE_DOUBLE);
  into_all(PM_VAL_DPTR, &value, PM_TYPE_64);
}

int main(void) {
  pmValue value = {.inst = 3};
  int i;
  setvbuf(stdout, NULL, _IONBF, 0);
  for (i = 0; i < COUNT; ++i) of_number(numbers[i]);
  value.value.pval = block(PM_TYPE_STRING, "some text", 10);
  into_all(PM_VAL_DPTR, &value, PM_TYPE_STRING);
  value.value.pval = block(PM_TYPE_STRING, "no end", 6);
  into_all(PM_VAL_DPTR, &value, PM_TYPE_STRING);
  value.value.pval = block(PM_TYPE_AGGREGATE, "\1\2\3\4\5\6\7", 7);
  into_all(PM_VAL_DPTR, &value, PM_TYPE_AGGREGATE);
  into_all(PM_VAL_SPTR, &value, PM_TYPE_AGGREGATE);
  into_all(77, &value, PM_TYPE_32);
  return 0;
}
