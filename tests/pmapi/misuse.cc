// Every function of pcp/pmapi.h with arguments that are wrong, and contexts in many threads.
// Nothing may crash, and what returns a status says that something is wrong.
//
//   pmapi_misuse ARCHIVE
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/pmapi/include/pcp/pmapi.h"

namespace {

std::atomic<int> g_failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("FAILED %s\n", what);
  ++g_failures;
}

// What must fail, whatever with.
#define REFUSED(call) expect((call) < 0, #call)

void misuse_names_and_metrics() {
  pmID pmid = 0;
  pmDesc desc;
  char *text = nullptr, **list = nullptr;
  int* ids = nullptr;
  const char* nobody[1] = {nullptr};
  REFUSED(pmLookupName(1, nullptr, nullptr));
  REFUSED(pmLookupName(-1, nobody, &pmid));
  REFUSED(pmLookupName(1, nobody, &pmid));
  REFUSED(pmGetChildren(nullptr, &list));
  REFUSED(pmGetChildren("", nullptr));
  REFUSED(pmGetChildrenStatus("", nullptr, nullptr));
  REFUSED(pmNameID(0, nullptr));
  REFUSED(pmNameAll(0, nullptr));
  REFUSED(pmTraversePMNS("", nullptr));
  REFUSED(pmTraversePMNS(nullptr, [](const char*) {}));
  REFUSED(pmTraversePMNS_r("", nullptr, nullptr));
  REFUSED(pmLoadNameSpace("nonexistent/file"));
  pmUnloadNameSpace();
  REFUSED(pmLoadASCIINameSpace("nonexistent/file", 1));
  pmUnloadNameSpace();
  REFUSED(pmLookupDesc(0, nullptr));
  REFUSED(pmLookupDescs(1, nullptr, &desc));
  REFUSED(pmLookupDescs(INT32_MIN, &pmid, &desc));
  REFUSED(pmLookupInDom(1, nullptr));
  REFUSED(pmLookupInDomArchive(1, nullptr));
  REFUSED(pmNameInDom(1, 1, nullptr));
  REFUSED(pmNameInDomArchive(1, 1, nullptr));
  REFUSED(pmGetInDom(1, nullptr, nullptr));
  REFUSED(pmGetInDomArchive(1, &ids, nullptr));
  REFUSED(pmLookupText(0, 99, nullptr));
  REFUSED(pmLookupInDomText(0, -1, &text));
  pmPrintDesc(nullptr, nullptr);
}

void misuse_fetches() {
  pmID pmid = PM_ID_NULL;
  pmResult* result = nullptr;
  pmHighResResult* fine = nullptr;
  REFUSED(pmFetch(-5, &pmid, &result));
  REFUSED(pmFetch(1, nullptr, &result));
  REFUSED(pmFetch(1, &pmid, nullptr));
  REFUSED(pmFetchHighRes(1, nullptr, nullptr));
  REFUSED(pmHighResFetch(0, &pmid, &fine));
  REFUSED(pmFetchArchive(nullptr));
  REFUSED(pmFetchHighResArchive(nullptr));
  REFUSED(pmSetMode(-1, nullptr, INT32_MAX));
  REFUSED(pmSetModeHighRes(9, nullptr, nullptr));
  REFUSED(pmGetArchiveLabel(nullptr));
  REFUSED(pmGetHighResArchiveLabel(nullptr));
  REFUSED(pmGetArchiveEnd(nullptr));
  REFUSED(pmGetHighResArchiveEnd(nullptr));
  REFUSED(pmStore(nullptr));
  REFUSED(pmStoreHighRes(nullptr));
  REFUSED(pmAddProfile(1, -3, nullptr));
  REFUSED(pmDelProfile(1, INT32_MIN, nullptr));
  pmFreeResult(nullptr);
  pmFreeHighResResult(nullptr);
  pmSortInstances(nullptr);
  pmSortHighResInstances(nullptr);
  REFUSED(pmUnpackEventRecords(nullptr, 0, nullptr));
  REFUSED(pmUnpackHighResEventRecords(nullptr, 0, nullptr));
  pmValueSet set{};
  pmResult** records = nullptr;
  expect(pmUnpackEventRecords(&set, 7, &records) == 0, "a set without values has no records");
  set.numval = 1;
  REFUSED(pmUnpackEventRecords(&set, 7, &records));
  pmFreeEventResult(nullptr);
  pmFreeHighResEventResult(nullptr);
}

