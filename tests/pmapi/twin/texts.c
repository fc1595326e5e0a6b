/* Calls that need no context: texts, units, values, times. */
#include "twin.h"

static const int types[] = {PM_TYPE_NOSUPPORT, PM_TYPE_32,
                            PM_TYPE_U32,       PM_TYPE_64,
                            PM_TYPE_U64,       PM_TYPE_FLOAT,
                            PM_TYPE_DOUBLE,    PM_TYPE_STRING,
                            PM_TYPE_AGGREGATE, PM_TYPE_AGGREGATE_STATIC,
                            PM_TYPE_EVENT,     PM_TYPE_HIGHRES_EVENT,
                            PM_TYPE_UNKNOWN,   77};

static pmUnits pick_units(void) {
  pmUnits units = {};
  units.dimSpace = (int)pick(7) - 3;
  units.dimTime = (int)pick(7) - 3;
  units.dimCount = (int)pick(7) - 3;
  if (pick(4)) units.dimSpace = units.dimSpace > 0, units.dimTime = -(units.dimTime > 0);
  units.scaleSpace = pick(9);
  units.scaleTime = pick(6);
  units.scaleCount = (int)pick(9) - 4;
  return units;
}
static void say_units(pmUnits units) {
  say(" %d,%d,%d/%d,%d,%d", units.dimSpace, units.dimTime, units.dimCount, units.scaleSpace,
      units.scaleTime, units.scaleCount);
}

/* Of one of the number types. */
static pmAtomValue pick_atom(int type) {
  pmAtomValue atom;
  atom.ull = 0;
  switch (type) {
    case PM_TYPE_32: atom.l = (int32_t)pick_number(); break;
    case PM_TYPE_U32: atom.ul = (uint32_t)pick_number(); break;
    case PM_TYPE_FLOAT: atom.f = (float)pick_real(); break;
    case PM_TYPE_DOUBLE: atom.d = pick_real(); break;
    default: atom.ll = pick_number(); break;
  }
  return atom;
}
static int pick_number_type(void) { return (int)pick(6); }

