/* The PMAPI: what clients of Performance Co-Pilot ask a host, an archive or a process for.
 *
 *   #include <pcp/pmapi.h>                                               cc … -lpcp
 *
 *   const char *names[] = { "kernel.all.load" };
 *   pmID pmids[1];
 *   pmResult *result;
 *   int sts = pmNewContext(PM_CONTEXT_HOST, "local:");
 *   if (sts < 0 || (sts = pmLookupName(1, names, pmids)) < 0 ||
 *       (sts = pmFetch(1, pmids, &result)) < 0) {
 *     fprintf(stderr, "%s: %s\n", pmGetProgname(), pmErrStr(sts));
 *     exit(1);
 *   }
 *   … result->vset[0]->vlist[0] …
 *   pmFreeResult(result);
 *
 * Calls return a number that is not negative, or a code of pcp/pmapi_errors.h. Where one fails
 * nothing was allocated. What a call hands over is freed with free() or with its pmFree…(), as its
 * comment says. The current context is the thread's own; contexts themselves are the process's.
 * Numbers behind § are sections of spec/pmapi.md. Read in this order: pmapi_types.h, this file,
 * pmapi_options.h, pmapi_newer.h. */
#ifndef PCP_PMAPI_H
#define PCP_PMAPI_H

#include "platform_defs.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/param.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* 3: pmOptions has its times in nanoseconds; 4: so has everything else (pmapi_newer.h). Define it
 * before this file is included. */
#define PMAPI_VERSION_2 2
#define PMAPI_VERSION_3 3
#define PMAPI_VERSION_4 4
#ifndef PMAPI_VERSION
#define PMAPI_VERSION PMAPI_VERSION_2
#endif

#ifdef __GNUC__
#define __PM_PRINTFLIKE(idx, cnt) __attribute__((format(printf, idx, cnt)))
#else
#define __PM_PRINTFLIKE(idx, cnt)
#endif

#include "pmapi_errors.h"
#include "pmapi_types.h"

#include "pmapi_options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- §4 Errors. The texts of _r are complete with PM_MAXERRMSGLEN bytes. */
#define PM_MAXERRMSGLEN 128
PCP_CALL extern char* pmErrStr(int);
PCP_CALL extern char* pmErrStr_r(int, char*, int);

/* --- §3.1 Identifiers from their parts and back. Parts are cut to the bits that they have. */
PCP_CALL extern pmID pmID_build(unsigned int, unsigned int, unsigned int);
PCP_CALL extern unsigned int pmID_domain(pmID);
PCP_CALL extern unsigned int pmID_cluster(pmID);
PCP_CALL extern unsigned int pmID_item(pmID);
PCP_CALL extern pmInDom pmInDom_build(unsigned int, unsigned int);
PCP_CALL extern unsigned int pmInDom_domain(pmInDom);
PCP_CALL extern unsigned int pmInDom_serial(pmInDom);

/* --- §9 Contexts. A handle, PM_ERR_NOCONTEXT for one that is none. Which is current is the
 * thread's own; pmDestroyContext() of it leaves none. Names of hosts are the library's. */
#define PM_CONTEXT_UNDEF -1
#define PM_CONTEXT_HOST 1
#define PM_CONTEXT_ARCHIVE 2
#define PM_CONTEXT_LOCAL 3
#define PM_CONTEXT_TYPEMASK 0xff
#define PM_CTXFLAG_SHALLOW (1U << 8)    /* without effect */
#define PM_CTXFLAG_EXCLUSIVE (1U << 9)  /* without effect */
#define PM_CTXFLAG_SECURE (1U << 10)    /* encrypted */
#define PM_CTXFLAG_COMPRESS (1U << 11)  /* refused: -EOPNOTSUPP */
#define PM_CTXFLAG_RELAXED (1U << 12)   /* encrypted where that is possible */
#define PM_CTXFLAG_AUTH (1U << 13)      /* with a user's name */
#define PM_CTXFLAG_CONTAINER (1U << 14) /* of a container */
#define PM_CTXFLAG_NO_FEATURE_CHECK (1U << 15)
PCP_CALL extern int pmNewContext(int, const char*);
PCP_CALL extern int pmDupContext(void);
PCP_CALL extern int pmUseContext(int);
PCP_CALL extern int pmWhichContext(void);
PCP_CALL extern int pmDestroyContext(int);
PCP_CALL extern int pmReconnectContext(int);
PCP_CALL extern const char* pmGetContextHostName(int);
PCP_CALL extern char* pmGetContextHostName_r(int, char*, int);
PCP_CALL extern int pmGetHostName(int, char*, int);
/* §9.4 Agents of local contexts: NULL, or what is wrong, which is the library's. */
PCP_CALL extern char* pmSpecLocalPMDA(const char*);

