/* Layouts and constants that programs have compiled in. */
#include "parts.h"

#include <stddef.h>

#define AT(type, field, offset) (offsetof(type, field) == (offset))

static unsigned word_of(const void* what) {
  unsigned out;
  memcpy(&out, what, sizeof out);
  return out;
}

void promises_structures(void) {
  PROMISE("pmapi.struct.pmDesc", sizeof(pmDesc) == 20 && AT(pmDesc, pmid, 0) &&
                                     AT(pmDesc, type, 4) && AT(pmDesc, indom, 8) &&
                                     AT(pmDesc, sem, 12) && AT(pmDesc, units, 16));
  PROMISE("pmapi.struct.pmResult", AT(pmResult, timestamp, 0) && AT(pmResult, numpmid, 16) &&
                                       AT(pmResult, vset, 24) &&
                                       sizeof(((pmResult*)0)->vset[0]) == sizeof(pmValueSet*));
  /* A source that was written for 6.x, where times are a struct timeval, compiles as it is. */
  pmResult result = {.timestamp = (struct timeval){1, 2}};
  struct timeval* const when = &result.timestamp;
  PROMISE("pmapi.struct.pmResult.timeval", when->tv_sec == 1 && when->tv_usec == 2);
  PROMISE("pmapi.struct.pmValueSet", AT(pmValueSet, pmid, 0) && AT(pmValueSet, numval, 4) &&
                                         AT(pmValueSet, valfmt, 8) && AT(pmValueSet, vlist, 16));
  PROMISE("pmapi.struct.pmValue", sizeof(pmValue) == 16 && AT(pmValue, inst, 0) &&
                                      AT(pmValue, value.lval, 8) && AT(pmValue, value.pval, 8));
  pmValueBlock block = {.vlen = 0x123456, .vtype = PM_TYPE_STRING};
  PROMISE("pmapi.struct.pmValueBlock",
          word_of(&block) == (PM_TYPE_STRING << 24 | 0x123456) && AT(pmValueBlock, vbuf, 4));
  block.vlen = PM_VAL_VLEN_MAX;
  PROMISE("pmapi.fetch.vlen_max", PM_VAL_VLEN_MAX == 0x00ffffff && block.vlen == 0xffffff);
  block.vlen = (PM_VAL_VLEN_MAX + 1) & 0xffffff;
  PROMISE("pmapi.fetch.vlen_max", block.vlen == 0); /* no longer one fits */
  pmAtomValue atom = {.ull = 0};
  PROMISE("pmapi.struct.pmAtomValue", sizeof atom == 8 && sizeof atom.l == 4 &&
                                          sizeof atom.ul == 4 && sizeof atom.ll == 8 &&
                                          sizeof atom.f == 4 && sizeof atom.d == 8);
  atom.l = -1;
  PROMISE("pmapi.struct.pmAtomValue", atom.ul == 0xffffffff && atom.ull == 0xffffffff);
  atom.vbp = &block;
  PROMISE("pmapi.struct.pmAtomValue", atom.cp == (char*)&block);
  PROMISE("pmapi.struct.pmMetricSpec", AT(pmMetricSpec, isarch, 0) && AT(pmMetricSpec, source, 8) &&
                                           AT(pmMetricSpec, metric, 16) &&
                                           AT(pmMetricSpec, ninst, 24) &&
                                           AT(pmMetricSpec, inst, 32));
  PROMISE("pmapi.struct.pmLongOptions",
          AT(pmLongOptions, long_opt, 0) && AT(pmLongOptions, has_arg, 8) &&
              AT(pmLongOptions, short_opt, 12) && AT(pmLongOptions, argname, 16) &&
              AT(pmLongOptions, message, 24) && sizeof(pmLongOptions) == 32);
}

