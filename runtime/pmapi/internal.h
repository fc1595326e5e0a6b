// Symbols that are no part of the interface, and that PCP's own programs link with all the same.
// notes/abi-symbols.md lists who needs which. Nothing else may use them, and no header installs
// them.
#pragma once

#include "runtime/pmapi/border.h"
#include "runtime/pmapi/log_layout.h"

struct stat;
namespace pmjit {
struct SharedHost;
struct SharedAddress;
}  // namespace pmjit

#pragma GCC visibility push(default)
extern "C" {

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

// internal_old.cc
void __pmtimevalSleep(struct timeval time);
void __pmtimevalPause(struct timeval time);
int __pmSetProgname(const char* name);
int __pmParseDebug(const char* spec);
void __pmSetDebugBits(int value);
int __pmSetLocalContextTable(int which, char* name, int domain, char* path);

// shared_results.cc
pmjit::SharedResult* __pmAllocResult(int sets);
void __pmFreeResult(pmjit::SharedResult* result);
void __pmFreeResultValues(pmjit::SharedResult* result);
void __pmSortInstances(pmjit::SharedResult* result);
void __pmPrintResult(FILE* file, const pmjit::SharedResult* result);
int __pmEncodeResult(const pmjit::SharedLog* log, const pmjit::SharedResult* result, void** out);
int __pmUnpinPDUBuf(void* buffer);
void __pmOverrideLastFd(int fd);
void __pmGetTimestamp(pmjit::SharedStamp* out);
double __pmTimestampSub(const pmjit::SharedStamp* a, const pmjit::SharedStamp* b);
int __pmTimestampCmp(const pmjit::SharedStamp* a, const pmjit::SharedStamp* b);
void __pmPrintTimestamp(FILE* file, const pmjit::SharedStamp* stamp);
pmLabelSet* __pmDupLabelSets(const pmLabelSet* sets, int count);

// log_files.cc
pmjit::SharedFile* __pmFopen(const char* path, const char* mode);
int __pmFclose(pmjit::SharedFile* file);
size_t __pmFread(void* out, size_t bytes, size_t count, pmjit::SharedFile* file);
int __pmFseek(pmjit::SharedFile* file, long offset, int whence);
long __pmFtell(pmjit::SharedFile* file);
int __pmFeof(pmjit::SharedFile* file);
int __pmFerror(pmjit::SharedFile* file);
int __pmFflush(pmjit::SharedFile* file);
int __pmFileno(pmjit::SharedFile* file);
int __pmStat(const char* path, struct stat* out);
pmjit::SharedFile* __pmLogNewFile(const char* base, int volume);
int __pmLogWriteLabel(pmjit::SharedFile* file, const pmjit::SharedLabel* label);
int __pmLogLoadLabel(pmjit::SharedFile* file, pmjit::SharedLabel* out);
size_t __pmLogLabelSize(const pmjit::SharedLog* log);

// internal_programs.cc
void __pmDumpStackInit(void* trace);
void __pmDumpStack(FILE* file);
int __pmSetSignalHandler(int signal, void (*handler)(int));
char* __pmGetClientId(int argc, char** argv);
int __pmSetClientId(const char* id);
char* __pmAbsolutePath(char* path);
void* __pmMemoryMap(int fd, size_t bytes, int writable);
int __pmServerCreatePIDFile(const char* program, int flags);
int __pmServerNotifyServiceManagerReady(pid_t pid);
int __pmServerNotifyServiceManagerStopping(pid_t pid);

FILE* __pmRotateLog(const char* program, const char* path, FILE* old, int* status);
int __pmParseTime(const char* text, struct timeval* log_start, struct timeval* log_end,
                  struct timeval* out, char** message);

// alarms.cc
int __pmAFsetup(const struct timeval* start, const struct timeval* delta, void* data,
                void (*call)(int, void*));
int __pmAFregister(const struct timeval* delta, void* data, void (*call)(int, void*));
int __pmAFunregister(int id);
void __pmAFblock();
void __pmAFunblock();
int __pmAFisempty();

// internal_agents.cc
void __pmFreeInResult(pmInResult* result);
int __pmInProfile(pmInDom indom, const pmProfile* profile, int inst);
int __pmGetTimespec(struct timespec* out);
int __pmProcessDataSize(unsigned long* out);
int __pmProcessRunTimes(double* user, double* system);
int __pmProcessExists(pid_t pid);
void __pmMemoryUnmap(void* at, size_t bytes);
int __pmSendError(int fd, int from, int code);
int __pmGetDomainLabels(int domain, const char* name, pmLabelSet** out);

// internal_sockets.cc
int __pmCreateSocket();
int __pmCreateIPv6Socket();
void __pmCloseSocket(int fd);
pmjit::SharedHost* __pmGetAddrInfo(const char* name);
void __pmHostEntFree(pmjit::SharedHost* host);
pmjit::SharedAddress* __pmHostEntGetSockAddr(const pmjit::SharedHost* host, void** place);
void __pmSockAddrFree(pmjit::SharedAddress* address);
int __pmSockAddrIsInet(const pmjit::SharedAddress* address);
int __pmSockAddrIsIPv6(const pmjit::SharedAddress* address);
int __pmConnectTo(int fd, const pmjit::SharedAddress* address, int port);
int __pmConnectCheckError(int fd);
int __pmConnectRestoreFlags(int fd, int flags);
void __pmFD_SET(int fd, fd_set* set);
void __pmFD_ZERO(fd_set* set);
int __pmSelectWrite(int count, fd_set* set, struct timeval* timeout);
int __pmSendDesc(int fd, int from, pmDesc* desc);
int __pmSendResult(int fd, int from, const pmjit::SharedResult* result);

// shared_hash.cc
int __pmHashAdd(unsigned key, void* data, pmjit::SharedHash* table);
pmjit::SharedHashNode* __pmHashSearch(unsigned key, pmjit::SharedHash* table);
int __pmHashDel(unsigned key, void* data, pmjit::SharedHash* table);

// log_reading.cc
pmjit::SharedContext* __pmHandleToPtr(int handle);
int __pmUnlock(void* lock, const char* file, int line);
int __pmGetArchiveEnd(pmjit::SharedArchive* archive, pmjit::SharedStamp* out);
int __pmLogFetch(pmjit::SharedContext* context, int count, pmID* ids, pmjit::SharedResult** out);
int __pmLogLoadInDom(pmjit::SharedArchive* archive, int bytes, int type, pmjit::SharedInDom* out,
                     int** buffer);
void __pmFreeLogInDom(pmjit::SharedInDom* domain);
int __pmLogUndeltaInDom(pmInDom indom, pmjit::SharedInDom* domain);
const char* __pmLogFeaturesStr(unsigned features);

// log_writing.cc
int __pmLogCreate(const char* host, const char* base, int version, pmjit::SharedArchive* archive);
void __pmLogClose(pmjit::SharedArchive* archive);
int __pmLogPutDesc(pmjit::SharedArchive* archive, const pmDesc* desc, int count, char** names);
int __pmLogPutInDom(pmjit::SharedArchive* archive, int type, const pmjit::SharedInDom* domain);
int __pmLogPutText(pmjit::SharedArchive* archive, unsigned ident, unsigned type, const char* text,
                   int cached);
int __pmLogPutLabels(pmjit::SharedArchive* archive, unsigned type, unsigned ident, int count,
                     const pmLabelSet* sets, const pmjit::SharedStamp* stamp);
int __pmLogPutIndex(pmjit::SharedArchive* archive, const pmjit::SharedStamp* stamp);
int __pmLogPutResult2(pmjit::SharedArchive* archive, const void* buffer);
int __pmLogPutResult3(pmjit::SharedArchive* archive, const void* buffer);
int __pmLogWriteMark(pmjit::SharedArchive* archive, const pmjit::SharedStamp* last,
                     const pmjit::SharedStamp* more);
}
#pragma GCC visibility pop