void misuse_contexts() {
  char small[2];
  REFUSED(pmNewContext(0, nullptr));
  REFUSED(pmNewContext(PM_CONTEXT_HOST, "a:b:c"));
  ::setenv("PCP_PMCDCONF_PATH", "/nonexistent", 1);
  REFUSED(pmNewContext(PM_CONTEXT_LOCAL, nullptr));
  REFUSED(pmNewContext(PM_CONTEXT_HOST | static_cast<int>(PM_CTXFLAG_COMPRESS), "127.0.0.1:1"));
  REFUSED(pmUseContext(INT32_MAX));
  REFUSED(pmDestroyContext(-7));
  REFUSED(pmReconnectContext(INT32_MIN));
  expect(*pmGetContextHostName(-1) == '\0', "pmGetContextHostName");
  pmGetContextHostName_r(0, nullptr, 5);
  pmGetHostName(0, small, 0);
  pmGetHostName(0, small, sizeof small);
  expect(pmSpecLocalPMDA(nullptr) != nullptr, "pmSpecLocalPMDA");
}

void misuse_values_and_texts() {
  pmAtomValue atom{};
  pmValue value{};
  pmUnits units{};
  double factor = 0;
  char tiny[1];
  REFUSED(pmExtractValue(0, nullptr, 0, &atom, 0));
  REFUSED(pmExtractValue(PM_VAL_DPTR, &value, PM_TYPE_STRING, &atom, PM_TYPE_STRING));
  REFUSED(pmExtractValue(99, &value, 0, &atom, 0));
  REFUSED(pmConvScale(0, nullptr, nullptr, nullptr, nullptr));
  REFUSED(pmConvScale(PM_TYPE_STRING, &atom, &units, &atom, &units));
  pmPrintValue(nullptr, 0, 0, nullptr, 0);
  pmPrintValue(stdout, PM_VAL_SPTR, PM_TYPE_EVENT, &value, -99);
  expect(pmErrStr_r(-1, nullptr, 9) == nullptr, "pmErrStr_r");
  expect(pmIDStr_r(0, tiny, 0) == nullptr, "pmIDStr_r");
  expect(pmInDomStr_r(0, nullptr, 1) == nullptr, "pmInDomStr_r");
  expect(pmTypeStr_r(99, nullptr, 1) == nullptr, "pmTypeStr_r");
  expect(pmSemStr_r(-99, nullptr, 1) == nullptr, "pmSemStr_r");
  expect(pmUnitsStr_r(nullptr, tiny, 1) == nullptr, "pmUnitsStr_r");
  expect(pmAtomStr_r(nullptr, 0, tiny, 1) == nullptr, "pmAtomStr_r");
  expect(pmNumberStr_r(1, nullptr, -1) == nullptr, "pmNumberStr_r");
  expect(pmEventFlagsStr_r(1, tiny, 1) == nullptr, "pmEventFlagsStr_r");
  pmUnitsStr(nullptr);
  pmAtomStr(nullptr, 0);
  REFUSED(pmParseUnitsStr(nullptr, &units, &factor, nullptr));
  REFUSED(pmParseUnitsStr("nonsense", &units, &factor, nullptr));
}

void misuse_times() {
  struct timeval time{};
  struct timespec fine{};
  pmMetricSpec* spec = nullptr;
  REFUSED(pmParseInterval(nullptr, &time, nullptr));
  REFUSED(pmParseInterval("x", nullptr, nullptr));
  REFUSED(pmParseHighResInterval("", &fine, nullptr));
  REFUSED(pmParseTimeWindow(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                            nullptr, nullptr));
  REFUSED(pmParseHighResTimeWindow("nonsense", nullptr, nullptr, nullptr, &fine, &fine, &fine,
                                   &fine, &fine, nullptr));
  REFUSED(pmParseMetricSpec(nullptr, 0, nullptr, &spec, nullptr));
  REFUSED(pmParseMetricSpec("[", 0, nullptr, &spec, nullptr));
  pmFreeMetricSpec(nullptr);
  REFUSED(pmUseZone(-1));
  pmWhichZone(nullptr);
  expect(pmCtime(nullptr, nullptr) == nullptr, "pmCtime");
  expect(pmLocaltime(nullptr, nullptr) == nullptr, "pmLocaltime");
  pmtimevalNow(nullptr);
  REFUSED(pmtimespecNow(nullptr));
  pmtimevalInc(nullptr, nullptr);
  pmtimevalDec(&time, nullptr);
  pmtimespecInc(nullptr, &fine);
  pmtimespecDec(nullptr, nullptr);
  pmtimevalAdd(nullptr, nullptr);
  pmtimevalSub(nullptr, nullptr);
  pmtimespecAdd(nullptr, nullptr);
  pmtimespecSub(nullptr, nullptr);
  pmtimevalToReal(nullptr);
  pmtimespecToReal(nullptr);
  pmtimevalFromReal(1e300, nullptr);
  pmtimespecFromReal(1e300, &fine);
  pmPrintStamp(nullptr, nullptr);
  pmPrintHighResStamp(stdout, nullptr);
}

