/* Values and texts: conversions, scales, formatters, what users type. */
#include "parts.h"

#include <unistd.h>

static int extract(int type, long long number, int to, pmAtomValue* out) {
  union {
    pmValueBlock block;
    char room[16];
  } of;
  pmValue value = {.inst = -1};
  memset(out, 0x55, sizeof *out);
  if (type == PM_TYPE_32 || type == PM_TYPE_U32) {
    value.value.lval = (int)number;
    return pmExtractValue(PM_VAL_INSITU, &value, type, out, to);
  }
  of.block.vtype = (unsigned)type & 0xff;
  of.block.vlen = PM_VAL_HDR_SIZE + 8;
  memcpy(of.block.vbuf, &number, 8);
  value.value.pval = &of.block;
  return pmExtractValue(PM_VAL_DPTR, &value, type, out, to);
}

static int extract_block(int type, const char* bytes, unsigned size, int to, pmAtomValue* out) {
  union {
    pmValueBlock block;
    char room[64];
  } of;
  pmValue value = {.inst = -1};
  of.block.vtype = (unsigned)type & 0xff;
  of.block.vlen = (PM_VAL_HDR_SIZE + size) & 0xffffff;
  memcpy(of.block.vbuf, bytes, size);
  value.value.pval = &of.block;
  return pmExtractValue(PM_VAL_DPTR, &value, type, out, to);
}

void promises_extraction(void) {
  pmAtomValue atom;
  const long long large = (1LL << 53) + 1;
  const double third = 1.0 / 3;
  long long bits;
  memcpy(&bits, &third, sizeof bits);
  PROMISE("pmapi.aux.pmExtractValue", extract(PM_TYPE_32, -5, PM_TYPE_64, &atom) == 0);
  PROMISE("pmapi.aux.pmExtractValue", atom.ll == -5);
  PROMISE("pmapi.aux.pmExtractValue", extract(PM_TYPE_U64, 7, PM_TYPE_FLOAT, &atom) == 0);
  PROMISE("pmapi.aux.pmExtractValue", atom.f == 7.0f);
  PROMISE("pmapi.aux.pmExtractValue.trunc",
          extract(PM_TYPE_64, 1LL << 31, PM_TYPE_32, &atom) == PM_ERR_TRUNC);
  PROMISE("pmapi.aux.pmExtractValue.error_zero", atom.ll == 0 && atom.cp == NULL);
  PROMISE("pmapi.aux.pmExtractValue.trunc",
          extract(PM_TYPE_U32, 0x80000000LL, PM_TYPE_32, &atom) == PM_ERR_TRUNC);
  PROMISE("pmapi.aux.pmExtractValue.sign",
          extract(PM_TYPE_32, -1, PM_TYPE_U32, &atom) == PM_ERR_SIGN);
  PROMISE("pmapi.aux.pmExtractValue.error_zero", atom.ll == 0);
  PROMISE("pmapi.aux.pmExtractValue.sign",
          extract(PM_TYPE_64, -1, PM_TYPE_U64, &atom) == PM_ERR_SIGN);
  PROMISE("pmapi.aux.pmExtractValue.conv",
          extract(PM_TYPE_32, 1, PM_TYPE_AGGREGATE, &atom) == PM_ERR_CONV);
  PROMISE("pmapi.aux.pmExtractValue.conv",
          extract_block(PM_TYPE_STRING, "17", 3, PM_TYPE_32, &atom) == PM_ERR_CONV);
  PROMISE("pmapi.aux.pmExtractValue.conv",
          extract_block(PM_TYPE_AGGREGATE, "1234", 4, PM_TYPE_32, &atom) == PM_ERR_CONV);
  PROMISE("pmapi.aux.pmExtractValue.conv",
          extract_block(PM_TYPE_EVENT, "1234", 4, PM_TYPE_32, &atom) == PM_ERR_CONV);
  PROMISE("pmapi.aux.pmExtractValue.error_zero", atom.ll == 0);
  PROMISE("pmapi.aux.pmExtractValue.precision",
          extract(PM_TYPE_64, large, PM_TYPE_DOUBLE, &atom) == 0 && (long long)atom.d == large - 1);
  PROMISE("pmapi.aux.pmExtractValue.precision",
          extract(PM_TYPE_DOUBLE, bits, PM_TYPE_FLOAT, &atom) == 0 && atom.f == (float)third);
  PROMISE("pmapi.aux.pmExtractValue.malloc",
          extract_block(PM_TYPE_STRING, "text", 5, PM_TYPE_STRING, &atom) == 0);
  PROMISE("pmapi.aux.pmExtractValue.malloc", strcmp(atom.cp, "text") == 0);
  free(atom.cp);
  PROMISE("pmapi.aux.pmExtractValue.malloc",
          extract_block(PM_TYPE_AGGREGATE, "1234567", 7, PM_TYPE_AGGREGATE, &atom) == 0);
  PROMISE("pmapi.aux.pmExtractValue.malloc",
          atom.vbp->vlen == PM_VAL_HDR_SIZE + 7 && memcmp(atom.vbp->vbuf, "1234567", 7) == 0);
  free(atom.vbp);
  /* What pmcd of PCP 1 sent: a float in the value itself. */
  const float real = 2.5f;
  int word;
  memcpy(&word, &real, sizeof word);
  const pmValue in_place = {.inst = -1, .value = {.lval = word}};
  PROMISE("pmapi.fetch.float_insitu",
          pmExtractValue(PM_VAL_INSITU, &in_place, PM_TYPE_FLOAT, &atom, PM_TYPE_DOUBLE) == 0 &&
              atom.d == 2.5);
  /* One way: what a fetch brings is never in place (promises_results). */
  PROMISE("pmapi.fetch.pcp1_client",
          pmExtractValue(PM_VAL_INSITU, &in_place, PM_TYPE_FLOAT, &atom, PM_TYPE_FLOAT) == 0 &&
              atom.f == real);
}

