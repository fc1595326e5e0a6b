/* Values of every type and form as pmPrintValue() writes them, in several widths. */
#include "program.h"

static const int widths[] = {0, 1, 5, 12, 30, -8};

static pmValueBlock* block(int type, const void* bytes, size_t size) {
  pmValueBlock* out = calloc(1, PM_VAL_HDR_SIZE + size + 8);
  out->vtype = (unsigned)type & 0xff;
  out->vlen = (unsigned)(PM_VAL_HDR_SIZE + size) & 0xffffff;
  memcpy(out->vbuf, bytes, size);
  return out;
}

static void print(const char* what, int valfmt, int type, const pmValue* value) {
  size_t i;
  printf("%s", what);
  for (i = 0; i < sizeof widths / sizeof widths[0]; ++i) {
    printf(" <");
    pmPrintValue(stdout, valfmt, type, value, widths[i]);
    printf(">");
  }
  printf("\n");
}

static void of_block(const char* what, int type, int as, const void* bytes, size_t size) {
  pmValue value = {.inst = 1};
  value.value.pval = block(type, bytes, size);
  print(what, PM_VAL_DPTR, as, &value);
  free(value.value.pval);
}

static void in_situ(void) {
  static const int numbers[] = {0, 1, -1, 123456789, -2147483647 - 1, 0x7f800000};
  pmValue value = {.inst = -1};
  size_t i;
  int type;
  for (i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
    value.value.lval = numbers[i];
    for (type = -1; type <= 8; ++type) print(pmTypeStr(type), PM_VAL_INSITU, type, &value);
    print("UNKNOWN", PM_VAL_INSITU, PM_TYPE_UNKNOWN, &value);
  }
  print("bad", 42, PM_TYPE_32, &value);
}

int main(void) {
  static const double reals[] = {0, 1, -1.5, 1.0 / 3, 1e100, 12345678.9, 1e-20};
  static const long long integers[] = {0, -1, 1234567890123LL};
  size_t i;
  setvbuf(stdout, NULL, _IONBF, 0);
  in_situ();
  for (i = 0; i < sizeof reals / sizeof reals[0]; ++i) {
    float narrow = (float)(reals[i] > 1e38 ? 1e38 : reals[i]);
    of_block("DOUBLE", PM_TYPE_DOUBLE, PM_TYPE_DOUBLE, &reals[i], 8);
    of_block("FLOAT", PM_TYPE_FLOAT, PM_TYPE_FLOAT, &narrow, 4);
    of_block("DOUBLE as bytes", PM_TYPE_AGGREGATE, PM_TYPE_AGGREGATE, &reals[i], 8);
    of_block("DOUBLE unknown", PM_TYPE_DOUBLE, PM_TYPE_UNKNOWN, &reals[i], 8);
    of_block("DOUBLE as FLOAT", PM_TYPE_DOUBLE, PM_TYPE_FLOAT, &reals[i], 8);
  }
  for (i = 0; i < sizeof integers / sizeof integers[0]; ++i) {
    of_block("64", PM_TYPE_64, PM_TYPE_64, &integers[i], 8);
    of_block("U64", PM_TYPE_U64, PM_TYPE_U64, &integers[i], 8);
    of_block("64 as 32", PM_TYPE_64, PM_TYPE_32, &integers[i], 8);
  }
  of_block("STRING", PM_TYPE_STRING, PM_TYPE_STRING, "", 1);
  of_block("STRING", PM_TYPE_STRING, PM_TYPE_STRING, "hello", 6);
  of_block("STRING", PM_TYPE_STRING, PM_TYPE_STRING, "two\nlines \"quoted\"", 19);
  of_block("STRING as 32", PM_TYPE_STRING, PM_TYPE_32, "hello", 6);
  for (i = 0; i < 14; ++i)
    of_block("AGGREGATE", PM_TYPE_AGGREGATE, PM_TYPE_AGGREGATE, "abcdefghijklmnop", i);
  of_block("AGGREGATE", PM_TYPE_AGGREGATE, PM_TYPE_AGGREGATE, "\1\2\377\0\5\6", 6);
  of_block("AGGREGATE", PM_TYPE_AGGREGATE_STATIC, PM_TYPE_AGGREGATE_STATIC, "\1\2\3\4\5\6\7\10", 8);
  of_block("none", PM_TYPE_STRING, PM_TYPE_NOSUPPORT, "abc", 4);
  return 0;
}