void promises_bits(void) {
  const pmUnits megabytes = {
      .dimSpace = 1, .dimTime = -1, .scaleSpace = PM_SPACE_MBYTE, .scaleTime = PM_TIME_SEC};
  const pmUnits hours = {.dimTime = 1, .dimCount = -1, .scaleTime = PM_TIME_HOUR, .scaleCount = 6};
  pmUnits ends = {.dimSpace = -8,
                  .dimTime = 7,
                  .dimCount = -8,
                  .scaleSpace = 15,
                  .scaleTime = 15,
                  .scaleCount = -8};
  PROMISE("pmapi.struct.pmUnits", sizeof(pmUnits) == 4 && word_of(&megabytes) == 0x1f023000);
  PROMISE("pmapi.struct.pmUnits", word_of(&ends) == 0x878ff800);
  PROMISE("pmapi.struct.pmUnits", ends.dimSpace == -8 && ends.scaleSpace == 15 &&
                                      ends.scaleTime == 15 && ends.scaleCount == -8);
  PROMISE("pmapi.struct.pmUnits.example_mb", strcmp(pmUnitsStr(&megabytes), "Mbyte / sec") == 0);
  PROMISE("pmapi.struct.pmUnits.example_hour",
          strcmp(pmUnitsStr(&hours), "hour / count x 10^6") == 0);
  const pmID pmid = pmID_build(253, 4095, 1023);
  PROMISE("pmapi.struct.pmID_int", pmid == (253u << 22 | 4095u << 10 | 1023));
  PROMISE("pmapi.struct.pmID_int",
          pmID_domain(pmid) == 253 && pmID_cluster(pmid) == 4095 && pmID_item(pmid) == 1023);
  PROMISE("pmapi.struct.pmID_int", pmID_domain(0x80000000u | pmid) == 253); /* the flag is apart */
  const pmInDom indom = pmInDom_build(253, (1u << 22) - 1);
  PROMISE("pmapi.struct.pmInDom_int", indom == (253u << 22 | ((1u << 22) - 1)));
  PROMISE("pmapi.struct.pmInDom_int",
          pmInDom_domain(indom) == 253 && pmInDom_serial(indom) == (1u << 22) - 1);
  PROMISE("pmapi.typedefs", sizeof(pmID) == 4 && sizeof(pmInDom) == 4 && (pmID)-1 > 0 &&
                                (pmInDom)-1 > 0 && pmid != PM_ID_NULL);
}