void promises_unsupported(void) {
  pmAtomValue atom = {.ll = 3}, out = {.ll = 4};
  pmUnits same = {.dimCount = 1};
  char* text = NULL;
  size_t bytes = 0;
  FILE* const file = open_memstream(&text, &bytes);
  const pmValue value = {.inst = -1, .value = {.lval = 17}};
  PROMISE("pmda.nosupport.convert", pmExtractValue(PM_VAL_INSITU, &value, PM_TYPE_NOSUPPORT, &atom,
                                                   PM_TYPE_32) == PM_ERR_CONV);
  PROMISE("pmda.nosupport.convert", pmExtractValue(PM_VAL_INSITU, &value, PM_TYPE_32, &atom,
                                                   PM_TYPE_NOSUPPORT) == PM_ERR_CONV);
  PROMISE("pmda.nosupport.convert",
          pmConvScale(PM_TYPE_NOSUPPORT, &atom, &same, &out, &same) == PM_ERR_CONV);
  PROMISE("pmda.nosupport.convert", strcmp(pmAtomStr(&atom, PM_TYPE_NOSUPPORT),
                                           "Error: unexpected type: Not Supported") == 0);
  pmPrintValue(file, PM_VAL_INSITU, PM_TYPE_NOSUPPORT, &value, 1);
  fclose(file);
  PROMISE("pmda.nosupport.convert", bytes > 0);
  free(text);
}

void promises_scales(void) {
  pmUnits bytes = {.dimSpace = 1}, mbytes = {.dimSpace = 1, .scaleSpace = PM_SPACE_MBYTE};
  pmUnits seconds = {.dimTime = 1, .scaleTime = PM_TIME_SEC};
  pmUnits speed = {.dimSpace = 1,
                   .dimTime = -2,
                   .scaleSpace = PM_SPACE_MBYTE,
                   .scaleTime = PM_TIME_MSEC},
          read;
  pmAtomValue in = {.ull = 3u << 20}, out = {.ull = 7};
  double factor = 0;
  char *why = NULL, text[60] = "", small[20];
  PROMISE("pmapi.aux.pmConvScale",
          pmConvScale(PM_TYPE_U64, &in, &bytes, &out, &mbytes) == 0 && out.ull == 3);
  in.d = 90;
  seconds.scaleTime = PM_TIME_SEC;
  pmUnits minutes = {.dimTime = 1, .scaleTime = PM_TIME_MIN};
  PROMISE("pmapi.aux.pmConvScale",
          pmConvScale(PM_TYPE_DOUBLE, &in, &seconds, &out, &minutes) == 0 && out.d == 1.5);
  PROMISE("pmapi.aux.pmConvScale.dim",
          pmConvScale(PM_TYPE_DOUBLE, &in, &seconds, &out, &bytes) == PM_ERR_CONV);
  PROMISE("pmapi.aux.pmUnitsStr", strcmp(pmUnitsStr(&speed), "Mbyte / millisec^2") == 0);
  PROMISE("pmapi.aux.pmUnitsStr_r", pmUnitsStr_r(&speed, text, sizeof text) == text);
  PROMISE("pmapi.aux.pmUnitsStr_r", strcmp(text, "Mbyte / millisec^2") == 0);
  PROMISE("pmapi.aux.pmUnitsStr_r", pmUnitsStr_r(&speed, small, sizeof small) == NULL);
  PROMISE("pmapi.aux.pmParseUnitsStr", pmParseUnitsStr("2 Kbyte / sec", &read, &factor, &why) == 0);
  PROMISE("pmapi.aux.pmParseUnitsStr", read.dimSpace == 1 && read.dimTime == -1 &&
                                           read.scaleSpace == PM_SPACE_KBYTE && factor == 0.5);
  PROMISE("pmapi.aux.pmParseUnitsStr",
          pmParseUnitsStr("mumble", &read, &factor, &why) == PM_ERR_CONV);
  PROMISE("pmapi.aux.pmParseUnitsStr", strstr(why, "unrecognized or duplicate base unit") != NULL);
  free(why);
}

