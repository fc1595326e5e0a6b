// Zones, intervals, windows, arithmetic on times, metrics as users name them. Source: spec pmapi.md
// §12 to §14.
#include <sys/time.h>
#include <ctime>
#include <mutex>
#include <set>

#include "runtime/pmapi/convert.h"
#include "runtime/pmapi/open_context.h"
#include "runtime/text/interval.h"
#include "runtime/text/metric_spec.h"
#include "runtime/text/window.h"
#include "runtime/text/zone.h"

using namespace pmjit;

namespace {

// Three characters of any kind are taken for a zone that is UTC.
Zone zone_named(std::string_view name) { return Zone(name); }

// For as long as the process lives: a struct tm is copied, and its zone may be another by then.
const char* kept_name(const std::string& name) {
  static std::mutex lock;
  static auto* const names = new std::set<std::string>;  // outlives what runs at exit
  const std::scoped_lock held(lock);
  return names->insert(name).first->c_str();
}

int say_why(const Error& error, char** message, int code) {
  if (message != nullptr) *message = give_text(error.what());
  return code;
}

template <class Parts, class Time>
int interval_of(const char* text, Time* out, char** message) {
  if (out == nullptr) return -1;
  if (message != nullptr) *message = nullptr;
  const int code = at_c_border([&] {
    const auto interval = parse_interval<Parts>(text == nullptr ? "" : text);
    if (!interval) return say_why(interval.error(), message, -1);
    put_parts(*interval, *out);
    return 0;
  });
  return code < 0 ? -1 : code;
}

struct WindowTexts {
  const char *start, *finish, *align, *origin;
};

std::optional<std::string_view> given(const char* text) {
  return text == nullptr ? std::nullopt : std::optional<std::string_view>(text);
}

template <class Time>
Stamp end_of(const Time& time) {
  return time.tv_sec == PM_MAX_TIME_T ? kStampMax : stamp_of(time);
}
template <class Time>
void put_end(Stamp stamp, Time& out) {
  if (stamp.sec == kStampMax.sec) {
    out = {.tv_sec = PM_MAX_TIME_T};
  } else {
    put_time(stamp, out);
  }
}

template <class Time, class Parse>
int window_of(const WindowTexts& texts, const Time* log_start, const Time* log_end, Time* out[3],
              char** message, Parse&& parse) {
  if (message != nullptr) *message = nullptr;
  if (log_start == nullptr || log_end == nullptr || out[0] == nullptr || out[1] == nullptr ||
      out[2] == nullptr) {
    return -1;
  }
  const int code = at_c_border([&] {
    const Zone zone = the_library().zones.zone();
    const WindowSpec spec{.start = given(texts.start),
                          .finish = given(texts.finish),
                          .align = given(texts.align),
                          .origin = given(texts.origin)};
    const auto window = parse(
        spec,
        Recorded{.start = stamp_of(*log_start), .end = end_of(*log_end), .now = seconds_now()},
        zone);
    if (!window) return say_why(window.error(), message, -1);
    put_time(window->start, *out[0]);
    put_end(window->end, *out[1]);
    put_end(window->origin, *out[2]);
    if (window->aligned) return 1;
    if (message != nullptr && !window->warning.empty()) *message = give_text(window->warning);
    return 0;
  });
  return code < 0 ? -1 : code;
}

template <class Time>
void print_stamp(FILE* file, const Time* time, Fraction fraction) {
  if (file == nullptr || time == nullptr) return;
  (void)at_c_border([&] {
    const std::string text = time_of_day(stamp_of(*time), fraction, the_library().zones.zone());
    return std::fputs(text.c_str(), file);
  });
}

// The text that is the value of the one metric; empty: there is none.
std::string text_in(const Fetched& fetched) {
  if (fetched.sets.empty() || fetched.sets.front().values.empty()) return {};
  const FetchedSet& set = fetched.sets.front();
  if (set.format == ValueFormat::in_place) return {};
  const auto atom = load_atom(set.format, set.values.front().type, set.values.front());
  return atom ? std::string(atom->text()) : std::string();
}

// What a host or an archive says of its zone.
OrPmError<std::string> zone_of(OpenContext& context) {
  if (context.archive() != nullptr) return context.archives().label().timezone;
  if (context.local() != nullptr) return std::string();  // this process's own
  if (const int gone = context.lost()) return pm_fail(gone);
  HostContext& host = *context.host();
  int why = PM_ERR_VALUE;
  for (const char* metric : {"pmcd.zoneinfo", "pmcd.timezone"}) {
    const auto pmid = host.look_up(metric);
    why = pmid ? static_cast<int>(PM_ERR_VALUE) : pmid.error();
    if (pmid) {
      Fetched fetched;
      const auto done = host.fetch({&*pmid, 1}, {}, fetched);
      if (!done) return pm_fail(done.error().pm_code() != 0 ? done.error().pm_code() : PM_ERR_IPC);
      const std::string said = text_in(fetched);
      if (!said.empty()) return said;
    }
    // The next request would connect anew, which is for pmReconnectContext() to do.
    if (context.lost() != 0) break;
  }
  return pm_fail(why);
}

// A specification in one block: the structure, its texts.
// `source`: the caller's own, which may be null; none: that of the text.
pmMetricSpec* give_spec(const MetricSpec& spec, std::optional<char*> source) {
  size_t bytes = sizeof(pmMetricSpec) + spec.instances.size() * sizeof(char*);
  bytes += spec.from.source.size() + spec.metric.size() + 2;
  for (const std::string& instance : spec.instances) bytes += instance.size() + 1;
  auto* out = static_cast<pmMetricSpec*>(give_bytes(bytes));
  char* at =
      reinterpret_cast<char*>(out) + sizeof(pmMetricSpec) + spec.instances.size() * sizeof(char*);
  const auto put = [&](const std::string& text) {
    char* const here = at;
    std::memcpy(here, text.c_str(), text.size() + 1);
    at += text.size() + 1;
    return here;
  };
  out->isarch = static_cast<int>(spec.from.kind);
  out->source = source ? *source : put(spec.from.source);
  out->metric = put(spec.metric);
  out->ninst = static_cast<int>(spec.instances.size());
  out->inst[0] = nullptr;
  for (size_t i = 0; i < spec.instances.size(); ++i) out->inst[i] = put(spec.instances[i]);
  return out;
}

}  // namespace