void promises_constants(void) {
  PROMISE("pmapi.macro.PM_TYPE", PM_TYPE_NOSUPPORT == -1 && PM_TYPE_32 == 0 && PM_TYPE_U32 == 1 &&
                                     PM_TYPE_64 == 2 && PM_TYPE_U64 == 3 && PM_TYPE_FLOAT == 4);
  PROMISE("pmapi.macro.PM_TYPE", PM_TYPE_DOUBLE == 5 && PM_TYPE_STRING == 6 &&
                                     PM_TYPE_AGGREGATE == 7 && PM_TYPE_AGGREGATE_STATIC == 8 &&
                                     PM_TYPE_EVENT == 9 && PM_TYPE_UNKNOWN == 255);
  PROMISE("pmapi.macro.PM_SEM", PM_SEM_COUNTER == 1 && PM_SEM_INSTANT == 3 && PM_SEM_DISCRETE == 4);
  PROMISE("pmapi.macro.PM_SPACE", PM_SPACE_BYTE == 0 && PM_SPACE_KBYTE == 1 &&
                                      PM_SPACE_MBYTE == 2 && PM_SPACE_GBYTE == 3 &&
                                      PM_SPACE_TBYTE == 4 && PM_SPACE_YBYTE == 8);
  const pmUnits kilo = {.dimSpace = 1, .scaleSpace = PM_SPACE_KBYTE}, one = {.dimSpace = 1};
  pmAtomValue in = {.ll = 2}, out = {.ll = 0};
  PROMISE("pmapi.macro.PM_SPACE",
          pmConvScale(PM_TYPE_64, &in, &kilo, &out, &one) == 0 && out.ll == 2048);
  PROMISE("pmapi.macro.PM_TIME", PM_TIME_NSEC == 0 && PM_TIME_USEC == 1 && PM_TIME_MSEC == 2 &&
                                     PM_TIME_SEC == 3 && PM_TIME_MIN == 4 && PM_TIME_HOUR == 5);
  const pmUnits ones = {.dimCount = 1, .scaleCount = PM_COUNT_ONE};
  const pmUnits thousands = {.dimCount = 1, .scaleCount = 3};
  pmUnits range = {.scaleCount = -8};
  PROMISE("pmapi.macro.PM_COUNT_ONE",
          PM_COUNT_ONE == 0 && pmConvScale(PM_TYPE_64, &in, &thousands, &out, &ones) == 0 &&
              out.ll == 2000);
  PROMISE("pmapi.macro.PM_COUNT_ONE", range.scaleCount == -8);
  range.scaleCount = 7;
  PROMISE("pmapi.macro.PM_COUNT_ONE", range.scaleCount == 7);
  PROMISE("pmapi.macro.PM_VAL",
          PM_VAL_INSITU == 0 && PM_VAL_DPTR == 1 && PM_VAL_SPTR == 2 && PM_VAL_HDR_SIZE == 4);
  PROMISE("pmapi.macro.PM_CONTEXT",
          PM_CONTEXT_HOST == 1 && PM_CONTEXT_ARCHIVE == 2 && PM_CONTEXT_LOCAL == 3);
  PROMISE("pmapi.macro.PM_MODE",
          PM_MODE_LIVE == 0 && PM_MODE_INTERP == 1 && PM_MODE_FORW == 2 && PM_MODE_BACK == 3);
  PROMISE("pmapi.macro.PMNS", PMNS_LOCAL == 1 && PMNS_REMOTE == 2 && PMNS_ARCHIVE == 3 &&
                                  PMNS_LEAF_STATUS == 0 && PMNS_NONLEAF_STATUS == 1 &&
                                  PM_NS_DEFAULT == NULL);
  PROMISE("pmapi.macro.NULLS", PM_ID_NULL == 0xffffffff && PM_INDOM_NULL == 0xffffffff &&
                                   PM_IN_NULL == 0xffffffff && ~PM_ID_NULL == 0);
  PROMISE("pmapi.macro.PM_TEXT", PM_TEXT_ONELINE == 1 && PM_TEXT_HELP == 2);
  PROMISE("pmapi.fetch.state.PMCD_AGENT_CHANGE",
          PMCD_AGENT_CHANGE == 7 &&
              PMCD_AGENT_CHANGE == (PMCD_ADD_AGENT | PMCD_RESTART_AGENT | PMCD_DROP_AGENT));
  PROMISE("pmapi.macro.PM_XTB_SET",
          PM_XTB_GET(PM_MODE_INTERP | PM_XTB_SET(PM_TIME_SEC)) == PM_TIME_SEC);
  PROMISE("pmapi.macro.PM_XTB_SET", PM_XTB_GET(PM_MODE_INTERP) == -1);
  /* 2 minutes between fetches, as the mode says. */
  pmID pmid;
  pmResult* result = NULL;
  const struct timeval start = {1700000000, 0};
  open_archive("types-v3");
  pmid = id_of("syn.inst.i32");
  pmSetMode(PM_MODE_INTERP | PM_XTB_SET(PM_TIME_MIN), &start, 2);
  if (pmFetch(1, &pmid, &result) >= 0) pmFreeResult(result);
  pmSetMode(PM_MODE_INTERP | PM_XTB_SET(PM_TIME_SEC), &start, 20);
  for (int i = 0; i < 2; ++i) {
    if (pmFetch(1, &pmid, &result) < 0) break;
    PROMISE("pmapi.macro.PM_XTB_SET", result->timestamp.tv_sec == 1700000000 + 20 * i);
    pmFreeResult(result);
  }
}

void promises_error_texts(void) {
  static const struct {
    const char* id;
    int code, number;
    const char* text;
  } all[] = {
#define ERROR(name, number, text) {"pmapi.err." #name, name, number, text}
#include "errors.def"
#undef ERROR
  };
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
    PROMISE(all[i].id, all[i].code == all[i].number);
    PROMISE(all[i].id, strcmp(pmErrStr(all[i].number), all[i].text) == 0);
  }
  PROMISE("pmapi.err.convention", sizeof all / sizeof all[0] >= 60);
  PROMISE("pmapi.err.convention", pmWhichContext() == PM_ERR_NOCONTEXT); /* < 0 is an error… */
  PROMISE("pmapi.err.convention", open_archive("types-v3") >= 0);        /* … and the rest none */
  PROMISE("pmapi.err.convention", pmLookupInDom(PM_INDOM_NULL, "x") == PM_ERR_INDOM);
}