/* --- §9.5 Which instances a fetch returns. 0 instances and NULL: all of the domain. */
PCP_CALL extern int pmAddProfile(pmInDom, int, int*);
PCP_CALL extern int pmDelProfile(pmInDom, int, int*);

/* --- §6 Names. Lists of names are one block each: free(). Without a context: PM_ERR_NOPMNS. */
#define PM_NS_DEFAULT NULL
#define PMNS_LOCAL 1
#define PMNS_REMOTE 2
#define PMNS_ARCHIVE 3
#define PMNS_LEAF_STATUS 0
#define PMNS_NONLEAF_STATUS 1
PCP_CALL extern int pmLoadNameSpace(const char*);
PCP_CALL extern int pmLoadASCIINameSpace(const char*, int);
PCP_CALL extern void pmUnloadNameSpace(void);
PCP_CALL extern int pmGetPMNSLocation(void);
PCP_CALL extern int pmTrimNameSpace(void);
/* Of one name the error; of several the number of those found, PM_ID_NULL for the others. */
PCP_CALL extern int pmLookupName(int, const char**, pmID*);
PCP_CALL extern int pmGetChildren(const char*, char***);
PCP_CALL extern int pmGetChildrenStatus(const char*, char***, int**);
PCP_CALL extern int pmNameID(pmID, char**);
PCP_CALL extern int pmNameAll(pmID, char***);
/* The number of leaves. A name is there only while the callback runs. */
PCP_CALL extern int pmTraversePMNS(const char*, void (*)(const char*));
PCP_CALL extern int pmTraversePMNS_r(const char*, void (*)(const char*, void*), void*);

/* --- §7 Descriptors. Of several the number of good ones; the others have pmid PM_ID_NULL. */
PCP_CALL extern int pmLookupDesc(pmID, pmDesc*);
PCP_CALL extern int pmLookupDescs(int, pmID*, pmDesc*);
PCP_CALL extern void pmPrintDesc(FILE*, const pmDesc*);

/* --- §8 Instances: now, or of all the archive. Lists and names: free() each. */
PCP_CALL extern int pmLookupInDom(pmInDom, const char*);
PCP_CALL extern int pmLookupInDomArchive(pmInDom, const char*);
PCP_CALL extern int pmNameInDom(pmInDom, int, char**);
PCP_CALL extern int pmNameInDomArchive(pmInDom, int, char**);
PCP_CALL extern int pmGetInDom(pmInDom, int**, char***);
PCP_CALL extern int pmGetInDomArchive(pmInDom, int**, char***);

/* --- §10.5 Texts: free(). */
#define PM_TEXT_ONELINE 1
#define PM_TEXT_HELP 2
#define PM_TEXT_PMID 4
#define PM_TEXT_INDOM 8
#define PM_TEXT_DIRECT 16 /* not the one line in place of a text that is missing */
PCP_CALL extern int pmLookupText(pmID, int, char**);
PCP_CALL extern int pmLookupInDomText(pmInDom, int, char**);

/* --- §10.1 Fetches. pmFreeResult() of what they bring, never free() of a part. Above 0: what has
 * changed at the host since the last one. */
#define PMCD_NO_CHANGE 0
#define PMCD_ADD_AGENT (1 << 0)
#define PMCD_RESTART_AGENT (1 << 1)
#define PMCD_DROP_AGENT (1 << 2)
#define PMCD_AGENT_CHANGE (PMCD_ADD_AGENT | PMCD_RESTART_AGENT | PMCD_DROP_AGENT)
#define PMCD_LABEL_CHANGE (1 << 3)
#define PMCD_NAMES_CHANGE (1 << 4)
PCP_CALL extern int pmFetch(int, pmID*, pmResult**);
PCP_CALL extern int pmFetchHighRes(int, pmID*, pmHighResResult**);
PCP_CALL extern int pmHighResFetch(int, pmID*, pmHighResResult**); /* the same */
/* The next record as it stands; of numpmid 0 it is a mark: the recording was interrupted. */
PCP_CALL extern int pmFetchArchive(pmResult**);
PCP_CALL extern int pmFetchHighResArchive(pmHighResResult**);
PCP_CALL extern void pmFreeResult(pmResult*);
PCP_CALL extern void pmFreeHighResResult(pmHighResResult*);
PCP_CALL extern void pmSortInstances(pmResult*);
PCP_CALL extern void pmSortHighResInstances(pmHighResResult*);