void misuse_derived_and_groups() {
  pmFG group = nullptr;
  int value = 0;
  expect(pmRegisterDerived("x", nullptr) == nullptr, "pmRegisterDerived");
  REFUSED(pmRegisterDerivedMetric(nullptr, nullptr, nullptr));
  REFUSED(pmRegisterDerivedMetric("x.y", "((((", nullptr));
  expect(pmAddDerived("x", "1") != nullptr, "pmAddDerived");
  REFUSED(pmAddDerivedMetric("x", "1", nullptr));
  REFUSED(pmLoadDerivedConfig(nullptr));
  REFUSED(pmGetDerivedControl(PCP_DERIVED_GLOBAL_LIMIT, nullptr));
  REFUSED(pmGetDerivedControl(-1, &value));
  REFUSED(pmSetDerivedControl(99, 1));
  REFUSED(pmCreateFetchGroup(nullptr, 0, nullptr));
  REFUSED(pmCreateFetchGroup(&group, 99, nullptr));
  REFUSED(pmExtendFetchGroup_item(nullptr, "x", nullptr, nullptr, nullptr, 0, nullptr));
  REFUSED(pmExtendFetchGroup_indom(nullptr, "x", nullptr, nullptr, nullptr, nullptr, 0, nullptr, 0,
                                   nullptr, nullptr));
  REFUSED(pmExtendFetchGroup_event(nullptr, "x", nullptr, nullptr, nullptr, nullptr, nullptr, 0,
                                   nullptr, 0, nullptr, nullptr));
  REFUSED(pmExtendFetchGroup_timestamp(nullptr, nullptr));
  REFUSED(pmGetFetchGroupContext(nullptr));
  REFUSED(pmFetchGroup(nullptr));
  REFUSED(pmDestroyFetchGroup(nullptr));
}

void misuse_labels_and_program() {
  char buffer[4];
  pmOptions options{};
  REFUSED(pmGetContextLabels(nullptr));
  REFUSED(pmGetDomainLabels(-1, nullptr));
  REFUSED(pmGetInDomLabels(0, nullptr));
  REFUSED(pmGetClusterLabels(0, nullptr));
  REFUSED(pmGetItemLabels(0, nullptr));
  REFUSED(pmGetInstancesLabels(0, nullptr));
  REFUSED(pmLookupLabels(0, nullptr));
  REFUSED(pmMergeLabels(nullptr, 3, buffer, 4));
  REFUSED(pmMergeLabelSets(nullptr, -3, buffer, 4, nullptr, nullptr));
  pmFreeLabelSets(nullptr, 99);
  pmPrintLabelSets(nullptr, 0, 0, nullptr, 5);
  REFUSED(pmprintf(nullptr));
  pmNotifyErr(3, nullptr);
  expect(pmsprintf(nullptr, 5, "x") == 1, "pmsprintf");
  REFUSED(pmstrncpy(nullptr, 5, "x"));
  REFUSED(pmstrncat(buffer, 0, "x"));
  expect(pmstrlen(nullptr) == 0, "pmstrlen");
  REFUSED(pmfstring(nullptr, nullptr));
  REFUSED(pmGetUsername(nullptr));
  expect(pmGetOptionalConfig(nullptr) == nullptr, "pmGetOptionalConfig");
  expect(pmGetAPIConfig(nullptr) == nullptr, "pmGetAPIConfig");
  REFUSED(pmSetDebug(nullptr));
  REFUSED(pmClearDebug("x,y"));
  REFUSED(pmDiscoverServices(nullptr, nullptr, nullptr));
  expect(pmOpenLog(nullptr, nullptr, nullptr, nullptr) == nullptr, "pmOpenLog");
  expect(pmGetOptions(0, nullptr, nullptr) == EOF, "pmGetOptions");
  expect(pmgetopt_r(0, nullptr, &options) == EOF, "pmgetopt_r");
  REFUSED(pmGetContextOptions(0, nullptr));
  pmUsageMessage(nullptr);
  pmFreeOptions(nullptr);
}

