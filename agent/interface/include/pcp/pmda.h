/* Agents: programs and shared objects that bring metrics of one domain to pmcd.
 *
 *   #include <pcp/pmapi.h>
 *   #include <pcp/pmda.h>                                     cc … -lpcp_pmda -lpcp
 *
 *   static pmdaMetric metrics[] = {
 *     { NULL, { PMDA_PMID(0, 0), PM_TYPE_U32, PM_INDOM_NULL, PM_SEM_COUNTER,
 *               PMDA_PMUNITS(0, 1, 0, 0, PM_TIME_SEC, 0) } },
 *   };
 *   static int value_of(pmdaMetric *metric, unsigned int inst, pmAtomValue *atom) {
 *     struct timeval now;
 *     if (inst != PM_IN_NULL) return PM_ERR_INST;
 *     pmtimevalNow(&now);
 *     atom->ul = (unsigned int)now.tv_sec;
 *     return PMDA_FETCH_STATIC;
 *   }
 *   int main(int argc, char **argv) {
 *     pmdaInterface agent;
 *     pmSetProgname(argv[0]);
 *     pmdaDaemon(&agent, PMDA_INTERFACE_7, "clock", 400, "clock.log", NULL);
 *     pmdaSetFetchCallBack(&agent, value_of);
 *     pmdaInit(&agent, NULL, 0, metrics, 1);
 *     pmdaConnect(&agent);
 *     pmdaMain(&agent);
 *     return 0;
 *   }
 *
 * A shared object has a function NAME_init(pmdaInterface *) that calls pmdaDSO(), sets its
 * call-backs and calls pmdaInit(). Calls return a number that is not negative, or PM_ERR_*. One
 * thread calls this library. Numbers behind § are sections of spec/collector-and-agents.md. */
#ifndef PCP_PMDA_H
#define PCP_PMDA_H

#include <pcp/pmapi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- §2.1 Which interface an agent was written for. 3: codes of the fetch call-back; 4: names at
 * run time; 5: contexts of clients; 6: attributes of clients; 7: labels. */
#define PMDA_INTERFACE_2 2
#define PMDA_INTERFACE_3 3
#define PMDA_INTERFACE_4 4
#define PMDA_INTERFACE_5 5
#define PMDA_INTERFACE_6 6
#define PMDA_INTERFACE_7 7
#define PMDA_INTERFACE_LATEST 7

/* What the fetch call-back returns. */
#define PMDA_FETCH_NOVALUES 0
#define PMDA_FETCH_STATIC 1
#define PMDA_FETCH_DYNAMIC 2 /* the library frees the text or block */

typedef enum { pmdaPipe, pmdaInet, pmdaUnix, pmdaUnknown, pmdaIPv6 } pmdaIoType;

/* Instances of a domain that stay as they are. */
typedef struct {
  int i_inst;
  char* i_name;
} pmdaInstid;
typedef struct {
  pmInDom it_indom; /* the serial; pmdaInit() adds the domain */
  int it_numinst;
  pmdaInstid* it_set;
} pmdaIndom;

typedef struct {
  void* m_user; /* the agent's own */
  pmDesc m_desc;
} pmdaMetric;

/* A metric's number without its domain, and units, where only constants may stand. */
#define PMDA_PMID(cluster, item) ((((cluster) & 0xfff) << 10) | ((item) & 0x3ff))
#ifdef HAVE_BITFIELDS_LTOR
/* clang-format off */
#define PMDA_PMUNITS(dim_space, dim_time, dim_count, scale_space, scale_time, scale_count) \
  { dim_space, dim_time, dim_count, scale_space, scale_time, scale_count, 0 }
#else
#define PMDA_PMUNITS(dim_space, dim_time, dim_count, scale_space, scale_time, scale_count) \
  { 0, scale_count, scale_time, scale_space, dim_count, dim_time, dim_space }
/* clang-format on */
#endif

struct pmdaExt;
typedef int (*pmdaFetchCallBack)(pmdaMetric*, unsigned int, pmAtomValue*);
typedef void (*pmdaResultCallBack)(pmResult*);
typedef int (*pmdaCheckCallBack)(void);
typedef void (*pmdaDoneCallBack)(void);
typedef void (*pmdaEndContextCallBack)(int);
typedef int (*pmdaLabelCallBack)(pmInDom, unsigned int, pmLabelSet**);