int pmNewZone(const char* name) {
  return at_c_border(
      [&] { return the_library().zones.add(zone_named(name == nullptr ? "" : name)); });
}

int pmNewContextZone(void) {
  return at_c_border([] {
    std::string name;
    {
      auto current = Working::current();
      if (!current) return current.error();
      const auto said = zone_of(**current);
      if (!said) return said.error();
      name = *said;
    }
    return the_library().zones.add(zone_named(name));
  });
}

int pmUseZone(const int handle) {
  return at_c_border([&] { return the_library().zones.use(handle) ? 0 : -1; });
}

int pmWhichZone(char** name) {
  return at_c_border([&] {
    const char* said = nullptr;
    const int handle = the_library().zones.current(&said);
    if (handle >= 0 && name != nullptr) *name = const_cast<char*>(said);
    return handle;
  });
}

char* pmCtime(const time_t* time, char* buffer) {
  if (buffer == nullptr) return nullptr;
  if (time == nullptr) return *buffer = '\0', buffer;
  return at_c_border_or(
      buffer, [&] { return put_text(pm_ctime(*time, the_library().zones.zone()), buffer, 26); });
}

struct tm* pmLocaltime(const time_t* time, struct tm* out) {
  if (time == nullptr || out == nullptr) return out;
  return at_c_border_or(out, [&] {
    const Zone zone = the_library().zones.zone();
    *out = zone.local(*time);
    out->tm_zone = kept_name(zone.clock_name(*time));
    return out;
  });
}

int pmParseInterval(const char* text, struct timeval* out, char** message) {
  return interval_of<MicroTime>(text, out, message);
}
int pmParseHighResInterval(const char* text, struct timespec* out, char** message) {
  return interval_of<NanoTime>(text, out, message);
}

