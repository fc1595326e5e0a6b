// Names that PCP got after 6.0.3. Those with _v2 are 7.x's for what has no suffix here. Source:
// spec pmapi.md §2, §11.1, §13.5.
#include <fmt/format.h>

#include "runtime/pmapi/open_context.h"

using namespace pmjit;

namespace {

std::optional<TextKind> text_kind(int type) {
  if (type == PM_TEXT_ONELINE) return TextKind::one_line;
  if (type == PM_TEXT_HELP) return TextKind::help;
  return std::nullopt;
}

// Without zeros at its end; nothing of a whole second.
std::string fraction_of(long nanoseconds) {
  if (nanoseconds <= 0) return "";
  std::string out = fmt::format(".{:09}", nanoseconds);
  out.erase(out.find_last_not_of('0') + 1);
  return out;
}

}  // namespace

// Of the current context's own metrics, else of the process's.
int pmAddDerivedText(const char* name, int type, const char* text) {
  if (name == nullptr || text == nullptr) return PM_ERR_ARG;
  const auto kind = text_kind(type);
  if (!kind) return PM_ERR_ARG;
  return at_c_border([&] {
    Library& library = the_library();
    if (auto current = Working::current()) {
      const auto added = (*current)->metrics().deriver().add_text(name, *kind, text);
      if (added || added.error() != pm_err::E_NAME) return added ? 0 : added.error();
    }
    const std::unique_lock alone(library.definitions);
    const auto added = library.derived->add_text(name, *kind, text);
    return added ? 0 : added.error();
  });
}

int pmUnregisterDerived(const char* name) {
  if (name == nullptr) return PM_ERR_ARG;
  return at_c_border([&] {
    Library& library = the_library();
    const std::unique_lock alone(library.definitions);
    const bool of_all = library.derived->remove(name);
    int contexts = 0, own = 0;
    for (const auto& context : library.all_contexts()) {
      ++contexts;
      if (context->metrics().deriver().remove(name)) ++own;
    }
    if (of_all) return contexts;
    return own > 0 ? own : PM_ERR_NAME;
  });
}

void pmtimevalPrint(FILE* file, const struct timeval* time) { pmPrintStamp(file, time); }
void pmtimespecPrint(FILE* file, const struct timespec* time) { pmPrintHighResStamp(file, time); }

// An hour that is just over is told in minutes, a minute in seconds, as PCP 7 has it.
void pmtimespecPrintInterval(FILE* file, const struct timespec* time) {
  if (file == nullptr) return;
  if (time == nullptr) {
    std::fputs("NULL", stderr);
    return;
  }
  (void)at_c_border([&] {
    int64_t rest = time->tv_sec;
    if (rest < 0) {
      std::fputs("-", stderr);
      rest = -rest;
    }
    std::string out;
    if (rest > 3600) out += fmt::format("{}h", rest / 3600);
    if (rest > 3600) rest %= 3600;
    if (rest > 60) out += fmt::format("{}m", rest / 60);
    if (rest > 60) rest %= 60;
    out += fmt::format("{}{}s", rest, fraction_of(time->tv_nsec));
    return std::fputs(out.c_str(), file);
  });
}

void pmtimevalTotimespec(struct timeval* from, struct timespec* to) {
  if (from != nullptr && to != nullptr) *to = {from->tv_sec, from->tv_usec * 1'000};
}
void pmtimespecTotimeval(struct timespec* from, struct timeval* to) {
  if (from != nullptr && to != nullptr) *to = {from->tv_sec, from->tv_nsec / 1'000};
}

int pmFetch_v2(int count, pmID* pmids, pmResult** out) { return pmFetch(count, pmids, out); }
int pmFetchArchive_v2(pmResult** out) { return pmFetchArchive(out); }
void pmFreeResult_v2(pmResult* result) { pmFreeResult(result); }
int pmStore_v2(const pmResult* result) { return pmStore(result); }
void pmSortInstances_v2(pmResult* result) { pmSortInstances(result); }
int pmGetArchiveLabel_v2(pmLogLabel* out) { return pmGetArchiveLabel(out); }
int pmGetArchiveEnd_v2(struct timeval* out) { return pmGetArchiveEnd(out); }
int pmSetMode_v2(int mode, const struct timeval* when, int delta) {
  return pmSetMode(mode, when, delta);
}
int pmParseInterval_v2(const char* text, struct timeval* out, char** message) {
  return pmParseInterval(text, out, message);
}
int pmParseTimeWindow_v2(const char* start, const char* finish, const char* align,
                         const char* offset, const struct timeval* log_start,
                         const struct timeval* log_end, struct timeval* out_start,
                         struct timeval* out_end, struct timeval* out_offset, char** message) {
  return pmParseTimeWindow(start, finish, align, offset, log_start, log_end, out_start, out_end,
                           out_offset, message);
}
int pmgetopt_r_v2(int argc, char* const* argv, pmOptions* opts) {
  return pmgetopt_r(argc, argv, opts);
}
int pmGetOptions_v2(int argc, char* const* argv, pmOptions* opts) {
  return pmGetOptions(argc, argv, opts);
}
int pmGetContextOptions_v2(int context, pmOptions* opts) {
  return pmGetContextOptions(context, opts);
}
void pmUsageMessage_v2(pmOptions* opts) { pmUsageMessage(opts); }
void pmFreeOptions_v2(pmOptions* opts) { pmFreeOptions(opts); }