// Bits beyond an identifier's fields are cut, and unknown numbers have a text.
void misuse_numbers() {
  const pmID pmid = pmID_build(0xffffffff, 1, 2);
  expect(pmID_domain(pmid) == 511 && pmID_cluster(pmid) == 1 && pmID_item(pmid) == 2, "pmID_build");
  const pmInDom indom = pmInDom_build(0xffffffff, 3);
  expect(pmInDom_domain(indom) == 511 && pmInDom_serial(indom) == 3, "pmInDom_build");
  for (const int number : {-1, 0, 255, INT32_MIN, INT32_MAX}) {
    expect(*pmTypeStr(number) != '\0' && *pmSemStr(number) != '\0', "pmTypeStr, pmSemStr");
    expect(*pmInDomStr(static_cast<pmInDom>(number)) != '\0', "pmInDomStr");
  }
  expect(pmGetVersion() > 0 && pmPathSeparator() == '/', "pmGetVersion");
}

void misuse_state() {
  pmSetProgname(nullptr);
  pmSetProgname("misuse");
  expect(std::string(pmGetProgname()) == "misuse", "pmGetProgname");
  REFUSED(pmDupContext());
  REFUSED(pmGetPMNSLocation());
  REFUSED(pmNewContextZone());
  REFUSED(pmTrimNameSpace());
  (void)pmDerivedErrStr();
  pmSyslog(0);
  pmflush();
  pmNoMem(nullptr, 1, 0);
  expect(pmDebugOptions.pdu == 0, "pmDebugOptions");
}

// Names of PCP 7. Those with _v2 are the others with struct timeval.
void misuse_newer() {
  pmID pmid = PM_ID_NULL;
  pmResult* result = nullptr;
  struct timeval coarse{.tv_sec = 1, .tv_usec = 2};
  struct timespec fine{};
  pmOptions options{};
  REFUSED(pmAddDerivedText(nullptr, PM_TEXT_HELP, "x"));
  REFUSED(pmAddDerivedText("no.such", PM_TEXT_HELP, "x"));
  REFUSED(pmAddDerivedText("no.such", 99, "x"));
  REFUSED(pmUnregisterDerived(nullptr));
  REFUSED(pmUnregisterDerived("no.such"));
  REFUSED(pmUnregisterDerived("event.flags"));
  pmtimevalPrint(nullptr, nullptr);
  pmtimespecPrint(nullptr, &fine);
  pmtimespecPrintInterval(nullptr, &fine);
  pmtimevalTotimespec(&coarse, &fine);
  expect(fine.tv_sec == 1 && fine.tv_nsec == 2000, "pmtimevalTotimespec");
  pmtimespecTotimeval(&fine, nullptr);
  char* const flags = pmGetDebug();
  expect(flags != nullptr && *flags == '\0', "pmGetDebug");
  free(flags);
  REFUSED(pmFetch_v2(0, &pmid, &result));
  REFUSED(pmFetchArchive_v2(nullptr));
  pmFreeResult_v2(nullptr);
  REFUSED(pmStore_v2(nullptr));
  pmSortInstances_v2(nullptr);
  REFUSED(pmGetArchiveLabel_v2(nullptr));
  REFUSED(pmGetArchiveEnd_v2(nullptr));
  REFUSED(pmSetMode_v2(9, nullptr, 0));
  REFUSED(pmParseInterval_v2("x", &coarse, nullptr));
  REFUSED(pmParseTimeWindow_v2(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                               nullptr, nullptr, nullptr));
  expect(pmgetopt_r_v2(0, nullptr, &options) == EOF, "pmgetopt_r_v2");
  expect(pmGetOptions_v2(0, nullptr, nullptr) == EOF, "pmGetOptions_v2");
  REFUSED(pmGetContextOptions_v2(0, nullptr));
  pmUsageMessage_v2(nullptr);
  pmFreeOptions_v2(nullptr);
}