/* A formatter's text; its other form in the caller's room; and that too little room is refused. */
#define FORMS(id, call, call_r, wanted)                                \
  do {                                                                 \
    char room_[100] = "";                                              \
    char* const buffer = room_;                                        \
    const int len = sizeof room_;                                      \
    PROMISE(id, strcmp(call, wanted) == 0);                            \
    PROMISE(id "_r", (call_r) == room_ && strcmp(room_, wanted) == 0); \
  } while (0)

void promises_formatters(void) {
  pmAtomValue atom = {.l = -17};
  FORMS("pmapi.aux.pmIDStr", pmIDStr(pmID_build(29, 3, 17)),
        pmIDStr_r(pmID_build(29, 3, 17), buffer, len), "29.3.17");
  PROMISE("pmapi.aux.pmIDStr", strcmp(pmIDStr(PM_ID_NULL), "PM_ID_NULL") == 0);
  PROMISE("pmapi.aux.pmIDStr", strcmp(pmIDStr(pmID_build(511, 29, 0)), "29.*.*") == 0);
  FORMS("pmapi.aux.pmInDomStr", pmInDomStr(pmInDom_build(29, 7)),
        pmInDomStr_r(pmInDom_build(29, 7), buffer, len), "29.7");
  PROMISE("pmapi.aux.pmInDomStr", strcmp(pmInDomStr(PM_INDOM_NULL), "PM_INDOM_NULL") == 0);
  FORMS("pmapi.aux.pmTypeStr", pmTypeStr(PM_TYPE_AGGREGATE),
        pmTypeStr_r(PM_TYPE_AGGREGATE, buffer, len), "AGGREGATE");
  PROMISE("pmapi.aux.pmTypeStr", strcmp(pmTypeStr(PM_TYPE_32), "32") == 0);
  PROMISE("pmapi.aux.pmTypeStr", strcmp(pmTypeStr(PM_TYPE_U64), "U64") == 0);
  PROMISE("pmapi.aux.pmTypeStr", strcmp(pmTypeStr(99), "???") == 0);
  FORMS("pmapi.aux.pmAtomStr", pmAtomStr(&atom, PM_TYPE_32),
        pmAtomStr_r(&atom, PM_TYPE_32, buffer, len), "-17");
  atom.cp = "two words";
  PROMISE("pmapi.aux.pmAtomStr", strcmp(pmAtomStr(&atom, PM_TYPE_STRING), "\"two words\"") == 0);
  FORMS("pmapi.aux.pmNumberStr", pmNumberStr(1234567.0), pmNumberStr_r(1234567.0, buffer, len),
        "  1.23M");
  PROMISE("pmapi.aux.pmNumberStr", strcmp(pmNumberStr(999.9), "999.90 ") == 0);
  PROMISE("pmapi.aux.pmNumberStr", strlen(pmNumberStr(-4.5e9)) == 7);
  FORMS("pmapi.aux.pmErrStr", pmErrStr(PM_ERR_NAME), pmErrStr_r(PM_ERR_NAME, buffer, len),
        "Unknown metric name");
  PROMISE("pmapi.aux.pmErrStr", strcmp(pmErrStr(-ENOENT), "No such file or directory") == 0);
  /* The shared room is one: an _r form leaves it alone. */
  char own[30];
  const char* const shared = pmIDStr(pmID_build(1, 2, 3));
  pmIDStr_r(pmID_build(4, 5, 6), own, sizeof own);
  PROMISE("pmapi.style.static_buffers", strcmp(shared, "1.2.3") == 0 && strcmp(own, "4.5.6") == 0);
  pmIDStr(pmID_build(7, 8, 9));
  PROMISE("pmapi.style.static_buffers", strcmp(shared, "7.8.9") == 0);
}

static char* printed(int valfmt, int type, const pmValue* value, int width) {
  char* text = NULL;
  size_t bytes = 0;
  FILE* const file = open_memstream(&text, &bytes);
  pmPrintValue(file, valfmt, type, value, width);
  fclose(file);
  return text;
}

