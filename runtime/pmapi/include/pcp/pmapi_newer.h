/* What PCP got after 6.0.3: its functions, and its names for those that were there. Included by
 * pcp/pmapi.h, at its end. Source: spec pmapi.md §2.
 *
 *   #define PMAPI_VERSION 4              a source written for PCP 7: times are struct timespec
 *   #include <pcp/pmapi.h>
 */
#ifndef PCP_PMAPI_H /* alone it brings everything */
#include "pmapi.h"
#endif
#ifndef PCP_PMAPI_NEWER_H
#define PCP_PMAPI_NEWER_H

#ifdef __cplusplus
extern "C" {
#endif

#define PM_ERR_ARG (-PM_ERR_BASE - 70) /* wrong argument */

/* --- §11.1 A text for a derived metric, PM_TEXT_ONELINE or PM_TEXT_HELP. A metric that goes, with
 * those of contexts that have its name: the number of contexts that had it. */
PCP_CALL extern int pmAddDerivedText(const char*, int, const char*);
PCP_CALL extern int pmUnregisterDerived(const char*);

/* --- §13.5 Times. */
PCP_CALL extern void pmtimevalPrint(FILE*, const struct timeval*);
PCP_CALL extern void pmtimespecPrint(FILE*, const struct timespec*);
PCP_CALL extern void pmtimespecPrintInterval(FILE*, const struct timespec*);
PCP_CALL extern void pmtimevalTotimespec(struct timeval*, struct timespec*);
PCP_CALL extern void pmtimespecTotimeval(struct timespec*, struct timeval*);

/* --- §21.5 The names of the flags that are set: free(). */
PCP_CALL extern char* pmGetDebug(void);

/* --- §2 With struct timeval, whatever PMAPI_VERSION says. */
typedef pmResult pmResult_v2;
typedef pmLogLabel pmLogLabel_v2;
typedef pmOptions pmOptions_v2;
typedef pmOptionOverride pmOptionOverride_v2;
PCP_CALL extern int pmFetch_v2(int, pmID*, pmResult_v2**);
PCP_CALL extern int pmFetchArchive_v2(pmResult_v2**);
PCP_CALL extern void pmFreeResult_v2(pmResult_v2*);
PCP_CALL extern int pmStore_v2(const pmResult_v2*);
PCP_CALL extern void pmSortInstances_v2(pmResult_v2*);
PCP_CALL extern int pmGetArchiveLabel_v2(pmLogLabel_v2*);
PCP_CALL extern int pmGetArchiveEnd_v2(struct timeval*);
PCP_CALL extern int pmSetMode_v2(int, const struct timeval*, int);
PCP_CALL extern int pmParseInterval_v2(const char*, struct timeval*, char**);
PCP_CALL extern int pmParseTimeWindow_v2(const char*, const char*, const char*, const char*,
                                         const struct timeval*, const struct timeval*,
                                         struct timeval*, struct timeval*, struct timeval*, char**);
PCP_CALL extern int pmgetopt_r_v2(int, char* const*, pmOptions_v2*);
PCP_CALL extern int pmGetOptions_v2(int, char* const*, pmOptions_v2*);
PCP_CALL extern int pmGetContextOptions_v2(int, pmOptions_v2*);
PCP_CALL extern void pmUsageMessage_v2(pmOptions_v2*);
PCP_CALL extern void pmFreeOptions_v2(pmOptions_v2*);

#if PMAPI_VERSION >= PMAPI_VERSION_4

/* The library knows by pmOptions.version in which form the times of the options are. */
static __inline__ int nanosecond_options(int argc, char* const* argv, pmOptions* opts) {
  opts->version = PMAPI_VERSION_3;
  return pmGetOptions(argc, argv, opts);
}

#define pmResult pmHighResResult
#define pmLogLabel pmHighResLogLabel
#define pmFetch pmFetchHighRes
#define pmFetchArchive pmFetchHighResArchive
#define pmFreeResult pmFreeHighResResult
#define pmStore pmStoreHighRes
#define pmSortInstances pmSortHighResInstances
#define pmGetArchiveLabel pmGetHighResArchiveLabel
#define pmGetArchiveEnd pmGetHighResArchiveEnd
#define pmSetMode pmSetModeHighRes
#define pmParseInterval pmParseHighResInterval
#define pmParseTimeWindow pmParseHighResTimeWindow
#define pmGetOptions nanosecond_options

#endif

#ifdef __cplusplus
}
#endif

#endif /* PCP_PMAPI_NEWER_H */