static void call_err(void) {
  char buffer[PM_MAXERRMSGLEN];
  const int code = pick(2) ? -12345 - (int)pick(90) : -(int)pick(140);
  say_text(pmErrStr_r(code, buffer, sizeof buffer));
}
static void call_units(void) {
  char buffer[64];
  const pmUnits units = pick_units();
  say_text(pmUnitsStr_r(&units, buffer, sizeof buffer));
}
static void call_parse_units(void) {
  static const char* const parts[] = {"kbyte", "mbytes", "sec",    "msec", "count", "x 10^3",
                                      "/",     " / ",    "byte^2", "hour", "^",     "-1",
                                      " ",     "Kbyte",  "foo",    "1000", "min"};
  char text[128] = "", *message = NULL;
  pmUnits units = {};
  double multiplier = 0;
  int sts;
  for (unsigned i = pick(5) + 1; i-- > 0;) strcat(text, PICK_OF(parts)), strcat(text, " ");
  sts = pmParseUnitsStr(text, &units, &multiplier, &message);
  say(" %s: %d", text, sts);
  if (sts < 0) say_text(message);
  if (sts >= 0) say_units(units), say(" %.17g", multiplier);
  free(message);
}
static void call_conv(void) {
  const int type = pick_number_type();
  pmAtomValue in = pick_atom(type), out = {};
  pmUnits from = pick_units(), to;
  int sts;
  if (from.dimSpace > 1 || from.dimSpace < -1) from.dimSpace = 1; /* PCP 6.0.3 divides by 0 */
  if (from.dimTime > 1 || from.dimTime < -1) from.dimTime = -1;
  to = from;
  if (pick(8) == 0) to = pick_units();
  to.scaleSpace = pick(4), to.scaleTime = pick(6), from.scaleSpace = pick(4);
  from.scaleCount = to.scaleCount = 0;
  sts = pmConvScale(type, &in, &from, &out, &to);
  say(" %d %llx:", type, (unsigned long long)in.ull), say_units(from), say_units(to);
  say(" %d", sts);
  if (sts < 0) return;
  if (type == PM_TYPE_FLOAT) {
    say(" %.9g", out.f);
  } else if (type == PM_TYPE_DOUBLE) {
    say(" %.17g", out.d);
  } else {
    say(" %lld", type < PM_TYPE_64 ? (long long)out.l : (long long)out.ll);
  }
}
static void call_atom(void) {
  char buffer[80];
  const int type = pick_number_type();
  pmAtomValue atom = pick_atom(type);
  say_text(pmAtomStr_r(&atom, type, buffer, sizeof buffer));
}
static void call_type(void) {
  char buffer[32];
  say_text(pmTypeStr_r(PICK_OF(types), buffer, sizeof buffer));
}
static void call_sem(void) {
  char buffer[32];
  say_text(pmSemStr_r((int)pick(7) - 1, buffer, sizeof buffer));
}
static void call_number(void) {
  char buffer[32];
  const double number = pick_real();
  say(" %g", number), say_text(pmNumberStr_r(number, buffer, sizeof buffer));
}
static void call_flags(void) {
  char buffer[64];
  say_text(pmEventFlagsStr_r((int)(pick_bits() & 0x8000001f), buffer, sizeof buffer));
}
static void call_ids(void) {
  char buffer[40];
  const unsigned a = pick(600), b = pick(5000), c = pick(1100);
  const pmID pmid = pmID_build(a, b, c);
  const pmInDom indom = pmInDom_build(a, b * c);
  say(" %x %u %u %u", pmid, pmID_domain(pmid), pmID_cluster(pmid), pmID_item(pmid));
  say(" %x %u %u", indom, pmInDom_domain(indom), pmInDom_serial(indom));
  say_text(pmIDStr_r(pmid, buffer, sizeof buffer));
  say_text(pmInDomStr_r(indom, buffer, sizeof buffer));
}
static void call_extract_made(void) {
  const int type = pick_number_type(), to = pick_number_type();
  pmValue value = {.inst = PM_IN_NULL};
  struct {
    pmValueBlock head;
    char more[8];
  } block = {};
  pmAtomValue atom = pick_atom(type), out = {};
  int format = PM_VAL_INSITU, sts;
  if (type == PM_TYPE_32 || type == PM_TYPE_U32) {
    value.value.lval = atom.l;
  } else {
    const unsigned bytes = type == PM_TYPE_FLOAT ? 4 : 8;
    format = PM_VAL_DPTR;
    memcpy(block.head.vbuf, &atom, bytes);
    block.head.vtype = (unsigned)type & 0xff;
    block.head.vlen = (PM_VAL_HDR_SIZE + bytes) & 0xffffff;
    value.value.pval = &block.head;
  }
  sts = pmExtractValue(format, &value, type, &out, to);
  say(" %d>%d %llx: %d", type, to, (unsigned long long)atom.ull, sts);
  if (sts >= 0) {
    char buffer[80];
    say_text(pmAtomStr_r(&out, to, buffer, sizeof buffer));
  }
}
static void call_merge(void) {
  /* Not those that are damaged or have objects within: PCP 6.0.3 reads these as it likes. */
  static const char* const parts[] = {"{\"a\":1}",   "{\"b\":\"x\",\"a\":2}", "{}",
                                      "{\"c\":3.5}", "{\"c\":4,\"z\":null}",  "{\"t\":true}"};
  char *sets[3], buffer[512] = "";
  const int count = 1 + (int)pick(3);
  int sts;
  for (int i = 0; i < 3; ++i) sets[i] = (char*)PICK_OF(parts);
  sts = pmMergeLabels(sets, count, buffer, pick(8) ? (int)sizeof buffer : 8);
  for (int i = 0; i < count; ++i) say_text(sets[i]);
  say(": %d", sts);
  if (sts > 0) say_text(buffer);
}
static void call_spec(void) {
  static const char* const parts[] = {"host", ":",       "/", "disk.dev.read", "[", "]",   "a",
                                      ",",    "\"b c\"", " ", "arch",          "@", "x.y", "\\"};
  char text[128] = "", *message = NULL;
  pmMetricSpec* spec = NULL;
  const int is_archive = (int)pick(3);
  int sts;
  for (unsigned i = pick(7) + 1; i-- > 0;) strcat(text, PICK_OF(parts));
  sts = pmParseMetricSpec(text, is_archive, pick(2) ? "src" : NULL, &spec, &message);
  say(" %s %d: %d", text, is_archive, sts);
  if (sts < 0) {
    say_text(message);
    free(message);
    return;
  }
  say(" %d", spec->isarch), say_text(spec->source), say_text(spec->metric);
  for (int i = 0; i < spec->ninst; ++i) say_text(spec->inst[i]);
  pmFreeMetricSpec(spec);
}

const struct call text_calls[] = {{"pmErrStr", 2, call_err},
                                  {"pmUnitsStr", 4, call_units},
                                  {"pmParseUnitsStr", 6, call_parse_units},
                                  {"pmConvScale", 6, call_conv},
                                  {"pmAtomStr", 3, call_atom},
                                  {"pmTypeStr", 1, call_type},
                                  {"pmSemStr", 1, call_sem},
                                  {"pmNumberStr", 3, call_number},
                                  {"pmEventFlagsStr", 1, call_flags},
                                  {"pmID_build", 2, call_ids},
                                  {"pmExtractValue", 6, call_extract_made},
                                  {"pmMergeLabels", 3, call_merge},
                                  {"pmParseMetricSpec", 4, call_spec},
                                  {NULL, 0, NULL}};
