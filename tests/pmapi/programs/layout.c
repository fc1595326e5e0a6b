/* Sizes, offsets and constants that programs have compiled in. */
#include <stddef.h>

#include "program.h"

#define NUMBER(name) printf("%s %ld\n", #name, (long)(name))
#define SIZE(type) printf("sizeof %s %zu\n", #type, sizeof(type))
#define OFFSET(type, field) printf("%s.%s %zu\n", #type, #field, offsetof(type, field))

static void structures(void) {
  SIZE(pmID), SIZE(pmInDom), SIZE(pmUnits), SIZE(pmDesc), SIZE(pmValueBlock), SIZE(pmValue);
  SIZE(pmValueSet), SIZE(pmResult), SIZE(pmHighResResult), SIZE(pmAtomValue), SIZE(pmLogLabel);
  SIZE(pmHighResLogLabel), SIZE(pmMetricSpec), SIZE(pmLabel), SIZE(pmLabelSet), SIZE(pmOptions);
  SIZE(pmLongOptions), SIZE(pmEventParameter), SIZE(pmEventRecord), SIZE(pmEventArray);
  SIZE(pmHighResEventRecord), SIZE(pmHighResEventArray), SIZE(pmTimeval), SIZE(pmTimespec);
  SIZE(pmProfile), SIZE(pmInDomProfile), SIZE(pmInResult), SIZE(pmDebugOptions);
  OFFSET(pmDesc, indom), OFFSET(pmDesc, units), OFFSET(pmValueBlock, vbuf), OFFSET(pmValue, value);
  OFFSET(pmValueSet, vlist), OFFSET(pmResult, vset), OFFSET(pmHighResResult, vset);
  OFFSET(pmLogLabel, ll_hostname), OFFSET(pmLogLabel, ll_tz), OFFSET(pmHighResLogLabel, zoneinfo);
  OFFSET(pmLabelSet, json), OFFSET(pmLabelSet, labels), OFFSET(pmOptions, hosts);
  OFFSET(pmOptions, start), OFFSET(pmOptions, interval), OFFSET(pmOptions, samples);
  OFFSET(pmOptions, timezone), OFFSET(pmEventRecord, er_param), OFFSET(pmEventArray, ea_record);
}

static void kinds(void) {
  NUMBER(PM_TYPE_NOSUPPORT), NUMBER(PM_TYPE_32), NUMBER(PM_TYPE_U32), NUMBER(PM_TYPE_64);
  NUMBER(PM_TYPE_U64), NUMBER(PM_TYPE_FLOAT), NUMBER(PM_TYPE_DOUBLE), NUMBER(PM_TYPE_STRING);
  NUMBER(PM_TYPE_AGGREGATE), NUMBER(PM_TYPE_AGGREGATE_STATIC), NUMBER(PM_TYPE_EVENT);
  NUMBER(PM_TYPE_HIGHRES_EVENT), NUMBER(PM_TYPE_UNKNOWN), NUMBER(PM_SEM_COUNTER);
  NUMBER(PM_SEM_INSTANT), NUMBER(PM_SEM_DISCRETE), NUMBER(PM_SPACE_BYTE), NUMBER(PM_SPACE_YBYTE);
  NUMBER(PM_TIME_NSEC), NUMBER(PM_TIME_HOUR), NUMBER(PM_COUNT_ONE), NUMBER(PM_VAL_INSITU);
  NUMBER(PM_VAL_DPTR), NUMBER(PM_VAL_SPTR), NUMBER(PM_VAL_HDR_SIZE), NUMBER(PM_VAL_VLEN_MAX);
  NUMBER(PM_TEXT_ONELINE), NUMBER(PM_TEXT_HELP), NUMBER(PM_TEXT_PMID), NUMBER(PM_TEXT_INDOM);
  NUMBER(PM_TEXT_DIRECT), NUMBER(PM_LABEL_CONTEXT), NUMBER(PM_LABEL_DOMAIN), NUMBER(PM_LABEL_INDOM);
  NUMBER(PM_LABEL_CLUSTER), NUMBER(PM_LABEL_ITEM), NUMBER(PM_LABEL_INSTANCES);
  NUMBER(PM_LABEL_COMPOUND), NUMBER(PM_LABEL_OPTIONAL), NUMBER(PM_MAXLABELS);
  NUMBER(PM_MAXLABELJSONLEN), NUMBER(PM_MAXERRMSGLEN), NUMBER(PM_MAX_TIME_T);
}

