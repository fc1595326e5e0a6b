// Calls that succeed, of functions that no other test without PCP calls so from a program in C.
#include <sys/mman.h>
#include <unistd.h>

#include <ctime>
#include <string_view>

#include "tests/pmapi/wrong_calls.h"

namespace pmjit {

namespace {

// One record of one parameter, as agents send it.
template <class Array, class Time>
struct OneRecord {
  alignas(8) char bytes[sizeof(Array) + 2 * sizeof(pmEventParameter) + 8]{};
  pmValueSet set{.pmid = 1, .numval = 1, .valfmt = PM_VAL_SPTR, .vlist = {}};

  explicit OneRecord(unsigned type) {
    auto& array = *reinterpret_cast<Array*>(bytes);
    array.ea_type = type & 0xff;
    array.ea_nrecords = 1;
    auto& record = array.ea_record[0];
    record.er_timestamp = Time{1, 0};
    record.er_flags = PM_EVENT_FLAG_POINT;
    record.er_nparams = 1;
    record.er_param[0] = {.ep_pmid = 2, .ep_len = PM_VAL_HDR_SIZE + 4, .ep_type = PM_TYPE_32};
    char* const end = reinterpret_cast<char*>(&record.er_param[1]) + 4;
    array.ea_len = static_cast<unsigned>(end - bytes) & PM_VAL_VLEN_MAX;
    set.vlist[0].inst = static_cast<int>(PM_IN_NULL);
    set.vlist[0].value.pval = reinterpret_cast<pmValueBlock*>(bytes);
  }
};

void right_records() {
  OneRecord<pmEventArray, pmTimeval> one(PM_TYPE_EVENT);
  OneRecord<pmHighResEventArray, pmTimespec> fine(PM_TYPE_HIGHRES_EVENT);
  pmResult** records = nullptr;
  pmHighResResult** fine_records = nullptr;
  WANT(1, pmUnpackEventRecords(&one.set, 0, &records));
  WANT(1, pmUnpackHighResEventRecords(&fine.set, 0, &fine_records));
  RETURNS(pmFreeEventResult(records));
  RETURNS(pmFreeHighResEventResult(fine_records));
}

// A name space in memory.
void right_name_space() {
  constexpr std::string_view kNames = "root { right }\nright { one 29:0:1 }\n";
  const int file = memfd_create("names", 0);
  if (write(file, kNames.data(), kNames.size()) < 0) std::abort();
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  WANT(1, pmLoadASCIINameSpace(path.c_str(), 0) >= 0);
  WANT(0, pmTrimNameSpace());
  pmUnloadNameSpace();
  close(file);
}

void right_names(int pass) {
  char* message = nullptr;
  int limit = 0;
  pmHighResResult* result = nullptr;
  pmID ids[1] = {g_known.load};
  const std::string number = std::to_string(pass);
  WANT(0, pmAddDerivedMetric(("right.own" + number).c_str(), "1", &message));
  WANT(0, pmRegisterDerivedMetric(("right.all" + number).c_str(), "1", &message));
  WANT(0, pmLoadDerivedConfig("/dev/null"));
  WANT(0, pmGetDerivedControl(PCP_DERIVED_GLOBAL_LIMIT, &limit));
  WANT_TEXT(nullptr, pmSpecLocalPMDA("clear"));
  const struct timespec start{};
  (void)pmSetModeHighRes(PM_MODE_FORW, &start, nullptr);
  WANT(0, pmHighResFetch(1, ids, &result));
  pmFreeHighResResult(result);
  pmFG group = nullptr;
  (void)pmCreateFetchGroup(&group, PM_CONTEXT_ARCHIVE, g_known.archive);
  if (of_ours()) {  // there a group is lost where it is destroyed in a process of its own
    WANT(0, pmClearFetchGroup(group));
    WANT(0, pmDestroyFetchGroup(group));
  }
  (void)pmUseContext(g_known.context);
}

void right_strings() {
  char room[8] = "a", text[] = "{\"a\":1}", *texts[] = {text}, merged[40], *line = nullptr;
  WANT(0, pmstrncpy(room, sizeof room, "ab"));
  WANT(0, pmstrncat(room, sizeof room, "c"));
  WANT(7, pmMergeLabels(texts, 1, merged, sizeof merged));
  FILE* const file = fmemopen(text, sizeof text - 1, "r");
  WANT(7, pmfstring(file, &line));
  std::free(line);
  (void)std::fclose(file);
  WANT(1, pmGetOptionalConfig("PCP_RIGHT_NAME") != nullptr);
  WANT(1, pmGetAPIConfig("secure_sockets") != nullptr);
  WANT(1, *pmGetProgname() != '\0');
  WANT(1, pmGetVersion() > 0);
  RETURNS(pmDerivedErrStr());
  RETURNS(pmflush());
}

void right_times() {
  struct timeval time{.tv_sec = 1, .tv_usec = 0}, other{.tv_sec = 2, .tv_usec = 0};
  struct timespec fine{.tv_sec = 1, .tv_nsec = 0}, more{.tv_sec = 2, .tv_nsec = 0};
  char* message = nullptr;
  WANT(0, pmParseHighResInterval("1sec", &fine, &message));
  WANT(3, pmtimevalAdd(&time, &other));
  RETURNS(pmtimevalInc(&time, &other));
  RETURNS(pmtimevalDec(&time, &other));
  WANT(0, pmtimespecNow(&fine));
  fine = {.tv_sec = 1, .tv_nsec = 0};
  WANT(3, pmtimespecAdd(&fine, &more));
  WANT(1, pmtimespecToReal(&fine));
  RETURNS(pmtimespecInc(&fine, &more));
  RETURNS(pmtimespecDec(&fine, &more));
}

void right_output() {
  FILE* const file = std::fopen("/dev/null", "w");
  const struct timespec fine{.tv_sec = 1, .tv_nsec = 0};
  pmDesc desc{};
  char json[] = "{\"a\":1}";
  pmLabel label{.name = 2, .namelen = 1, .flags = 0, .value = 5, .valuelen = 1};
  pmLabelSet labels{.inst = PM_IN_NULL,
                    .nlabels = 1,
                    .json = json,
                    .jsonlen = 7,
                    .padding = 0,
                    .compound = 0,
                    .labels = &label,
                    .hash = nullptr};
  char word[] = "right", option[] = "-x", *words[] = {word, option, nullptr};
  pmOptions options{};
  options.short_options = "x";
  RETURNS(pmPrintDesc(file, &desc));
  RETURNS(pmPrintHighResStamp(file, &fine));
  RETURNS(pmPrintLabelSets(file, 0, PM_LABEL_CONTEXT, &labels, 1));
  WANT('x', pmgetopt_r(2, words, &options));
  options.flags |= PM_OPTFLAG_NOFLUSH;
  RETURNS(pmUsageMessage(&options));
  (void)std::fclose(file);
}

}  // namespace

void right_calls(int pass) {
  right_records();
  right_names(pass);
  if (of_ours()) right_name_space();  // a name space that is loaded there is so in that process
  right_strings();
  right_times();
  right_output();
}

}  // namespace pmjit
