// Symbols that are no part of the interface, and that PCP's own programs link with all the same.
// notes/abi-symbols.md lists who needs which. Nothing else may use them, and no header installs
// them.
#pragma once

#include "runtime/pmapi/border.h"

#pragma GCC visibility push(default)
extern "C" {

// Not in pcp/pmapi.h of PCP 6, and exported: pmapi.md §18, and the same of two kinds of time.
int pmClearFetchGroup(pmFG group);
int pmExtendFetchGroup_timeval(pmFG group, struct timeval* out);
int pmExtendFetchGroup_timespec(pmFG group, struct timespec* out);

extern char* pmProgname;
extern int pmDebug;
extern unsigned int* __pmPDUCntIn;
extern unsigned int* __pmPDUCntOut;

void __pmAddOptArchive(pmOptions* opts, char* name);
void __pmAddOptArchiveFolio(pmOptions* opts, char* path);
void __pmAddOptArchiveList(pmOptions* opts, char* names);
void __pmAddOptArchivePath(pmOptions* opts);
void __pmAddOptContainer(pmOptions* opts, char* name);
void __pmAddOptHost(pmOptions* opts, char* name);
void __pmAddOptHostList(pmOptions* opts, char* names);
void __pmEndOptions(pmOptions* opts);

int __pmStringValue(const char* text, pmAtomValue* out, int type);
int __pmStuffValue(const pmAtomValue* atom, pmValue* out, int type);
int __pmAddLabels(pmLabelSet** sets, const char* text, int flags);
void __pmDumpPDUCnt(FILE* file);
int __pmPrintMetricNames(FILE* file, int count, char** names, const char* between);
int __pmSetClientIdArgv(int argc, char** argv);
void __pmtimespecSleep(struct timespec time);
void __pmtimespecPause(struct timespec time);
time_t __pmMktime(struct tm* time);
int __pmServerStart(int argc, char** argv, int flags);
void __pmSetLocalContextFlag(int flag);
int __pmSetLocalContextTable(int which, char* name, int domain, char* path);
}
#pragma GCC visibility pop