/* What the library keeps of an agent. Agents read it; e_context is who asks. */
typedef struct pmdaExt {
  unsigned int e_flags;
  void* e_ext; /* the library's own */
  char* e_sockname;
  char* e_name;
  char* e_logfile;
  char* e_helptext;
  int e_status;
  int e_infd;
  int e_outfd;
  int e_port;
  int e_singular;
  int e_ordinal;
  int e_direct;
  int e_domain;
  int e_nmetrics;
  int e_nindoms;
  int e_help;
  pmProfile* e_prof;
  pmdaIoType e_io;
  pmdaIndom* e_indoms;
  pmdaIndom* e_idp;
  pmdaMetric* e_metrics;
  pmdaResultCallBack e_resultCallBack;
  pmdaFetchCallBack e_fetchCallBack;
  pmdaCheckCallBack e_checkCallBack;
  pmdaDoneCallBack e_doneCallBack;
  int e_context;
  pmdaEndContextCallBack e_endCallBack;
  pmdaLabelCallBack e_labelCallBack;
} pmdaExt;

#define PMDA_EXT_FLAG_DIRECT 0x01  /* pmdaSetFlags(): item numbers are indexes */
#define PMDA_EXT_FLAG_HASHED 0x02  /* pmdaSetFlags(): look metrics up in a hash */
#define PMDA_EXT_SETUPDONE 0x04    /* the library's own */
#define PMDA_EXT_CONNECTED 0x08    /* the library's own */
#define PMDA_EXT_NOTREADY 0x10     /* the library's own */
#define PMDA_EXT_LABEL_CHANGE 0x20 /* pmdaSetFlags(): tell clients, once */
#define PMDA_EXT_NAMES_CHANGE 0x40 /* pmdaSetFlags(): tell clients, once */

/* pmdaSetCommFlags(): what pmcd is to tell of clients. */
#define PMDA_FLAG_AUTHORIZE (1 << 2)
#define PMDA_FLAG_CONTAINER (1 << 6)
#define PMDA_ATTR_USERNAME 5
#define PMDA_ATTR_USERID 11
#define PMDA_ATTR_GROUPID 12
#define PMDA_ATTR_PROCESSID 14
#define PMDA_ATTR_CONTAINER 15

/* What pmcd asks, each with the agent's state behind. An agent replaces any of them between
 * pmdaDaemon() and pmdaInit(). */
/* clang-format off */
#define PCP_PMDA_ASKED_OF_ALL                                   \
  pmdaExt* ext;                                                 \
  int (*profile)(pmProfile*, pmdaExt*);                         \
  int (*fetch)(int, pmID*, pmResult**, pmdaExt*);               \
  int (*desc)(pmID, pmDesc*, pmdaExt*);                         \
  int (*instance)(pmInDom, int, char*, pmInResult**, pmdaExt*); \
  int (*text)(int, int, char**, pmdaExt*);                      \
  int (*store)(pmResult*, pmdaExt*);
#define PCP_PMDA_ASKED_OF_NAMES                                 \
  int (*pmid)(const char*, pmID*, pmdaExt*);                    \
  int (*name)(pmID, char***, pmdaExt*);                         \
  int (*children)(const char*, int, char***, int**, pmdaExt*);
/* clang-format on */
struct pmdaAskedOfAll {
  PCP_PMDA_ASKED_OF_ALL
};
struct pmdaAskedOfNames {
  PCP_PMDA_ASKED_OF_ALL
  PCP_PMDA_ASKED_OF_NAMES
};

