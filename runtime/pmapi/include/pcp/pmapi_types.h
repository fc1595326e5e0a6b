/* What the PMAPI talks about: metrics, instance domains, descriptors, values, results, labels,
 * event records, archive labels. Layouts are those that programs of PCP 6.0 were compiled with.
 * Included by pcp/pmapi.h, behind the C headers that it needs. Source: spec pmapi.md §3. */
#ifndef PCP_PMAPI_H /* alone it brings everything */
#include "pmapi.h"
#endif
#ifndef PCP_PMAPI_TYPES_H
#define PCP_PMAPI_TYPES_H

#ifdef __cplusplus
extern "C" {
#endif

/* Times as archives and event records hold them: of one size on every machine. */
typedef struct pmTimeval {
  __int32_t tv_sec;
  __int32_t tv_usec;
} pmTimeval;
typedef struct pmTimespec {
  __int64_t tv_sec;
  __int64_t tv_nsec;
} pmTimespec;

/* Behind every time: a window without an end. */
#define PM_MAX_TIME_T LONGLONG_MAX

/* --- Identifiers: bits from the top: flag 1, domain 9, then cluster 12 and item 10, or serial 22.
 * An instance is a number of its domain; a metric of one value has the instance PM_IN_NULL. */
typedef unsigned int pmID;
typedef unsigned int pmInDom;
#define PM_ID_NULL 0xffffffff
#define PM_INDOM_NULL 0xffffffff
#define PM_IN_NULL 0xffffffff

/* Metrics of this domain are made by the client: derived ones, and roots whose names an agent has
 * at run time. */
#define DYNAMIC_PMID 511
#define IS_DYNAMIC_ROOT(x) (pmID_domain(x) == DYNAMIC_PMID && pmID_item(x) == 0)
#define IS_DERIVED(x) \
  (pmID_domain(x) == DYNAMIC_PMID && (pmID_cluster(x) & 2048) == 0 && pmID_item(x) != 0)

/* --- Units: space, time and count, each with an exponent and a scale. One word of 32 bits, the
 * first field in its highest bits. */
#ifdef HAVE_BITFIELDS_LTOR
typedef struct pmUnits {
  signed int dimSpace : 4;
  signed int dimTime : 4;
  signed int dimCount : 4;
  unsigned int scaleSpace : 4; /* PM_SPACE_* */
  unsigned int scaleTime : 4;  /* PM_TIME_* */
  signed int scaleCount : 4;   /* a power of ten */
  unsigned int pad : 8;
} pmUnits;
#else
typedef struct pmUnits {
  unsigned int pad : 8;
  signed int scaleCount : 4;   /* a power of ten */
  unsigned int scaleTime : 4;  /* PM_TIME_* */
  unsigned int scaleSpace : 4; /* PM_SPACE_* */
  signed int dimCount : 4;
  signed int dimTime : 4;
  signed int dimSpace : 4;
} pmUnits;
#endif
/* Powers of 1024 bytes. */
#define PM_SPACE_BYTE 0
#define PM_SPACE_KBYTE 1
#define PM_SPACE_MBYTE 2
#define PM_SPACE_GBYTE 3
#define PM_SPACE_TBYTE 4
#define PM_SPACE_PBYTE 5
#define PM_SPACE_EBYTE 6
#define PM_SPACE_ZBYTE 7
#define PM_SPACE_YBYTE 8
#define PM_TIME_NSEC 0
#define PM_TIME_USEC 1
#define PM_TIME_MSEC 2
#define PM_TIME_SEC 3
#define PM_TIME_MIN 4
#define PM_TIME_HOUR 5
#define PM_COUNT_ONE 0

/* --- Descriptors: what is known of a metric before any value. */
typedef struct pmDesc {
  pmID pmid;
  int type;      /* PM_TYPE_* */
  pmInDom indom; /* PM_INDOM_NULL: it has one value */
  int sem;       /* PM_SEM_* */
  pmUnits units;
} pmDesc;

#define PM_TYPE_NOSUPPORT -1
#define PM_TYPE_32 0
#define PM_TYPE_U32 1
#define PM_TYPE_64 2
#define PM_TYPE_U64 3
#define PM_TYPE_FLOAT 4
#define PM_TYPE_DOUBLE 5
#define PM_TYPE_STRING 6
#define PM_TYPE_AGGREGATE 7
#define PM_TYPE_AGGREGATE_STATIC 8
#define PM_TYPE_EVENT 9
#define PM_TYPE_HIGHRES_EVENT 10
#define PM_TYPE_UNKNOWN 255 /* of a value block only */

#define PM_SEM_COUNTER 1  /* only ever grows, but for wraps and restarts */
#define PM_SEM_INSTANT 3  /* a level */
#define PM_SEM_DISCRETE 4 /* a setting: it stays until it changes */

/* --- Values. Numbers of 32 bits stand in the value itself (PM_VAL_INSITU), everything else in a
 * block: its header word, whose vlen counts that word and the bytes of the value, then these. */
typedef struct pmValueBlock {
#ifdef HAVE_BITFIELDS_LTOR
  unsigned int vtype : 8; /* PM_TYPE_* */
  unsigned int vlen : 24;
#else
  unsigned int vlen : 24;
  unsigned int vtype : 8; /* PM_TYPE_* */
#endif
  char vbuf[1];
} pmValueBlock;
#define PM_VAL_HDR_SIZE 4
#define PM_VAL_VLEN_MAX 0x00ffffff

typedef struct pmValue {
  int inst;
  union {
    pmValueBlock* pval; /* PM_VAL_DPTR, PM_VAL_SPTR */
    int lval;           /* PM_VAL_INSITU */
  } value;
} pmValue;

/* The values of one metric. numval 0: none now; below 0: why not, PM_ERR_*. */
typedef struct pmValueSet {
  pmID pmid;
  int numval;
  int valfmt;
  pmValue vlist[1]; /* numval of them */
} pmValueSet;
#define PM_VAL_INSITU 0
#define PM_VAL_DPTR 1 /* pmFreeResult() frees the blocks of a result that a program has made */
#define PM_VAL_SPTR 2 /* it does not */

/* What a fetch brings: a value set per metric asked for, in that order. */
typedef struct pmResult {
  struct timeval timestamp;
  int numpmid;
  pmValueSet* vset[1]; /* numpmid of them */
} pmResult;
typedef struct pmHighResResult {
  struct timespec timestamp;
  int numpmid;
  pmValueSet* vset[1];
} pmHighResResult;

/* A value on its own; its type travels beside it. */
typedef union {
  __int32_t l;
  __uint32_t ul;
  __int64_t ll;
  __uint64_t ull;
  float f;
  double d;
  char* cp;
  pmValueBlock* vbp;
} pmAtomValue;

/* --- Instance profiles, and instances as agents give them. */
typedef struct pmInDomProfile {
  pmInDom indom;
  int state; /* PM_PROFILE_* */
  int instances_len;
  int* instances; /* the exceptions from the state */
} pmInDomProfile;
#define PM_PROFILE_INCLUDE 0
#define PM_PROFILE_EXCLUDE 1

typedef struct pmProfile {
  int state; /* of domains without an entry */
  int profile_len;
  pmInDomProfile* profile;
} pmProfile;

typedef struct pmInResult {
  pmInDom indom;
  int numinst;
  int* instlist;
  char** namelist;
} pmInResult;

/* --- Labels: a JSON object per level, and where each label stands in its text. */
typedef struct pmLabel {
  unsigned int name : 16; /* offset */
  unsigned int namelen : 8;
  unsigned int flags : 8;
  unsigned int value : 16; /* offset */
  unsigned int valuelen : 16;
} pmLabel;
#define PM_LABEL_COMPOUND (1 << 6) /* the name has several parts */
#define PM_LABEL_OPTIONAL (1 << 7) /* it does not identify */

typedef struct pmLabelSet {
  unsigned int inst; /* PM_IN_NULL, but of PM_LABEL_INSTANCES */
  int nlabels;       /* below 0: why there are none */
  char* json;
  unsigned int jsonlen : 16;
  unsigned int padding : 15;
  unsigned int compound : 1;
  pmLabel* labels;
  void* hash; /* the library's own */
} pmLabelSet;
#define PM_MAXLABELS ((1 << 8) - 1)
#define PM_MAXLABELJSONLEN ((1 << 16) - 1)
/* Levels; a later one counts more. */
#define PM_LABEL_CONTEXT (1 << 0)
#define PM_LABEL_DOMAIN (1 << 1)
#define PM_LABEL_INDOM (1 << 2)
#define PM_LABEL_CLUSTER (1 << 3)
#define PM_LABEL_ITEM (1 << 4)
#define PM_LABEL_INSTANCES (1 << 5)

/* --- Archives: their label. */
#define PM_LOG_MAGIC 0x50052600
#define PM_LOG_VERS02 0x2
#define PM_LOG_VERS03 0x3
#define PM_LOG_VOL_TI -2
#define PM_LOG_VOL_META -1
#define PM_LOG_MAXHOSTLEN 64
#define PM_TZ_MAXLEN 40
#define PM_MAX_HOSTNAMELEN 256
#define PM_MAX_TIMEZONELEN 256
#define PM_MAX_ZONEINFOLEN 256
#define PM_LOG_FEATURE_NONE 0
#define PM_LOG_FEATURE_QA (1U << 31)
#define PM_LOG_FEATURES (PM_LOG_FEATURE_NONE | PM_LOG_FEATURE_QA)

typedef struct pmLogLabel {
  int ll_magic; /* PM_LOG_MAGIC | version */
  pid_t ll_pid;
  struct timeval ll_start;
  char ll_hostname[PM_LOG_MAXHOSTLEN];
  char ll_tz[PM_TZ_MAXLEN];
} pmLogLabel;
typedef struct pmHighResLogLabel {
  int magic; /* PM_LOG_MAGIC | version */
  pid_t pid;
  struct timespec start;
  char hostname[PM_MAX_HOSTNAMELEN];
  char timezone[PM_MAX_TIMEZONELEN];
  char zoneinfo[PM_MAX_ZONEINFOLEN]; /* empty in archives of version 2 */
} pmHighResLogLabel;

/* --- Event records: the blocks of PM_TYPE_EVENT and PM_TYPE_HIGHRES_EVENT. The value of a
 * parameter follows its structure, padded to 4 bytes. */
typedef struct pmEventParameter {
  pmID ep_pmid;
#ifdef HAVE_BITFIELDS_LTOR
  unsigned int ep_type : 8;
  unsigned int ep_len : 24;
#else
  unsigned int ep_len : 24;
  unsigned int ep_type : 8;
#endif
} pmEventParameter;

typedef struct pmEventRecord {
  pmTimeval er_timestamp;
  unsigned int er_flags; /* PM_EVENT_FLAG_* */
  int er_nparams;        /* of a missed record: how many were missed */
  pmEventParameter er_param[1];
} pmEventRecord;
typedef struct pmHighResEventRecord {
  pmTimespec er_timestamp;
  unsigned int er_flags;
  int er_nparams;
  pmEventParameter er_param[1];
} pmHighResEventRecord;
#define PM_EVENT_FLAG_POINT (1U << 0)
#define PM_EVENT_FLAG_START (1U << 1)
#define PM_EVENT_FLAG_END (1U << 2)
#define PM_EVENT_FLAG_ID (1U << 3)     /* the first parameter identifies */
#define PM_EVENT_FLAG_PARENT (1U << 4) /* the second one is the identifier of another */
#define PM_EVENT_FLAG_MISSED (1U << 31)

typedef struct pmEventArray {
#ifdef HAVE_BITFIELDS_LTOR
  unsigned int ea_type : 8;
  unsigned int ea_len : 24;
#else
  unsigned int ea_len : 24;
  unsigned int ea_type : 8;
#endif
  int ea_nrecords;
  pmEventRecord ea_record[1];
} pmEventArray;
typedef struct pmHighResEventArray {
#ifdef HAVE_BITFIELDS_LTOR
  unsigned int ea_type : 8;
  unsigned int ea_len : 24;
#else
  unsigned int ea_len : 24;
  unsigned int ea_type : 8;
#endif
  int ea_nrecords;
  pmHighResEventRecord ea_record[1];
} pmHighResEventArray;

/* --- A metric as users name it: HOST:METRIC[INSTANCES]. */
typedef struct pmMetricSpec {
  int isarch; /* 0: a host, 1: an archive, 2: this process */
  char* source;
  char* metric;
  int ninst; /* 0: all */
  char* inst[1];
} pmMetricSpec;

#ifdef __cplusplus
}
#endif

#endif /* PCP_PMAPI_TYPES_H */