static void others(void) {
  NUMBER(PM_ID_NULL), NUMBER(PM_INDOM_NULL), NUMBER(PM_IN_NULL), NUMBER(PM_CONTEXT_UNDEF);
  NUMBER(PM_CONTEXT_HOST), NUMBER(PM_CONTEXT_ARCHIVE), NUMBER(PM_CONTEXT_LOCAL);
  NUMBER(PM_CONTEXT_TYPEMASK), NUMBER(PM_CTXFLAG_SHALLOW), NUMBER(PM_CTXFLAG_SECURE);
  NUMBER(PM_CTXFLAG_COMPRESS), NUMBER(PM_CTXFLAG_RELAXED), NUMBER(PM_CTXFLAG_AUTH);
  NUMBER(PM_CTXFLAG_CONTAINER), NUMBER(PM_CTXFLAG_EXCLUSIVE), NUMBER(PM_MODE_LIVE);
  NUMBER(PM_MODE_INTERP), NUMBER(PM_MODE_FORW), NUMBER(PM_MODE_BACK), NUMBER(PM_XTB_FLAG);
  NUMBER(PM_XTB_SET(PM_TIME_SEC)), NUMBER(PM_XTB_GET(PM_MODE_INTERP | PM_XTB_SET(PM_TIME_SEC)));
  NUMBER(PM_XTB_GET(PM_MODE_INTERP)), NUMBER(PMNS_LOCAL), NUMBER(PMNS_REMOTE), NUMBER(PMNS_ARCHIVE);
  NUMBER(PMNS_LEAF_STATUS), NUMBER(PMNS_NONLEAF_STATUS), NUMBER(PMCD_NO_CHANGE);
  NUMBER(PMCD_ADD_AGENT), NUMBER(PMCD_RESTART_AGENT), NUMBER(PMCD_DROP_AGENT);
  NUMBER(PMCD_AGENT_CHANGE), NUMBER(PMCD_LABEL_CHANGE), NUMBER(PMCD_NAMES_CHANGE);
  NUMBER(PM_EVENT_FLAG_POINT), NUMBER(PM_EVENT_FLAG_START), NUMBER(PM_EVENT_FLAG_END);
  NUMBER(PM_EVENT_FLAG_ID), NUMBER(PM_EVENT_FLAG_PARENT), NUMBER(PM_EVENT_FLAG_MISSED);
  NUMBER(PM_LOG_MAGIC), NUMBER(PM_LOG_VERS02), NUMBER(PM_LOG_VERS03), NUMBER(PM_LOG_VOL_TI);
  NUMBER(PM_LOG_VOL_META), NUMBER(PM_LOG_MAXHOSTLEN), NUMBER(PM_TZ_MAXLEN), NUMBER(DYNAMIC_PMID);
  NUMBER(PM_OPTFLAG_MULTI), NUMBER(PM_OPTFLAG_USAGE_ERR), NUMBER(PM_OPTFLAG_RUNTIME_ERR);
  NUMBER(PM_OPTFLAG_EXIT), NUMBER(PM_OPTFLAG_POSIX), NUMBER(PM_OPTFLAG_MIXED);
  NUMBER(PM_OPTFLAG_ENV_ONLY), NUMBER(PM_OPTFLAG_LONG_ONLY), NUMBER(PM_OPTFLAG_BOUNDARIES);
  NUMBER(PM_OPTFLAG_STDOUT_TZ), NUMBER(PM_OPTFLAG_NOFLUSH), NUMBER(PM_OPTFLAG_QUIET);
  NUMBER(PM_ERR_NYI), NUMBER(PM_ERR_BASE), NUMBER(PMAPI_VERSION), NUMBER(PM_VERSION(6, 0, 3));
  NUMBER(PM_FATAL_ERR), NUMBER(PM_RECOV_ERR), NUMBER(IS_DERIVED(pmID_build(511, 0, 1)));
  NUMBER(IS_DERIVED(pmID_build(511, 2, 0))), NUMBER(IS_DYNAMIC_ROOT(pmID_build(511, 2, 0)));
}

static void bits(void) {
  pmUnits units = {
      .dimSpace = 1, .dimTime = -1, .scaleSpace = PM_SPACE_MBYTE, .scaleTime = PM_TIME_SEC};
  pmUnits of_counts = {.dimTime = 1, .dimCount = -1, .scaleTime = PM_TIME_HOUR, .scaleCount = 6};
  pmUnits squared = {
      .dimSpace = 1, .dimTime = -2, .scaleSpace = PM_SPACE_MBYTE, .scaleTime = PM_TIME_MSEC};
  pmValueBlock block = {.vtype = PM_TYPE_STRING, .vlen = 0x123456};
  unsigned word;
  memcpy(&word, &units, sizeof word);
  printf("%08x %s\n", word, pmUnitsStr(&units));
  memcpy(&word, &of_counts, sizeof word);
  printf("%08x %s\n", word, pmUnitsStr(&of_counts));
  printf("%s\n", pmUnitsStr(&squared));
  memcpy(&word, &block, sizeof word);
  printf("%08x\n", word);
  printf("%s %s\n", PMAPI_OPTIONS, PM_SERVER_SERVICE_SPEC);
}

int main(void) {
  structures();
  kinds();
  others();
  bits();
  return 0;
}