typedef struct {
  int domain;
  struct {
    unsigned int pmda_interface : 8;
    unsigned int pmapi_version : 8;
    unsigned int flags : 16;
  } comm;
  int status; /* below 0: the agent cannot run */
  union {
    struct pmdaAskedOfAll any, two, three;
    struct pmdaAskedOfNames four, five;
    struct {
      PCP_PMDA_ASKED_OF_ALL
      PCP_PMDA_ASKED_OF_NAMES
      int (*attribute)(int, int, const char*, int, pmdaExt*);
    } six;
    struct {
      PCP_PMDA_ASKED_OF_ALL
      PCP_PMDA_ASKED_OF_NAMES
      int (*attribute)(int, int, const char*, int, pmdaExt*);
      int (*label)(int, int, pmLabelSet**, pmdaExt*);
    } seven;
  } version;
} pmdaInterface;
#undef PCP_PMDA_ASKED_OF_ALL
#undef PCP_PMDA_ASKED_OF_NAMES

/* In front of NAME_init() of a shared object. */
#ifdef __GNUC__
#define __PMDA_INIT_CALL __attribute__((visibility("default")))
#else
#define __PMDA_INIT_CALL
#endif

/* --- §2.2 Options of a daemon. */
struct pmdaOptions;
typedef int (*pmdaOptionOverride)(int, struct pmdaOptions*);
typedef struct pmdaOptions {
  int version;
  int flags;
  const char* short_options;
  pmLongOptions* long_options;
  const char* short_usage;
  pmdaOptionOverride override;
  int index;
  int optind;
  int opterr;
  int optopt;
  char* optarg;
  /* The library's own. */
  int __initialized;
  char* __nextchar;
  int __ordering;
  int __posixly_correct;
  int __first_nonopt;
  int __last_nonopt;
  /* What was found. */
  int errors;
  char* username;
} pmdaOptions;

#define PMDA_OPTIONS "D:d:h:i:l:pu:U:"
/* clang-format off */
#define PMDA_OPTIONS_HEADER(s) PMAPI_OPTIONS_HEADER(s)
#define PMDA_OPTIONS_TEXT(s)   PMAPI_OPTIONS_TEXT(s)
#define PMDA_OPTIONS_END       PMAPI_OPTIONS_END
#define PMDAOPT_DEBUG PMOPT_DEBUG
#define PMDAOPT_DOMAIN \
  { "domain", 1, 'd', "NUM", "use domain (numeric) for metrics domain of PMDA" }
#define PMDAOPT_HELPTEXT \
  { "helptext", 1, 'h', "FILE", "pathname of file containing PMDA help text" }
#define PMDAOPT_INET \
  { "inet", 1, 'i', "PORT", "pmcd IPv4 connection service name or numeric port" }
#define PMDAOPT_IPV6 \
  { "ipv6", 1, '6', "PORT", "pmcd IPv6 connection service name or numeric port" }
#define PMDAOPT_LOGFILE \
  { "log", 1, 'l', "FILE", "write log to FILE rather than using default log name" }
#define PMDAOPT_PIPE \
  { "pipe", 0, 'p', 0, "use a pipe for communication with pmcd" }
#define PMDAOPT_UNIX \
  { "unix", 1, 'u', "FILE", "use a unix domain socket for communication with pmcd" }
#define PMDAOPT_USERNAME \
  { "username", 1, 'U', "USER", "run the PMDA using the named user account" }
/* clang-format on */

/* The next option that is the agent's own, EOF at the end. */
PCP_CALL extern int pmdaGetOptions(int, char* const*, pmdaOptions*, pmdaInterface*);
PCP_CALL extern void pmdaUsageMessage(pmdaOptions*);
/* The older form, with optarg and optind of getopt(); mistakes are counted. */
PCP_CALL extern int pmdaGetOpt(int, char* const*, const char*, pmdaInterface*, int*);

/* --- §2.2 Set-up. First pmdaDaemon() or pmdaDSO(), then options and the log, then call-backs, then
 * pmdaInit(), then of daemons pmdaConnect() and pmdaMain(). The name stays the caller's. */