/* --- §10.2 Where an archive is read, and how. The step of pmSetMode() is in milliseconds, or in
 * what PM_XTB_SET() adds to the mode. */
#define PM_MODE_LIVE 0
#define PM_MODE_INTERP 1
#define PM_MODE_FORW 2
#define PM_MODE_BACK 3
#define PM_XTB_FLAG 0x1000000
#define PM_XTB_SET(m) (PM_XTB_FLAG | ((m) << 16))
#define PM_XTB_GET(m) (((m) & PM_XTB_FLAG) ? (((m) & 0xff0000) >> 16) : -1)
PCP_CALL extern int pmSetMode(int, const struct timeval*, int);
PCP_CALL extern int pmSetModeHighRes(int, const struct timespec*, const struct timespec*);

/* --- §10.3 What an archive says of itself. */
PCP_CALL extern int pmGetArchiveLabel(pmLogLabel*);
PCP_CALL extern int pmGetHighResArchiveLabel(pmHighResLogLabel*);
PCP_CALL extern int pmGetArchiveEnd(struct timeval*);
PCP_CALL extern int pmGetHighResArchiveEnd(struct timespec*);

/* --- §10.4 Values that go to agents. Every set has at least one value. */
PCP_CALL extern int pmStore(const pmResult*);
PCP_CALL extern int pmStoreHighRes(const pmHighResResult*);

/* --- §15 Values: out of a result, into other types and units. Of texts and aggregates
 * pmExtractValue() allocates what the atom points to: free(). */
PCP_CALL extern int pmExtractValue(int, const pmValue*, int, pmAtomValue*, int);
PCP_CALL extern int pmConvScale(int, const pmAtomValue*, const pmUnits*, pmAtomValue*,
                                const pmUnits*);
PCP_CALL extern void pmPrintValue(FILE*, int, int, const pmValue*, int);

/* --- §16 Texts. Forms without _r answer in storage of the library's, one for the process. Those
 * with it need the room that §16.1 names, or return NULL. */
PCP_CALL extern const char* pmIDStr(pmID);
PCP_CALL extern char* pmIDStr_r(pmID, char*, int);
PCP_CALL extern const char* pmInDomStr(pmInDom);
PCP_CALL extern char* pmInDomStr_r(pmInDom, char*, int);
PCP_CALL extern const char* pmTypeStr(int);
PCP_CALL extern char* pmTypeStr_r(int, char*, int);
PCP_CALL extern const char* pmSemStr(int);
PCP_CALL extern char* pmSemStr_r(int, char*, int);
PCP_CALL extern const char* pmUnitsStr(const pmUnits*);
PCP_CALL extern char* pmUnitsStr_r(const pmUnits*, char*, int);
PCP_CALL extern const char* pmAtomStr(const pmAtomValue*, int);
PCP_CALL extern char* pmAtomStr_r(const pmAtomValue*, int, char*, int);
PCP_CALL extern const char* pmNumberStr(double);
PCP_CALL extern char* pmNumberStr_r(double, char*, int);
PCP_CALL extern const char* pmEventFlagsStr(int);
PCP_CALL extern char* pmEventFlagsStr_r(int, char*, int);
/* Units as written; the multiplier is what the returned ones are short of. The message: free(). */
PCP_CALL extern int pmParseUnitsStr(const char*, pmUnits*, double*, char**);

/* --- §12 Zones: one is current in the process. The text of pmWhichZone() is the library's. */
PCP_CALL extern int pmNewZone(const char*);
PCP_CALL extern int pmNewContextZone(void);
PCP_CALL extern int pmUseZone(const int);
PCP_CALL extern int pmWhichZone(char**);
PCP_CALL extern char* pmCtime(const time_t*, char*); /* 26 bytes */
PCP_CALL extern struct tm* pmLocaltime(const time_t*, struct tm*);

/* --- §13 Times as users write them, and arithmetic on them. Messages: free(). */
PCP_CALL extern int pmParseInterval(const char*, struct timeval*, char**);
PCP_CALL extern int pmParseHighResInterval(const char*, struct timespec*, char**);
PCP_CALL extern int pmParseTimeWindow(const char*, const char*, const char*, const char*,
                                      const struct timeval*, const struct timeval*, struct timeval*,
                                      struct timeval*, struct timeval*, char**);