// The same names, right.
void use_newer(const char* archive) {
  const char* names[] = {"kernel.all.load"};
  char word[] = "misuse", option[] = "-x", *words[] = {word, option, nullptr}, *message = nullptr;
  pmID pmid = PM_ID_NULL;
  pmResult* result = nullptr;
  pmLogLabel label;
  struct timeval time{}, end{}, first, last, offset;
  struct timespec fine{.tv_sec = 1, .tv_nsec = 2000};
  const int context = pmNewContext(PM_CONTEXT_ARCHIVE, archive);
  expect(pmLookupName(1, names, &pmid) == 1, "pmLookupName of what use_newer() needs");
  expect(pmGetArchiveLabel_v2(&label) == 0, "pmGetArchiveLabel_v2");
  expect(pmGetArchiveEnd_v2(&end) == 0 && end.tv_sec > label.ll_start.tv_sec, "pmGetArchiveEnd_v2");
  REFUSED(pmSetMode_v2(0, &end, 0));
  REFUSED(pmSetMode_v2(-1, &end, 0));
  expect(pmSetMode_v2(PM_MODE_INTERP, &end, -1000) == 0, "pmSetMode_v2");
  expect(pmSetMode_v2(PM_MODE_FORW, &label.ll_start, 0) == 0, "pmSetMode_v2");
  REFUSED(pmFetch_v2(-1, &pmid, &result));
  REFUSED(pmFetch_v2(1, nullptr, &result));
  REFUSED(pmFetch_v2(1, &pmid, nullptr));
  expect(pmFetchArchive_v2(&result) == 0, "pmFetchArchive_v2");
  pmSortInstances_v2(result);
  pmFreeResult_v2(result);
  expect(pmParseInterval_v2("1sec", &time, &message) == 0 && time.tv_sec == 1,
         "pmParseInterval_v2");
  REFUSED(pmParseInterval_v2(nullptr, &time, &message));
  free(std::exchange(message, nullptr));
  REFUSED(pmParseInterval_v2("1sec", nullptr, &message));
  free(std::exchange(message, nullptr));
  expect(pmParseTimeWindow_v2(nullptr, nullptr, nullptr, nullptr, &label.ll_start, &end, &first,
                              &last, &offset, &message) >= 0,
         "pmParseTimeWindow_v2");
  pmOptions options{};
  options.short_options = "x";
  options.flags = PM_OPTFLAG_NOFLUSH;
  expect(pmGetOptions_v2(2, words, &options) == 'x', "pmGetOptions_v2");
  expect(pmGetContextOptions_v2(context, &options) == 0, "pmGetContextOptions_v2");
  pmUsageMessage_v2(&options);
  pmFreeOptions_v2(&options);
  options = {};
  options.short_options = "x";
  expect(pmgetopt_r_v2(2, words, &options) == 'x', "pmgetopt_r_v2");
  expect(pmgetopt_r_v2(-1, words, &options) == EOF, "pmgetopt_r_v2");
  expect(pmgetopt_r_v2(1, words, nullptr) == EOF, "pmgetopt_r_v2");
  expect(pmGetOptions_v2(-1, words, &options) == EOF, "pmGetOptions_v2");
  pmtimespecTotimeval(&fine, &time);
  expect(time.tv_sec == 1 && time.tv_usec == 2, "pmtimespecTotimeval");
  pmtimespecTotimeval(nullptr, &time);
  pmtimevalTotimespec(nullptr, &fine);
  pmtimevalTotimespec(&time, nullptr);
  FILE* const file = std::fopen("/dev/null", "w");
  pmtimevalPrint(file, &time);
  pmtimespecPrint(file, &fine);
  pmtimespecPrint(file, nullptr);
  pmtimespecPrintInterval(file, nullptr);
  (void)std::fclose(file);
  REFUSED(pmAddDerivedText("no.such", 0, "x"));
  REFUSED(pmAddDerivedText("no.such", -1, "x"));
  REFUSED(pmAddDerivedText("no.such", PM_TEXT_HELP, nullptr));
  expect(pmDestroyContext(context) == 0, "pmDestroyContext");
}

// Another thread has destroyed the context that is current here.
void newer_without_context(const char* archive) {
  const int context = pmNewContext(PM_CONTEXT_ARCHIVE, archive);
  std::thread([context] { (void)pmDestroyContext(context); }).join();
  pmID pmid = 0;
  pmResult *result = nullptr, stored{};
  pmLogLabel label;
  struct timeval time{};
  pmOptions options{};
  REFUSED(pmFetch_v2(1, &pmid, &result));
  REFUSED(pmFetchArchive_v2(&result));
  REFUSED(pmStore_v2(&stored));
  REFUSED(pmGetArchiveLabel_v2(&label));
  REFUSED(pmGetArchiveEnd_v2(&time));
  REFUSED(pmSetMode_v2(PM_MODE_FORW, &time, 0));
  options.flags = PM_OPTFLAG_BOUNDARIES;
  for (const int handle : {-1, context, 12345}) REFUSED(pmGetContextOptions_v2(handle, &options));
}