PCP_CALL extern void pmdaDaemon(pmdaInterface*, int, const char*, int, const char*, const char*);
PCP_CALL extern void pmdaDSO(pmdaInterface*, int, char*, char*);
PCP_CALL extern void pmdaOpenLog(pmdaInterface*);
PCP_CALL extern void pmdaInit(pmdaInterface*, pmdaIndom*, int, pmdaMetric*, int);
PCP_CALL extern void pmdaConnect(pmdaInterface*);
PCP_CALL extern void pmdaMain(pmdaInterface*);
PCP_CALL extern void pmdaRehash(pmdaExt*, pmdaMetric*, int);
PCP_CALL extern void pmdaSetFlags(pmdaInterface*, int);
PCP_CALL extern void pmdaExtSetFlags(pmdaExt*, int);
PCP_CALL extern void pmdaSetCommFlags(pmdaInterface*, int);
PCP_CALL extern void pmdaSetData(pmdaInterface*, void*);
PCP_CALL extern void pmdaExtSetData(pmdaExt*, void*);
PCP_CALL extern void* pmdaExtGetData(pmdaExt*);
PCP_CALL extern void pmdaSendError(pmdaInterface*, int);
PCP_CALL extern void pmdaInterfaceMoved(pmdaInterface*);
PCP_CALL extern int pmdaGetContext(void);
PCP_CALL extern void pmdaSetFetchCallBack(pmdaInterface*, pmdaFetchCallBack);
PCP_CALL extern void pmdaSetResultCallBack(pmdaInterface*, pmdaResultCallBack);
PCP_CALL extern void pmdaSetCheckCallBack(pmdaInterface*, pmdaCheckCallBack);
PCP_CALL extern void pmdaSetDoneCallBack(pmdaInterface*, pmdaDoneCallBack);
PCP_CALL extern void pmdaSetEndContextCallBack(pmdaInterface*, pmdaEndContextCallBack);
PCP_CALL extern void pmdaSetLabelCallBack(pmdaInterface*, pmdaLabelCallBack);

/* --- §2.5 What answers pmcd unless an agent replaces it. */
PCP_CALL extern int pmdaProfile(pmProfile*, pmdaExt*);
PCP_CALL extern int pmdaFetch(int, pmID*, pmResult**, pmdaExt*);
PCP_CALL extern int pmdaDesc(pmID, pmDesc*, pmdaExt*);
PCP_CALL extern int pmdaInstance(pmInDom, int, char*, pmInResult**, pmdaExt*);
PCP_CALL extern int pmdaText(int, int, char**, pmdaExt*);
PCP_CALL extern int pmdaStore(pmResult*, pmdaExt*);
PCP_CALL extern int pmdaPMID(const char*, pmID*, pmdaExt*);
PCP_CALL extern int pmdaName(pmID, char***, pmdaExt*);
PCP_CALL extern int pmdaChildren(const char*, int, char***, int**, pmdaExt*);
PCP_CALL extern int pmdaAttribute(int, int, const char*, int, pmdaExt*);
PCP_CALL extern int pmdaLabel(int, int, pmLabelSet**, pmdaExt*);

/* --- §2.9 Help texts that newhelp has compiled. A text is the library's. */
PCP_CALL extern int pmdaOpenHelp(const char*);
PCP_CALL extern void pmdaCloseHelp(int);
PCP_CALL extern char* pmdaGetHelp(int, pmID, int);
PCP_CALL extern char* pmdaGetInDomHelp(int, pmInDom, int);

/* --- §2.10 Labels: JSON, printed as printf() does, is added to a set, or makes one. */
PCP_CALL extern int pmdaAddLabels(pmLabelSet**, const char*, ...) __PM_PRINTFLIKE(2, 3);
PCP_CALL extern int pmdaAddNotes(pmLabelSet**, const char*, ...) __PM_PRINTFLIKE(2, 3);
PCP_CALL extern int pmdaAddLabelFlags(pmLabelSet*, int);

/* --- §2.8 Names at run time. Lists of names are one block each: free(). */
typedef struct pmdaNameSpace pmdaNameSpace;
typedef struct pmdaHashTable pmdaHashTable;
PCP_CALL extern int pmdaTreeCreate(pmdaNameSpace**);
PCP_CALL extern int pmdaTreeInsert(pmdaNameSpace*, pmID, const char*);
PCP_CALL extern void pmdaTreeRelease(pmdaNameSpace*);
PCP_CALL extern void pmdaTreeRebuildHash(pmdaNameSpace*, int);
PCP_CALL extern int pmdaTreeSize(pmdaNameSpace*);
PCP_CALL extern int pmdaTreePMID(pmdaNameSpace*, const char*, pmID*);
PCP_CALL extern int pmdaTreeName(pmdaNameSpace*, pmID, char***);
PCP_CALL extern int pmdaTreeChildren(pmdaNameSpace*, const char*, int, char***, int**);