PCP_CALL extern int pmParseHighResTimeWindow(const char*, const char*, const char*, const char*,
                                             const struct timespec*, const struct timespec*,
                                             struct timespec*, struct timespec*, struct timespec*,
                                             char**);
PCP_CALL extern void pmtimevalNow(struct timeval*);
PCP_CALL extern void pmtimevalInc(struct timeval*, const struct timeval*);
PCP_CALL extern void pmtimevalDec(struct timeval*, const struct timeval*);
PCP_CALL extern double pmtimevalAdd(const struct timeval*, const struct timeval*);
PCP_CALL extern double pmtimevalSub(const struct timeval*, const struct timeval*);
PCP_CALL extern double pmtimevalToReal(const struct timeval*);
PCP_CALL extern void pmtimevalFromReal(double, struct timeval*);
PCP_CALL extern void pmPrintStamp(FILE*, const struct timeval*);
PCP_CALL extern int pmtimespecNow(struct timespec*);
PCP_CALL extern void pmtimespecInc(struct timespec*, const struct timespec*);
PCP_CALL extern void pmtimespecDec(struct timespec*, const struct timespec*);
PCP_CALL extern double pmtimespecAdd(const struct timespec*, const struct timespec*);
PCP_CALL extern double pmtimespecSub(const struct timespec*, const struct timespec*);
PCP_CALL extern double pmtimespecToReal(const struct timespec*);
PCP_CALL extern void pmtimespecFromReal(double, struct timespec*);
PCP_CALL extern void pmPrintHighResStamp(FILE*, const struct timespec*);

/* --- §14 HOST:METRIC[INSTANCES]. What it gives: pmFreeMetricSpec(); its message: free(). */
PCP_CALL extern int pmParseMetricSpec(const char*, int, char*, pmMetricSpec**, char**);
PCP_CALL extern void pmFreeMetricSpec(pmMetricSpec*);

/* --- §11 Derived metrics: of the process, or of the current context alone (pmAdd…). NULL, or
 * where in the expression reading stopped. Messages of …Metric(): free(). */
#define PCP_DERIVED_GLOBAL_LIMIT 1
#define PCP_DERIVED_CONTEXT_LIMIT 2
#define PCP_DERIVED_DEBUG_SYNTAX 3
#define PCP_DERIVED_DEBUG_SEMANTICS 4
#define PCP_DERIVED_DEBUG_EVAL 5
PCP_CALL extern char* pmRegisterDerived(const char*, const char*);
PCP_CALL extern int pmRegisterDerivedMetric(const char*, const char*, char**);
PCP_CALL extern char* pmAddDerived(const char*, const char*);
PCP_CALL extern int pmAddDerivedMetric(const char*, const char*, char**);
PCP_CALL extern int pmLoadDerivedConfig(const char*);
PCP_CALL extern char* pmDerivedErrStr(void);
PCP_CALL extern int pmGetDerivedControl(int, int*);
PCP_CALL extern int pmSetDerivedControl(int, int);

/* --- §17 Event records: a result each, NULL behind the last. */
PCP_CALL extern int pmUnpackEventRecords(pmValueSet*, int, pmResult***);
PCP_CALL extern void pmFreeEventResult(pmResult**);
PCP_CALL extern int pmUnpackHighResEventRecords(pmValueSet*, int, pmHighResResult***);
PCP_CALL extern void pmFreeHighResEventResult(pmHighResResult**);

/* --- §18 Fetch groups: metrics by name, values into variables of the program. Texts that they
 * give are the group's until its next fetch. */
typedef struct __pmFetchGroup* pmFG;
PCP_CALL extern int pmCreateFetchGroup(pmFG*, int, const char*);
PCP_CALL extern int pmGetFetchGroupContext(pmFG);
PCP_CALL extern int pmExtendFetchGroup_item(pmFG, const char*, const char*, const char*,
                                            pmAtomValue*, int, int*);
PCP_CALL extern int pmExtendFetchGroup_indom(pmFG, const char*, const char*, int[], char*[],
                                             pmAtomValue[], int, int[], unsigned int, unsigned int*,
                                             int*);
PCP_CALL extern int pmExtendFetchGroup_event(pmFG, const char*, const char*, const char*,
                                             const char*, struct timespec[], pmAtomValue[], int,
                                             int[], unsigned int, unsigned int*, int*);