void promises_printing(void) {
  pmValue value = {.inst = -1, .value = {.lval = -42}};
  char *text = printed(PM_VAL_INSITU, PM_TYPE_32, &value, 8), *stamp = NULL;
  PROMISE("pmapi.aux.pmPrintValue", strcmp(text, "     -42") == 0);
  free(text);
  text = printed(PM_VAL_INSITU, PM_TYPE_U32, &value, 1);
  PROMISE("pmapi.aux.pmPrintValue", strcmp(text, "4294967254") == 0);
  free(text);
  size_t bytes = 0;
  FILE* const file = open_memstream(&stamp, &bytes);
  const struct timeval when = {1700000000, 123456};
  pmNewZone("JST-9");
  pmPrintStamp(file, &when);
  fclose(file);
  PROMISE("pmapi.time.print_stamp", strncmp(stamp, "07:13:20.123", 12) == 0);
  free(stamp);
}

void promises_what_users_type(void) {
  struct timeval time = {0, 0}, from = {1000, 500000}, to = {9000, 0}, a, b, origin;
  char *why = NULL, source[] = "there";
  pmMetricSpec* spec = NULL;
  PROMISE("pmapi.aux.pmParseInterval", pmParseInterval("1 min 30.5 sec", &time, &why) == 0);
  PROMISE("pmapi.aux.pmParseInterval", time.tv_sec == 90 && time.tv_usec == 500000);
  PROMISE("pmapi.aux.pmParseInterval.error", pmParseInterval("4 mumbles", &time, &why) == -1);
  PROMISE("pmapi.aux.pmParseInterval.error",
          strcmp(why, "4 mumbles\n  ^ -- unexpected value\n") == 0);
  free(why);
  PROMISE("pmapi.aux.pmParseMetricSpec",
          pmParseMetricSpec("far:a.b[x,\"y z\"]", 0, source, &spec, &why) == 0);
  PROMISE("pmapi.aux.pmParseMetricSpec", spec->isarch == 0 && strcmp(spec->source, "far") == 0 &&
                                             strcmp(spec->metric, "a.b") == 0);
  PROMISE("pmapi.aux.pmParseMetricSpec",
          spec->ninst == 2 && strcmp(spec->inst[0], "x") == 0 && strcmp(spec->inst[1], "y z") == 0);
  PROMISE("pmapi.aux.pmFreeMetricSpec", lies_in(spec, spec->inst[1])); /* one block */
  pmFreeMetricSpec(spec);
  pmParseMetricSpec("./dir/arch/a.b", 0, source, &spec, &why);
  PROMISE("pmapi.aux.pmParseMetricSpec",
          spec->isarch == 1 && strcmp(spec->source, "./dir/arch") == 0);
  pmFreeMetricSpec(spec);
  PROMISE("pmapi.aux.pmParseMetricSpec.default",
          pmParseMetricSpec("a.b", 1, source, &spec, &why) == 0 && spec->isarch == 1);
  PROMISE("pmapi.aux.pmParseMetricSpec.default", spec->source == source && spec->ninst == 0);
  pmFreeMetricSpec(spec);
  PROMISE("pmapi.aux.pmParseMetricSpec.error",
          pmParseMetricSpec("a.b[x", 0, source, &spec, &why) == PM_ERR_GENERIC);
  PROMISE("pmapi.aux.pmParseMetricSpec.error", strstr(why, "closing ] expected") != NULL);
  free(why);
  PROMISE("pmapi.time.pmParseTimeWindow", pmParseTimeWindow("+10sec", "-1min", NULL, "20sec", &from,
                                                            &to, &a, &b, &origin, &why) == 1);
  PROMISE("pmapi.time.pmParseTimeWindow",
          a.tv_sec == 1010 && a.tv_usec == 500000 && b.tv_sec == 8940 && origin.tv_sec == 1030);
  PROMISE("pmapi.time.pmParseTimeWindow",
          pmParseTimeWindow("mumble", NULL, NULL, NULL, &from, &to, &a, &b, &origin, &why) == -1);
  free(why);
}

extern void __pmtimevalSleep(struct timeval);

void promises_sorting_and_sleeping(void) {
  pmValueSet* const set = calloc(1, sizeof *set + 2 * sizeof(pmValue));
  pmResult result = {.numpmid = 1, .vset = {set}};
  pmValue* const list = set->vlist;
  struct timeval before, after;
  set->numval = 3;
  for (int i = 0; i < 3; ++i) list[i].inst = 30 - 10 * i, list[i].value.lval = i;
  pmSortInstances(&result);
  PROMISE("pmapi.aux.pmSortInstances",
          list[0].inst == 10 && list[1].inst == 20 && list[2].inst == 30);
  PROMISE("pmapi.aux.pmSortInstances", list[0].value.lval == 2 && list[2].value.lval == 0);
  free(set);
  pmtimevalNow(&before);
  __pmtimevalSleep((struct timeval){0, 20000});
  pmtimevalNow(&after);
  PROMISE("pmapi.time.sleep", pmtimevalSub(&after, &before) >= 0.02);
}