typedef int (*pmdaUpdatePMNS)(pmdaExt*, pmdaNameSpace**);
typedef int (*pmdaUpdateText)(pmdaExt*, pmID, int, char**);
typedef void (*pmdaUpdateMetric)(pmdaMetric*, pmdaMetric*, int);
typedef void (*pmdaCountMetrics)(int*, int*);
PCP_CALL extern void pmdaDynamicPMNS(const char*, int*, int, pmdaUpdatePMNS, pmdaUpdateText,
                                     pmdaUpdateMetric, pmdaCountMetrics, pmdaMetric*, int);
PCP_CALL extern void pmdaExtDynamicPMNS(const char*, int*, int, pmdaUpdatePMNS, pmdaUpdateText,
                                        pmdaUpdateMetric, pmdaCountMetrics, pmdaMetric*, int,
                                        pmdaExt*);
PCP_CALL extern int pmdaDynamicSetClusterMask(const char*, unsigned int);
PCP_CALL extern pmdaNameSpace* pmdaDynamicLookupName(pmdaExt*, const char*);
PCP_CALL extern pmdaNameSpace* pmdaDynamicLookupPMID(pmdaExt*, pmID);
PCP_CALL extern int pmdaDynamicLookupText(pmID, int, char**, pmdaExt*);
PCP_CALL extern void pmdaDynamicMetricTable(pmdaExt*);

/* --- §2.7 Caches of instances, one a domain. */
#define PMDA_CACHE_LOAD 1
#define PMDA_CACHE_ADD 2
#define PMDA_CACHE_HIDE 3
#define PMDA_CACHE_CULL 4
#define PMDA_CACHE_SAVE 6
#define PMDA_CACHE_STRINGS 7
#define PMDA_CACHE_ACTIVE 8
#define PMDA_CACHE_INACTIVE 9
#define PMDA_CACHE_SIZE 10
#define PMDA_CACHE_SIZE_ACTIVE 11
#define PMDA_CACHE_SIZE_INACTIVE 12
#define PMDA_CACHE_REUSE 13
#define PMDA_CACHE_WALK_REWIND 14
#define PMDA_CACHE_WALK_NEXT 15
#define PMDA_CACHE_CHECK 16
#define PMDA_CACHE_REORG 17
#define PMDA_CACHE_SYNC 18
#define PMDA_CACHE_DUMP 19
#define PMDA_CACHE_DUMP_ALL 20
PCP_CALL extern int pmdaCacheStore(pmInDom, int, const char*, void*);
PCP_CALL extern int pmdaCacheStoreKey(pmInDom, int, const char*, int, const void*, void*);
PCP_CALL extern int pmdaCacheLookup(pmInDom, int, char**, void**);
PCP_CALL extern int pmdaCacheLookupName(pmInDom, const char*, int*, void**);
PCP_CALL extern int pmdaCacheLookupKey(pmInDom, const char*, int, const void*, char**, int*,
                                       void**);
PCP_CALL extern int pmdaCacheOp(pmInDom, int);
PCP_CALL extern int pmdaCachePurge(pmInDom, time_t);
PCP_CALL extern int pmdaCachePurgeCallback(pmInDom, time_t, void (*)(void*));
PCP_CALL extern int pmdaCacheResize(pmInDom, int);