PCP_CALL extern int pmExtendFetchGroup_timestamp(pmFG, struct timeval*);
PCP_CALL extern int pmExtendFetchGroup_timeval(pmFG, struct timeval*);
PCP_CALL extern int pmExtendFetchGroup_timespec(pmFG, struct timespec*);
PCP_CALL extern int pmFetchGroup(pmFG);
PCP_CALL extern int pmClearFetchGroup(pmFG);
PCP_CALL extern int pmDestroyFetchGroup(pmFG);

/* --- §19 Labels: pmFreeLabelSets() of what is got. Merging: the bytes of the JSON object. */
PCP_CALL extern int pmGetContextLabels(pmLabelSet**);
PCP_CALL extern int pmGetDomainLabels(int, pmLabelSet**);
PCP_CALL extern int pmGetInDomLabels(pmInDom, pmLabelSet**);
PCP_CALL extern int pmGetClusterLabels(pmID, pmLabelSet**);
PCP_CALL extern int pmGetItemLabels(pmID, pmLabelSet**);
PCP_CALL extern int pmGetInstancesLabels(pmInDom, pmLabelSet**);
PCP_CALL extern int pmLookupLabels(pmID, pmLabelSet**);
PCP_CALL extern int pmMergeLabels(char**, int, char*, int);
PCP_CALL extern int pmMergeLabelSets(pmLabelSet**, int, char*, int,
                                     int (*filter)(const pmLabel*, const char*, void*), void*);
PCP_CALL extern void pmFreeLabelSets(pmLabelSet*, int);
PCP_CALL extern void pmPrintLabelSets(FILE*, int, int, pmLabelSet*, int);

/* --- §21.1 Messages. pmprintf() collects them for the process, pmflush() writes them. */
#define PM_FATAL_ERR 1
#define PM_RECOV_ERR 0
PCP_CALL extern int pmprintf(const char*, ...) __PM_PRINTFLIKE(1, 2);
PCP_CALL extern int pmflush(void);
PCP_CALL extern void pmNotifyErr(int, const char*, ...) __PM_PRINTFLIKE(2, 3);
PCP_CALL extern void pmSyslog(int);
PCP_CALL extern void pmNoMem(const char*, size_t, int);
PCP_CALL extern FILE* pmOpenLog(const char*, const char*, FILE*, int*);
PCP_CALL extern void pmSetProgname(const char*);
PCP_CALL extern char* pmGetProgname(void);

/* --- §21.2 Strings that always end. The size is that of all the room. */
PCP_CALL extern int pmsprintf(char*, size_t, const char*, ...) __PM_PRINTFLIKE(3, 4);
PCP_CALL extern int pmstrncpy(char*, size_t, const char*);
PCP_CALL extern int pmstrncat(char*, size_t, const char*);
PCP_CALL extern size_t pmstrlen(const char*);
PCP_CALL extern ssize_t pmfstring(FILE* f, char**);
PCP_CALL extern int pmPathSeparator(void);
PCP_CALL extern int pmSetProcessIdentity(const char*);
PCP_CALL extern int pmGetUsername(char**);

/* --- §21.3 Configuration: of the environment, else of pcp.conf. Texts are the library's. */
PCP_CALL extern char* pmGetConfig(const char*);
PCP_CALL extern char* pmGetOptionalConfig(const char*);
PCP_CALL extern const char* pmGetAPIConfig(const char*);
PCP_CALL extern int pmGetVersion(void);

/* --- §21.5 What programs are to trace. */
typedef struct {
  int pdu, fetch, profile, value, context, indom, pdubuf, log, logmeta, optfetch, af;
  int appl0, appl1, appl2, pmns, libpmda, timecontrol, pmc, derive, lock, interp, config, pmapi;
  int fault, auth, discovery, attr, http, desperate, deprecated, exec, labels, series, libweb;
  int alloc, services, appl3, appl4, appl5, access, qa, search, query, compress;
  int dev0, dev1, dev2, pmlc, appl6, appl7, appl8, appl9, tls;
} pmdebugoptions_t;
PCP_DATA extern pmdebugoptions_t pmDebugOptions;
PCP_CALL extern int pmSetDebug(const char*);
PCP_CALL extern int pmClearDebug(const char*);

/* --- §22 Services in reach: a list of URLs, one block: free(). */
#define PM_SERVER_SERVICE_SPEC "pmcd"
#define PM_SERVER_PROXY_SPEC "pmproxy"
#define PM_SERVER_WEBAPI_SPEC "pmwebapi"
PCP_CALL extern int pmDiscoverServices(const char*, const char*, char***);

#ifdef __cplusplus
}
#endif

#include "pmapi_newer.h"

#endif /* PCP_PMAPI_H */