// What is documented to end the process does.
template <class Call>
void ends(Call&& call, const char* what) {
  const pid_t child = fork();
  if (child == 0) {
    (void)std::freopen("/dev/null", "w", stderr);
    call();
    _exit(0);
  }
  int status = 0;
  expect(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 1,
         what);
}
void misuse_endings() {
  ends([] { pmNoMem("misuse", 1, 1); }, "pmNoMem");
  ends([] { pmNoMem("misuse", 1, -1); }, "pmNoMem");
  ends([] { pmSetProcessIdentity("no such user"); }, "pmSetProcessIdentity");
  ends([] { pmSetProcessIdentity(nullptr); }, "pmSetProcessIdentity");
  ends([] { std::thread([] { pmSetProcessIdentity(nullptr); }).join(); }, "pmSetProcessIdentity");
  ends(
      [] {
        setenv("PCP_CONF", "no/such/file", 1);
        pmGetConfig("PCP_ANY");
      },
      "pmGetConfig");
}

void misuse_all() {
  misuse_names_and_metrics();
  misuse_fetches();
  misuse_contexts();
  misuse_values_and_texts();
  misuse_times();
  misuse_derived_and_groups();
  misuse_labels_and_program();
  misuse_numbers();
  misuse_state();
  misuse_newer();
}

// A context of its own, and one that all of them use.
void read_metric(int type, const std::string& name, const char* metric, int shared) {
  for (int round = 0; round < 5; ++round) {
    const int own = pmNewContext(type, name.c_str());
    expect(own >= 0, "pmNewContext in a thread");
    for (const int context : {own, shared}) {
      expect(pmUseContext(context) >= 0, "pmUseContext in a thread");
      pmID pmid = PM_ID_NULL;
      pmDesc desc;
      expect(pmLookupName(1, &metric, &pmid) == 1, "pmLookupName in a thread");
      expect(pmLookupDesc(pmid, &desc) == 0, "pmLookupDesc in a thread");
      pmResult* result = nullptr;
      for (int i = 0; i < 10 && pmFetch(1, &pmid, &result) >= 0; ++i) pmFreeResult(result);
      (void)pmTraversePMNS(metric, [](const char*) {});
    }
    const std::string mine = "mine." + std::to_string(own);
    (void)pmRegisterDerived(mine.c_str(), (std::string(metric) + " * 2").c_str());
    expect(pmUseContext(own) >= 0 && pmDestroyContext(own) == 0, "pmDestroyContext in a thread");
    expect(pmWhichContext() < 0, "no context is left in a thread");
  }
}

void read_in_threads(int type, const char* name, const char* metric, int shared) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) threads.emplace_back(read_metric, type, name, metric, shared);
  for (std::thread& thread : threads) thread.join();
}

int host_in_threads(const char* spec, const char* metric) {
  const int context = pmNewContext(PM_CONTEXT_HOST, spec);
  expect(context >= 0, "pmNewContext of a host");
  read_in_threads(PM_CONTEXT_HOST, spec, metric, context);
  expect(pmUseContext(context) == 0 && pmDestroyContext(context) == 0, "pmDestroyContext");
  std::printf("%d failed\n", g_failures.load());
  return g_failures != 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "host") return host_in_threads(argv[2], argv[3]);
  if (argc != 2) return 2;
  setenv("PCP_DERIVED_CONFIG", "", 1);
  misuse_endings();
  misuse_all();  // without a context
  use_newer(argv[1]);
  std::thread(misuse_newer).join();
  std::thread(use_newer, argv[1]).join();
  std::thread(newer_without_context, argv[1]).join();
  const int context = pmNewContext(PM_CONTEXT_ARCHIVE, argv[1]);
  expect(context >= 0, "pmNewContext");
  read_in_threads(PM_CONTEXT_ARCHIVE, argv[1], "kernel.all.load", context);
  expect(pmUseContext(context) == 0 && pmDestroyContext(context) == 0, "pmDestroyContext");
  expect(pmDestroyContext(context) < 0, "pmDestroyContext of one that is gone");
  expect(pmReconnectContext(context) < 0, "pmReconnectContext of one that is gone");
  std::printf("%d failed\n", g_failures.load());
  return g_failures != 0 ? 1 : 0;
}