/* --- §6 Arrays of event records. The address stays until the next change. */
PCP_CALL extern int pmdaEventNewArray(void);
PCP_CALL extern int pmdaEventResetArray(int);
PCP_CALL extern int pmdaEventReleaseArray(int);
PCP_CALL extern int pmdaEventAddRecord(int, struct timeval*, int);
PCP_CALL extern int pmdaEventAddMissedRecord(int, struct timeval*, int);
PCP_CALL extern int pmdaEventAddParam(int, pmID, int, pmAtomValue*);
PCP_CALL extern pmEventArray* pmdaEventGetAddr(int);
PCP_CALL extern int pmdaEventNewHighResArray(void);
PCP_CALL extern int pmdaEventResetHighResArray(int);
PCP_CALL extern int pmdaEventReleaseHighResArray(int);
PCP_CALL extern int pmdaEventAddHighResRecord(int, struct timespec*, int);
PCP_CALL extern int pmdaEventAddHighResMissedRecord(int, struct timespec*, int);
PCP_CALL extern int pmdaEventAddHighResParam(int, pmID, int, pmAtomValue*);
PCP_CALL extern pmHighResEventArray* pmdaEventGetHighResAddr(int);
/* Older names of the last two. */
PCP_CALL extern int pmdaEventHighResAddParam(int, pmID, int, pmAtomValue*);
PCP_CALL extern pmHighResEventArray* pmdaEventHighResGetAddr(int);

/* --- §6 Queues of events for several clients: each sees every event once. */
typedef int (*pmdaEventDecodeCallBack)(int, void*, size_t, struct timeval*, void*);
typedef int (*pmdaEventApplyFilterCallBack)(void*, void*, size_t);
typedef void (*pmdaEventReleaseFilterCallBack)(void*);
PCP_CALL extern int pmdaEventNewQueue(const char*, size_t);
PCP_CALL extern int pmdaEventNewActiveQueue(const char*, size_t, unsigned int);
PCP_CALL extern int pmdaEventQueueShutdown(int);
PCP_CALL extern int pmdaEventQueueHandle(const char*);
PCP_CALL extern int pmdaEventQueueAppend(int, void*, size_t, struct timeval*);
PCP_CALL extern int pmdaEventQueueClients(int, pmAtomValue*);
PCP_CALL extern int pmdaEventQueueCounter(int, pmAtomValue*);
PCP_CALL extern int pmdaEventQueueBytes(int, pmAtomValue*);
PCP_CALL extern int pmdaEventQueueMemory(int, pmAtomValue*);
PCP_CALL extern int pmdaEventQueueRecords(int, pmAtomValue*, int, pmdaEventDecodeCallBack, void*);
PCP_CALL extern int pmdaEventNewClient(int);
PCP_CALL extern int pmdaEventEndClient(int);
PCP_CALL extern int pmdaEventClients(pmAtomValue*);
PCP_CALL extern int pmdaEventSetFilter(int, int, void*, pmdaEventApplyFilterCallBack,
                                       pmdaEventReleaseFilterCallBack);
PCP_CALL extern int pmdaEventSetAccess(int, int, int);

/* --- §2.11 The agent root, which knows containers and starts processes: a descriptor of it first.
 * A process is told by its number; its two ends of a pipe follow. */
PCP_CALL extern int pmdaRootConnect(const char*);
PCP_CALL extern void pmdaRootShutdown(int);
PCP_CALL extern int pmdaRootContainerHostName(int, const char*, int, char*, int);
PCP_CALL extern int pmdaRootContainerProcessID(int, const char*, int);
PCP_CALL extern int pmdaRootContainerCGroupName(int, const char*, int, char*, int);
PCP_CALL extern int pmdaRootProcessStart(int, int, const char*, int, const char*, int, int*, int*,
                                         int*);
PCP_CALL extern int pmdaRootProcessWait(int, int, int*);
PCP_CALL extern int pmdaRootProcessTerminate(int, int);

/* --- §2.2 For an agent that waits for more than pmcd: what to wait for, and one PDU of it. */
PCP_CALL extern int __pmdaInFd(pmdaInterface*);
PCP_CALL extern int __pmdaMainPDU(pmdaInterface*);
PCP_CALL extern void __pmdaSetContext(int);
/* Instances that the profile asks for. */
PCP_CALL extern int __pmdaCntInst(pmInDom, pmdaExt*);
PCP_CALL extern void __pmdaStartInst(pmInDom, pmdaExt*);
PCP_CALL extern int __pmdaNextInst(int*, pmdaExt*);
PCP_CALL extern char* __pmdaEventPrint(const char*, int, char*, int);
PCP_CALL extern void __pmdaCacheDumpAll(FILE*, int);
PCP_CALL extern void __pmdaCacheDump(FILE*, pmInDom, int);

#ifdef __cplusplus
}
#endif

#endif /* PCP_PMDA_H */