int pmParseTimeWindow(const char* start, const char* finish, const char* align, const char* origin,
                      const struct timeval* log_start, const struct timeval* log_end,
                      struct timeval* out_start, struct timeval* out_end,
                      struct timeval* out_origin, char** message) {
  struct timeval* out[3] = {out_start, out_end, out_origin};
  return window_of({start, finish, align, origin}, log_start, log_end, out, message,
                   parse_micro_window);
}
int pmParseHighResTimeWindow(const char* start, const char* finish, const char* align,
                             const char* origin, const struct timespec* log_start,
                             const struct timespec* log_end, struct timespec* out_start,
                             struct timespec* out_end, struct timespec* out_origin,
                             char** message) {
  struct timespec* out[3] = {out_start, out_end, out_origin};
  return window_of({start, finish, align, origin}, log_start, log_end, out, message, parse_window);
}

void pmtimevalNow(struct timeval* out) {
  if (out != nullptr) put_time(stamp_now(), *out);
}
int pmtimespecNow(struct timespec* out) {
  if (out == nullptr) return -EINVAL;
  put_time(stamp_now(), *out);
  return 0;
}

void pmtimevalInc(struct timeval* a, const struct timeval* b) {
  if (a != nullptr && b != nullptr) put_parts(pm_inc(parts_of(*a), parts_of(*b)), *a);
}
void pmtimevalDec(struct timeval* a, const struct timeval* b) {
  if (a != nullptr && b != nullptr) put_parts(pm_dec(parts_of(*a), parts_of(*b)), *a);
}
double pmtimevalAdd(const struct timeval* a, const struct timeval* b) {
  return a != nullptr && b != nullptr ? pm_add(parts_of(*a), parts_of(*b)) : 0;
}
double pmtimevalSub(const struct timeval* a, const struct timeval* b) {
  return a != nullptr && b != nullptr ? pm_sub(parts_of(*a), parts_of(*b)) : 0;
}
double pmtimevalToReal(const struct timeval* a) { return a != nullptr ? to_real(parts_of(*a)) : 0; }
void pmtimevalFromReal(double seconds, struct timeval* out) {
  if (out != nullptr) put_parts(from_real<MicroTime>(seconds), *out);
}
void pmPrintStamp(FILE* file, const struct timeval* time) {
  print_stamp(file, time, Fraction::milli);
}

void pmtimespecInc(struct timespec* a, const struct timespec* b) {
  if (a != nullptr && b != nullptr) put_parts(pm_inc(parts_of(*a), parts_of(*b)), *a);
}
void pmtimespecDec(struct timespec* a, const struct timespec* b) {
  if (a != nullptr && b != nullptr) put_parts(pm_dec(parts_of(*a), parts_of(*b)), *a);
}
double pmtimespecAdd(const struct timespec* a, const struct timespec* b) {
  return a != nullptr && b != nullptr ? pm_add(parts_of(*a), parts_of(*b)) : 0;
}
double pmtimespecSub(const struct timespec* a, const struct timespec* b) {
  return a != nullptr && b != nullptr ? pm_sub(parts_of(*a), parts_of(*b)) : 0;
}
double pmtimespecToReal(const struct timespec* a) {
  return a != nullptr ? to_real(parts_of(*a)) : 0;
}
void pmtimespecFromReal(double seconds, struct timespec* out) {
  if (out != nullptr) put_parts(from_real<NanoTime>(seconds), *out);
}
void pmPrintHighResStamp(FILE* file, const struct timespec* time) {
  print_stamp(file, time, Fraction::nano);
}

int pmParseMetricSpec(const char* text, int isarch, char* source, pmMetricSpec** out,
                      char** message) {
  if (message != nullptr) *message = nullptr;
  if (text == nullptr || out == nullptr) return -EINVAL;
  return at_c_border([&] {
    // A mark that no text has tells whether the source is the caller's.
    static const std::string kOfCaller("\0", 1);
    const auto spec =
        parse_metric_spec(text, {.kind = static_cast<SourceKind>(isarch), .source = kOfCaller});
    if (!spec) return say_why(spec.error(), message, PM_ERR_GENERIC);
    const bool of_caller = spec->from.source == kOfCaller;
    *out = give_spec(*spec, of_caller ? std::optional(source) : std::nullopt);
    return 0;
  });
}

void pmFreeMetricSpec(pmMetricSpec* spec) { std::free(spec); }
