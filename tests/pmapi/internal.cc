// Names that are no part of the interface, as PCP's own programs call them, without PCP: an archive
// is written with them and read with the PMAPI. Every one is called with wrong arguments, too.
//
//   pmapi_internal FOLDER                  a folder that is made and removed
#include "runtime/pmapi/internal.h"

#include <sys/stat.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>

namespace {

using pmjit::SharedArchive;
using pmjit::SharedInDom;
using pmjit::SharedLog;
using pmjit::SharedResult;
using pmjit::SharedStamp;

int g_failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("FAILED %s\n", what);
  ++g_failures;
}
#define EXPECT(condition) expect((condition), #condition)

constexpr SharedStamp kStart = {1'300'000'000, 123'456'000};
constexpr unsigned kDisks = 245u << 22 | 1;

struct Written {
  SharedLog log{};
  SharedArchive archive{.log = &log};
};

void write_labels(Written& out) {
  out.log.label.start = kStart;
  const int volumes[] = {-2, -1, 0};
  pmjit::SharedFile* files[] = {out.log.index, out.log.meta, out.archive.volume};
  for (int i = 0; i < 3; ++i) {
    out.log.label.volume = volumes[i];
    EXPECT(__pmLogWriteLabel(files[i], &out.log.label) == 0);
  }
  EXPECT(__pmFtell(out.log.meta) == static_cast<long>(__pmLogLabelSize(&out.log)));
  EXPECT(__pmFileno(out.log.meta) > 2);
}

void write_metadata(Written& out) {
  pmDesc desc = {.pmid = pmID_build(245, 0, 1),
                 .type = PM_TYPE_U64,
                 .indom = kDisks,
                 .sem = PM_SEM_COUNTER,
                 .units = {}};
  char first[] = "own.reads", second[] = "own.same";
  char* names[] = {first, second};
  EXPECT(__pmLogPutDesc(&out.archive, &desc, 2, names) >= 0);
  pmDesc events = {.pmid = pmID_build(245, 0, 2),
                   .type = PM_TYPE_EVENT,
                   .indom = PM_INDOM_NULL,
                   .sem = PM_SEM_DISCRETE,
                   .units = {}};
  char third[] = "own.events";
  char* event_names[] = {third};
  EXPECT(__pmLogPutDesc(&out.archive, &events, 1, event_names) >= 0);
  int ids[] = {1, 2};
  char sda[] = "sda", sdb[] = "sdb b";
  char* instances[] = {sda, sdb};
  SharedInDom domain{.indom = kDisks, .stamp = kStart, .count = 2, .ids = ids, .names = instances};
  EXPECT(__pmLogPutInDom(&out.archive, 2, &domain) >= 0);
  EXPECT(__pmLogPutText(&out.archive, desc.pmid, PM_TEXT_PMID | PM_TEXT_ONELINE, "reads", 1) >= 0);
  pmLabelSet* set = nullptr;
  EXPECT(__pmAddLabels(&set, "{\"site\":\"north\"}", PM_LABEL_CONTEXT) == 1);
  pmLabelSet* copy = __pmDupLabelSets(set, 1);
  EXPECT(copy != nullptr && copy->json != set->json && copy->nlabels == 1);
  EXPECT(__pmLogPutLabels(&out.archive, PM_LABEL_CONTEXT, PM_ID_NULL, 1, copy, &kStart) >= 0);
  pmFreeLabelSets(set, 1);
  pmFreeLabelSets(copy, 1);
}

void write_record(Written& out) {
  SharedResult* result = __pmAllocResult(1);
  result->stamp = kStart;
  result->numpmid = 1;
  auto* set = static_cast<pmValueSet*>(std::calloc(1, sizeof(pmValueSet) + sizeof(pmValue)));
  set->pmid = pmID_build(245, 0, 1);
  set->numval = 2;
  for (int i = 0; i < 2; ++i) {
    pmAtomValue atom;
    atom.ull = 4'200'000'000'000 + static_cast<uint64_t>(i);
    set->vlist[i].inst = 2 - i;
    set->valfmt = __pmStuffValue(&atom, &set->vlist[i], PM_TYPE_U64);
  }
  result->vset[0] = set;
  __pmSortInstances(result);
  EXPECT(set->vlist[0].inst == 1);
  EXPECT(__pmLogPutIndex(&out.archive, &kStart) == 0);
  void* buffer = nullptr;
  EXPECT(__pmEncodeResult(&out.log, result, &buffer) == 0);
  const bool v3 = (out.log.label.magic & 0xff) == 3;
  if (v3) EXPECT(__pmLogPutResult3(&out.archive, buffer) > 0);
  if (!v3) EXPECT(__pmLogPutResult2(&out.archive, buffer) > 0);
  EXPECT(__pmUnpinPDUBuf(buffer) == 1);
  const SharedStamp second = {1, 0};
  EXPECT(__pmLogWriteMark(&out.archive, &kStart, &second) == 0);
  __pmFreeResultValues(result);
  std::free(result);
}

// As pmdumplog does.
void look_into(int handle, pmID pmid) {
  pmjit::SharedContext* context = __pmHandleToPtr(handle);
  EXPECT(context != nullptr && context == __pmHandleToPtr(handle) && context->type == 2);
  if (context == nullptr) return;
  SharedLog& log = *context->archive->log;
  EXPECT(std::string(log.label.host) == "web01.example" && log.index_count == 1);
  const auto* metric = __pmHashSearch(pmid, &log.metrics);
  EXPECT(metric != nullptr && static_cast<pmDesc*>(metric->data)->type == PM_TYPE_U64);
  EXPECT(__pmHashSearch(1, &log.metrics) == nullptr && log.domains.nodes == 1);
  const auto* domain = __pmHashSearch(kDisks, &log.domains);
  EXPECT(domain != nullptr && static_cast<SharedInDom*>(domain->data)->count == 2);
  const auto* texts = __pmHashSearch(PM_TEXT_PMID | PM_TEXT_ONELINE, &log.texts);
  EXPECT(texts != nullptr &&
         __pmHashSearch(pmid, static_cast<pmjit::SharedHash*>(texts->data)) != nullptr);
  EXPECT(__pmHashSearch(PM_LABEL_CONTEXT, &log.labels) != nullptr);
  SharedStamp end{};
  EXPECT(__pmGetArchiveEnd(context->archive, &end) == 0 && end.sec == kStart.sec + 1);
  SharedResult* result = nullptr;
  EXPECT(__pmLogFetch(context, 0, nullptr, &result) == 0 && result->numpmid == 0);  // the mark
  __pmFreeResult(result);
  EXPECT(__pmLogFetch(context, 0, nullptr, &result) == PM_ERR_EOL);
  EXPECT(__pmLogFetch(context, 1, &pmid, &result) == PM_ERR_EOL);
  EXPECT(__pmUnlock(context, "", 0) == 0);
}

void load_domain(const std::string& base) {
  const int handle = pmNewContext(PM_CONTEXT_ARCHIVE, base.c_str());
  SharedArchive& archive = *__pmHandleToPtr(handle)->archive;
  pmjit::SharedFile* meta = archive.log->meta;
  (void)__pmFseek(meta, static_cast<long>(__pmLogLabelSize(archive.log)), SEEK_SET);
  unsigned head[2];
  bool found = false;
  while (!found && __pmFread(head, 1, sizeof head, meta) == sizeof head) {
    const int length = static_cast<int>(__builtin_bswap32(head[0]));
    const int type = static_cast<int>(__builtin_bswap32(head[1]));
    if (type == 2 || type == 5) {
      SharedInDom domain{};
      EXPECT(__pmLogLoadInDom(&archive, length - 12, type, &domain, nullptr) == 0);
      EXPECT(domain.count == 2 && std::string(domain.names[1]) == "sdb b" && domain.ids[0] == 1);
      EXPECT(__pmLogUndeltaInDom(domain.indom, &domain) == 0);
      __pmFreeLogInDom(&domain);
      found = true;
    } else {
      (void)__pmFseek(meta, length - 8, SEEK_CUR);
    }
  }
  EXPECT(found);
  pmDestroyContext(handle);
}

void keep_a_table() {
  pmjit::SharedHash table{};
  constexpr int kKeys = 100;
  int values[kKeys];
  for (int i = 0; i < kKeys; ++i)
    EXPECT(__pmHashAdd(static_cast<unsigned>(i), &values[i], &table) == 1);
  for (int i = 0; i < kKeys; ++i) {
    auto* node = __pmHashSearch(static_cast<unsigned>(i), &table);
    EXPECT(node != nullptr && node->data == &values[i]);
  }
  EXPECT(table.nodes == kKeys && __pmHashDel(7, &values[8], &table) == 0);
  for (int i = 0; i < kKeys; ++i)
    EXPECT(__pmHashDel(static_cast<unsigned>(i), &values[i], &table) == 1);
  EXPECT(table.nodes == 0);
  std::free(table.table);
}

void read_back(const std::string& base, int version) {
  const int handle = pmNewContext(PM_CONTEXT_ARCHIVE, base.c_str());
  EXPECT(handle >= 0);
  pmLogLabel label;
  EXPECT(pmGetArchiveLabel(&label) == 0 && (label.ll_magic & 0xff) == version);
  EXPECT(std::string(label.ll_hostname) == "web01.example");
  const char* names[] = {"own.same"};
  pmID pmid = 0;
  EXPECT(pmLookupName(1, names, &pmid) == 1);
  pmResult* result = nullptr;
  EXPECT(pmFetch(1, &pmid, &result) == 0 && result->vset[0]->numval == 2);
  if (result == nullptr) return;
  pmAtomValue atom;
  EXPECT(pmExtractValue(result->vset[0]->valfmt, &result->vset[0]->vlist[1], PM_TYPE_U64, &atom,
                        PM_TYPE_U64) == 0 &&
         atom.ull == 4'200'000'000'000);
  pmFreeResult(result);
  char* text = nullptr;
  EXPECT(pmLookupText(pmid, PM_TEXT_ONELINE, &text) == 0 && std::string(text) == "reads");
  std::free(text);
  EXPECT(pmLookupInDom(kDisks, "sdb") == 2);
  look_into(handle, pmid);
  pmDestroyContext(handle);
}

void write_and_read(const std::string& base, int version) {
  Written out;
  EXPECT(__pmLogCreate("web01.example", base.c_str(), version, &out.archive) == 0);
  write_labels(out);
  write_metadata(out);
  write_record(out);
  __pmLogClose(&out.archive);
  __pmLogClose(&out.archive);
  Written again;
  EXPECT(__pmLogCreate("web01.example", base.c_str(), version, &again.archive) == -EEXIST);
  std::free(out.log.label.host);
  std::free(out.log.label.timezone);
  std::free(out.log.label.zoneinfo);
  read_back(base, version);
}

void read_files(const std::string& base) {
  struct stat found;
  EXPECT(__pmStat((base + ".0").c_str(), &found) == 0 && found.st_size > 0);
  EXPECT(__pmStat((base + ".9").c_str(), &found) == -1);
  pmjit::SharedFile* file = __pmFopen((base + ".0").c_str(), "r");
  pmjit::SharedLabel label{};
  EXPECT(__pmLogLoadLabel(file, &label) == 0 && std::string(label.host) == "web01.example");
  EXPECT(__pmFseek(file, 0, SEEK_SET) == 0);
  char bytes[8];
  EXPECT(__pmFread(bytes, 1, sizeof bytes, file) == sizeof bytes);
  EXPECT(__pmFseek(file, 0, SEEK_END) == 0 && __pmFread(bytes, 1, 1, file) == 0);
  EXPECT(__pmFeof(file) != 0 && __pmFerror(file) == 0);
  EXPECT(__pmFclose(file) == 0);
  std::free(label.host);
  std::free(label.timezone);
  std::free(label.zoneinfo);
}

void times_and_results() {
  SharedStamp now, later = {kStart.sec + 2, 0};
  __pmGetTimestamp(&now);
  EXPECT(now.sec > kStart.sec);
  EXPECT(__pmTimestampCmp(&kStart, &later) < 0 && __pmTimestampCmp(&later, &later) == 0);
  EXPECT(__pmTimestampSub(&later, &kStart) > 1.8);
  char* text = nullptr;
  size_t bytes = 0;
  FILE* file = open_memstream(&text, &bytes);
  SharedResult* result = __pmAllocResult(1);
  result->stamp = kStart;
  __pmPrintResult(file, result);
  __pmPrintTimestamp(file, &kStart);
  (void)std::fclose(file);
  EXPECT(std::string(text).contains("timestamp: 1300000000.123456000 "));
  std::free(text);
  __pmFreeResult(result);
}

// As pmie does.
void connect_and_run() {
  int fd = __pmCreateSocket();
  pmjit::SharedHost* host = __pmGetAddrInfo("127.0.0.1");
  EXPECT(fd > 2 && host != nullptr);
  void* place = nullptr;
  pmjit::SharedAddress* address = __pmHostEntGetSockAddr(host, &place);
  EXPECT(__pmSockAddrIsInet(address) && !__pmSockAddrIsIPv6(address));
  EXPECT(__pmHostEntGetSockAddr(host, &place) == nullptr);
  const int flags = __pmConnectTo(fd, address, 1);  // nobody listens there
  if (flags >= 0) {
    fd_set writable;
    __pmFD_ZERO(&writable);
    __pmFD_SET(fd, &writable);
    struct timeval second = {1, 0};
    EXPECT(__pmSelectWrite(fd + 1, &writable, &second) == 1);
    EXPECT(__pmConnectCheckError(fd) == ECONNREFUSED);
    EXPECT(__pmConnectRestoreFlags(fd, flags) == fd);
    __pmCloseSocket(fd);
  }
  __pmSockAddrFree(address);
  __pmHostEntFree(host);
  fd = __pmCreateIPv6Socket();
  if (fd >= 0) __pmCloseSocket(fd);
  EXPECT(__pmSetSignalHandler(SIGUSR1, SIG_IGN) == 0 && __pmSetSignalHandler(-1, SIG_IGN) < 0);
  char program[] = "pmie", option[] = "-v", relative[] = "x", absolute[] = "/x";
  char* words[] = {program, option, nullptr};
  char* id = __pmGetClientId(2, words);
  EXPECT(std::string(id) == "pmie -v");
  std::free(id);
  char* path = __pmAbsolutePath(relative);
  EXPECT(path[0] == '/' && __pmAbsolutePath(absolute) == absolute);
  std::free(path);
  EXPECT(__pmSetClientId("pmie") == PM_ERR_NOCONTEXT);
  EXPECT(__pmServerNotifyServiceManagerReady(1) == 0);
  EXPECT(__pmServerNotifyServiceManagerStopping(1) == 0);
  struct timeval start = {1'300'000'000, 0}, end = {1'300'003'600, 0}, point{};
  char* message = nullptr;
  EXPECT(__pmParseTime("+5min", &start, &end, &point, &message) == 0);
  EXPECT(point.tv_sec == start.tv_sec + 300);
}

// The tools' common options, and what they write.
void take_options(const std::string& base) {
  pmOptions opts{};
  opts.version = PMAPI_VERSION_2;
  opts.flags = PM_OPTFLAG_MULTI;
  std::string host = "web01", hosts = "web02,web03", archives = "a,b", archive = base;
  __pmAddOptHost(&opts, host.data());
  __pmAddOptHostList(&opts, hosts.data());
  EXPECT(opts.nhosts == 3 && std::string(opts.hosts[2]) == "web03");
  pmFreeOptions(&opts);
  opts = {};
  opts.version = PMAPI_VERSION_2;
  opts.flags = PM_OPTFLAG_MULTI;
  __pmAddOptArchive(&opts, archive.data());
  __pmAddOptArchiveList(&opts, archives.data());
  EXPECT(opts.narchives == 3 && std::string(opts.archives[1]) == "a");
  std::string folio = "no/such/folio", container = "box";
  __pmAddOptArchiveFolio(&opts, folio.data());
  EXPECT(opts.errors == 1);
  __pmAddOptContainer(&opts, container.data());
  __pmAddOptArchivePath(&opts);
  __pmEndOptions(&opts);
  pmFreeOptions(&opts);
  for (auto* add : {__pmAddOptArchive, __pmAddOptArchiveFolio, __pmAddOptArchiveList,
                    __pmAddOptContainer, __pmAddOptHost, __pmAddOptHostList}) {
    add(nullptr, nullptr);
  }
  __pmAddOptArchivePath(nullptr);
  __pmEndOptions(nullptr);
}

void write_texts() {
  char* text = nullptr;
  size_t bytes = 0;
  char first[] = "a", second[] = "b";
  char* names[] = {first, second};
  FILE* file = open_memstream(&text, &bytes);
  (void)__pmPrintMetricNames(file, 2, names, " or ");
  (void)__pmPrintMetricNames(file, 0, nullptr, nullptr);
  __pmDumpPDUCnt(file);
  (void)std::fclose(file);
  EXPECT(std::string(text).starts_with("a or b<nonames>PDU stats"));
  std::free(text);
  EXPECT(__pmPrintMetricNames(nullptr, 0, nullptr, nullptr) < 0);
  __pmDumpPDUCnt(nullptr);
  EXPECT(__pmPDUCntIn[0] == 0 && __pmPDUCntOut[0] == 0);
  EXPECT(pmProgname != nullptr && pmDebug == 0);
}

void wait_and_ask() {
  __pmtimespecSleep({0, 1000});
  __pmtimespecPause({1, 0});  // long ago
  __pmtimevalSleep({0, 1});
  __pmtimevalPause({1, 0});
  struct tm day = {.tm_mday = 2, .tm_year = 70};
  EXPECT(pmNewZone("UTC") >= 0 && __pmMktime(&day) == 86400 && __pmMktime(nullptr) == -1);
  EXPECT(__pmSetClientIdArgv(0, nullptr) == PM_ERR_NOCONTEXT);
  EXPECT(__pmServerStart(0, nullptr, 0) == PM_ERR_NYI);
  EXPECT(__pmSetLocalContextTable(0, nullptr, 0, nullptr) == PM_ERR_NYI);
  __pmSetLocalContextFlag(0);
}

void old_names() {
  EXPECT(__pmParseDebug("pdu,4") == 5 && __pmParseDebug("all") == 0x7fffffff);
  EXPECT(__pmParseDebug("nonsense") < 0 && __pmParseDebug(nullptr) < 0);
  __pmSetDebugBits(2);
  EXPECT(pmDebugOptions.fetch == 1 && pmClearDebug("all") == 0);
  EXPECT(__pmSetProgname("of/old") == 0 && std::string(pmGetProgname()) == "old");
}

// Fetch groups as Python uses them.
void fill_group(const std::string& base) {
  pmFG group = nullptr;
  EXPECT(pmCreateFetchGroup(&group, PM_CONTEXT_ARCHIVE, base.c_str()) == 0);
  struct timeval coarse{};
  struct timespec fine{};
  EXPECT(pmExtendFetchGroup_timeval(group, &coarse) == 0);
  EXPECT(pmExtendFetchGroup_timespec(group, &fine) == 0);
  EXPECT(pmExtendFetchGroup_event(group, "own.events", nullptr, "event.missed", nullptr, nullptr,
                                  nullptr, PM_TYPE_U32, nullptr, 0, nullptr, nullptr) == 0);
  EXPECT(pmClearFetchGroup(group) == 0 && pmDestroyFetchGroup(group) == 0);
  EXPECT(pmExtendFetchGroup_timeval(nullptr, nullptr) < 0);
  EXPECT(pmExtendFetchGroup_timespec(nullptr, nullptr) < 0 && pmClearFetchGroup(nullptr) < 0);
}

void misuse() {
  pmAtomValue atom;
  EXPECT(__pmStringValue(nullptr, &atom, PM_TYPE_32) < 0);
  EXPECT(__pmStringValue("7", nullptr, PM_TYPE_32) < 0);
  EXPECT(__pmStringValue("7", &atom, PM_TYPE_32) == 0 && atom.l == 7);
  EXPECT(__pmLogCreate(nullptr, nullptr, 2, nullptr) < 0);
  EXPECT(__pmLogNewFile("nonexistent/x", 0) == nullptr);
  EXPECT(__pmLogPutDesc(nullptr, nullptr, 1, nullptr) < 0);
  EXPECT(__pmLogPutInDom(nullptr, 2, nullptr) < 0);
  EXPECT(__pmLogPutText(nullptr, 0, 0, nullptr, 0) < 0);
  EXPECT(__pmLogPutLabels(nullptr, 0, 0, 1, nullptr, nullptr) < 0);
  EXPECT(__pmLogPutIndex(nullptr, nullptr) < 0);
  EXPECT(__pmLogPutResult2(nullptr, nullptr) < 0 && __pmLogPutResult3(nullptr, nullptr) < 0);
  EXPECT(__pmLogWriteMark(nullptr, nullptr, nullptr) < 0);
  EXPECT(__pmLogWriteLabel(nullptr, nullptr) < 0 && __pmLogLoadLabel(nullptr, nullptr) < 0);
  EXPECT(__pmEncodeResult(nullptr, nullptr, nullptr) < 0 && __pmUnpinPDUBuf(nullptr) == 0);
  EXPECT(__pmFopen(nullptr, "r") == nullptr && __pmFopen("/nonexistent", "r") == nullptr);
  EXPECT(__pmFclose(nullptr) != 0 && __pmFflush(nullptr) != 0 && __pmFileno(nullptr) < 0);
  EXPECT(__pmFtell(nullptr) < 0 && __pmFseek(nullptr, 0, 0) < 0 && __pmStat(nullptr, nullptr) < 0);
  EXPECT(__pmFread(nullptr, 1, 1, nullptr) == 0 && __pmLogLabelSize(nullptr) == 0);
  EXPECT(__pmDupLabelSets(nullptr, 1) == nullptr);
  EXPECT(__pmHandleToPtr(-1) == nullptr && __pmGetArchiveEnd(nullptr, nullptr) < 0);
  EXPECT(__pmLogFetch(nullptr, 0, nullptr, nullptr) < 0);
  pmjit::SharedContext foreign{};
  SharedResult* result = nullptr;
  EXPECT(__pmLogFetch(&foreign, 0, nullptr, &result) == PM_ERR_NOCONTEXT);
  EXPECT(__pmLogLoadInDom(nullptr, -1, 0, nullptr, nullptr) < 0);
  EXPECT(__pmHashAdd(0, nullptr, nullptr) < 0 && __pmHashSearch(0, nullptr) == nullptr);
  EXPECT(__pmHashDel(0, nullptr, nullptr) == 0);
  EXPECT(std::string(__pmLogFeaturesStr(0x80000101)) == "QA bit_08 bit_00");
  __pmFreeLogInDom(nullptr);
  EXPECT(__pmGetAddrInfo(nullptr) == nullptr && __pmConnectTo(-1, nullptr, 0) < 0);
  EXPECT(__pmHostEntGetSockAddr(nullptr, nullptr) == nullptr && !__pmSockAddrIsInet(nullptr));
  EXPECT(__pmConnectCheckError(-1) != 0 && __pmConnectRestoreFlags(-1, 0) < 0);
  EXPECT(__pmMemoryMap(-1, 1, 0) == nullptr && __pmServerCreatePIDFile(nullptr, 0) < 0);
  EXPECT(__pmServerCreatePIDFile("no/such", 0) < 0 && __pmAbsolutePath(nullptr) == nullptr);
  EXPECT(__pmParseTime(nullptr, nullptr, nullptr, nullptr, nullptr) < 0);
  EXPECT(__pmRotateLog(nullptr, nullptr, nullptr, nullptr) == nullptr);
  EXPECT(__pmSendDesc(-1, 0, nullptr) < 0 && __pmSendResult(-1, 0, nullptr) < 0);
  __pmFD_SET(-1, nullptr);
  __pmFD_ZERO(nullptr);
  __pmDumpStackInit(nullptr);
  __pmDumpStack(nullptr);
  __pmHostEntFree(nullptr);
  __pmSockAddrFree(nullptr);
  __pmLogClose(nullptr);
  __pmFreeResult(nullptr);
  __pmFreeResultValues(nullptr);
  __pmSortInstances(nullptr);
  __pmPrintResult(nullptr, nullptr);
  __pmPrintTimestamp(nullptr, nullptr);
  __pmGetTimestamp(nullptr);
  __pmOverrideLastFd(-1);
}

volatile int g_calls = 0;
void count_call(int, void* data) { g_calls = g_calls + *static_cast<int*>(data); }

// Until so many calls were made, or far too much time has gone by.
void await_calls(int count) {
  for (int i = 0; i < 500 && g_calls < count; ++i) usleep(10'000);
}

void be_woken() {
  int one = 1, hundred = 100;
  const struct timeval often = {0, 20'000}, bad = {0, 1'000'000}, never{};
  EXPECT(__pmAFisempty() == 1);
  EXPECT(__pmAFregister(&often, &one, nullptr) < 0 && __pmAFregister(&bad, &one, count_call) < 0);
  __pmAFblock();
  const int first = __pmAFregister(&often, &one, count_call);
  EXPECT(first > 0 && __pmAFisempty() == 0);
  usleep(60'000);
  EXPECT(g_calls == 0);
  __pmAFunblock();
  await_calls(3);
  EXPECT(g_calls >= 3 && __pmAFunregister(first) == 0 && __pmAFunregister(first) < 0);
  EXPECT(__pmAFisempty() == 1);
  g_calls = 0;
  EXPECT(__pmAFsetup(&often, &never, &hundred, count_call) > 0);
  await_calls(100);
  usleep(60'000);
  EXPECT(g_calls == 100 && __pmAFisempty() == 1);  // once
}

// What agents of PCP's packages link with.
void agents_ask() {
  int listed[] = {3};
  pmInDomProfile of_disks{
      .indom = kDisks, .state = PM_PROFILE_EXCLUDE, .instances_len = 1, .instances = listed};
  const pmProfile profile{.state = PM_PROFILE_INCLUDE, .profile_len = 1, .profile = &of_disks};
  EXPECT(__pmInProfile(kDisks, &profile, 3) == 1 && __pmInProfile(kDisks, &profile, 4) == 0);
  EXPECT(__pmInProfile(kDisks + 1, &profile, 4) == 1 && __pmInProfile(kDisks, nullptr, 4) == 1);
  struct timespec now{};
  EXPECT(__pmGetTimespec(&now) == 0 && now.tv_sec > kStart.sec);
  EXPECT(__pmGetTimespec(nullptr) == -EINVAL);
  unsigned long kilobytes = 7;
  EXPECT(__pmProcessDataSize(nullptr) == 0 && __pmProcessDataSize(&kilobytes) == 0);
  double user = -1, system = -1;
  EXPECT(__pmProcessRunTimes(&user, &system) == 0 && user >= 0 && system >= 0);
  EXPECT(__pmProcessRunTimes(nullptr, &system) == -EINVAL);
  EXPECT(__pmProcessExists(getpid()) == 1 && __pmProcessExists(0) == 0);
  __pmMemoryUnmap(nullptr, 0);
  __pmFreeInResult(nullptr);
  auto* found = static_cast<pmInResult*>(std::calloc(1, sizeof(pmInResult)));
  found->numinst = 1;
  found->instlist = static_cast<int*>(std::calloc(1, sizeof(int)));
  found->namelist = static_cast<char**>(std::calloc(1, sizeof(char*)));
  found->namelist[0] = ::strdup("one");
  __pmFreeInResult(found);
  int ends[2];
  EXPECT(pipe(ends) == 0 && __pmSendError(ends[1], 5, PM_ERR_PMID) == 0);
  unsigned char bytes[16] = {};
  EXPECT(read(ends[0], bytes, sizeof bytes) == 16 && bytes[5] == 0 && bytes[11] == 5);
  EXPECT(__pmSendError(-1, 0, 0) == -EBADF);
  pmLabelSet* set = nullptr;
  EXPECT(__pmGetDomainLabels(245, "pmdaown DSO", &set) == 1);
  EXPECT(set != nullptr && std::string(set->json) == R"({"agent":"own"})");
  pmFreeLabelSets(set, 1);
  EXPECT(__pmGetDomainLabels(245, nullptr, &set) == -EINVAL);
  pmValueBlock block{.vlen = PM_VAL_HDR_SIZE, .vtype = PM_TYPE_AGGREGATE_STATIC};
  const pmAtomValue atom{.vbp = &block};
  pmValue value{};
  EXPECT(__pmStuffValue(&atom, &value, PM_TYPE_AGGREGATE_STATIC) == PM_VAL_SPTR);
  EXPECT(value.value.pval == &block);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  (void)std::setvbuf(stdout, nullptr, _IONBF, 0);
  const std::filesystem::path folder = argv[1];
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  for (const int version : {2, 3}) {
    const std::string base = folder / ("v" + std::to_string(version));
    write_and_read(base, version);
    read_files(base);
    load_domain(base);
    take_options(base);
    fill_group(base);
  }
  write_texts();
  wait_and_ask();
  old_names();
  times_and_results();
  keep_a_table();
  connect_and_run();
  agents_ask();
  be_woken();
  misuse();
  std::filesystem::remove_all(folder);
  std::printf(g_failures == 0 ? "OK\n" : "%d failed\n", g_failures);
  return g_failures != 0;
}
