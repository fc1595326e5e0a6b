#include "runtime/text/window.h"

#include <algorithm>
#include <utility>

#include "runtime/base/chars.h"
#include "runtime/text/date_text.h"
#include "runtime/text/interval.h"

namespace pmjit {

namespace {

constexpr std::string_view kForms =
    "understood are: 10min or +10min (after the start), -1h (before the end), \"2 hours ago\", "
    "3/15/2024 14:00, and @ with a date as ctime prints it (@12:30, @Nov 14 22:13, @14 22:13:20 "
    "2023)";
constexpr std::string_view kIso = "; 2023-11-14T22:13:20Z, 2023-11-14 22:13 (local time)";
constexpr std::string_view kBlanks = " \t\n\v\f\r";

bool has_end(Stamp end) { return end.sec != kStampMax.sec; }

// Beyond what a stamp holds is the farthest stamp: a window is clamped to its recording anyhow.
Stamp clamped(Nanos sec, int64_t nsec) {
  if (sec > kStampMax.sec) return kStampMax;
  if (sec < kStampMin.sec) return kStampMin;
  return {static_cast<int64_t>(sec), static_cast<int32_t>(nsec)};
}
Stamp clamped(Nanos ns) {
  return stamp_from_nanos(std::clamp(ns, nanos(kStampMin), nanos(kStampMax)));
}

// A whole second of nanoseconds is not carried; more is.
Stamp later(Stamp base, NanoTime by) {
  const int64_t part = base.nsec + by.part;
  const bool carry = part > NanoTime::kPerSecond;
  return clamped(Nanos{base.sec} + by.sec + carry, part - (carry ? NanoTime::kPerSecond : 0));
}

Stamp earlier(Stamp base, NanoTime by) {
  const int64_t part = base.nsec - by.part;
  const bool borrow = part < 0;
  return clamped(Nanos{base.sec} - by.sec - borrow, part + (borrow ? NanoTime::kPerSecond : 0));
}

NanoTime cut_to_32_bits(NanoTime time) {
  return {static_cast<int32_t>(time.sec), static_cast<int32_t>(time.part)};
}

std::string align_message(std::string_view align) {
  return caret_text(align, 0, "alignment specified by -A switch could not be applied");
}

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
}

// Times as -S -T -O write them.
// 13:44, 13:44:10.5, 10:59pm, without a date.
bool is_time_of_day(std::string_view text) {
  for (const std::string_view half : {"am", "pm"}) {
    if (text.ends_with(half)) text.remove_suffix(half.size());
  }
  const size_t colon = text.find(':');
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return colon != text.npos && colon > 0 && std::ranges::all_of(text, [&](char c) {
           return is_digit(c) || c == ':' || c == '.' || kBlanks.contains(c);
         });
}

// 22:58 UTC, 22:58Z: a time of day and its zone, without a date.
bool is_time_in_zone(std::string_view text) {
  const size_t word = static_cast<size_t>(std::ranges::find_if(text, is_letter) - text.begin());
  if (word == text.size() || !is_time_of_day(text.substr(0, word))) return false;
  DateTokens tokens(text.substr(word));
  const DateKind kind = tokens.take().kind;
  return (kind == DateKind::zone || kind == DateKind::summer_zone) &&
         tokens.next().kind == DateKind::end;
}

class Times {
 public:
  Times(const WindowSpec& spec, const Recorded& recorded, const Zone& zone)
      : strict_(spec.strict), now_(recorded.now), zone_(zone) {}

  Result<Stamp> parse(std::string_view text, Stamp start, Stamp end) {
    skip_blanks(text);
    const bool at_sign = text.starts_with('@');
    if (at_sign) text.remove_prefix(1);
    if (strict_ && has_end(end) && is_time_in_zone(text)) {
      if (const auto sec = first_from(text, start, end)) return Stamp{*sec, 0};
    }
    if (at_sign) {
      auto stamp = parse_ctime(text, start, zone_, guess_);
      return stamp ? stamp : or_date(text, text, start, end, stamp.error());
    }
    if (strict_ && has_end(end) && is_time_of_day(text)) {
      if (auto stamp = parse_ctime(text, start, zone_, guess_)) return stamp;
    }
    const std::string_view whole = text;
    const bool before_end = text.starts_with('-') && has_end(end);
    if (before_end || text.starts_with('+')) text.remove_prefix(1);
    const auto interval = parse_interval<NanoTime>(text);
    if (!interval) return or_date(text, whole, start, end, interval.error());
    if (strict_ && interval->sec == INT64_MIN) {
      return fail(Fault::usage, caret_text(text, 0, "more seconds than a time can hold"));
    }
    const NanoTime by = strict_ ? *interval : cut_to_32_bits(*interval);
    return before_end ? earlier(end, by) : later(start, by);
  }

 private:
  // A time of day in a zone of its own, the first from the start on.
  std::optional<int64_t> first_from(std::string_view text, Stamp start, Stamp end) {
    constexpr int64_t kDay = 86'400;
    const auto sec =
        parse_date(text, {.start = start.sec, .end = end.sec, .now = start.sec}, zone_);
    if (!sec) return std::nullopt;
    const int64_t past = (*sec - start.sec) % kDay;
    return start.sec + (past < 0 ? past + kDay : past);
  }

  // The first parser's message stands, for it says where the text stopped making sense.
  Result<Stamp> or_date(std::string_view text, std::string_view whole, Stamp start, Stamp end,
                        const Error& first) {
    if (strict_) {
      if (auto stamp = parse_iso(whole, zone_)) return *stamp;
    }
    skip_blanks(text);
    if (text.starts_with('@')) text.remove_prefix(1), skip_blanks(text);
    const DateBases bases{.start = start.sec,
                          .end = has_end(end) ? std::optional(end.sec) : std::nullopt,
                          .now = now_};
    if (const auto sec = parse_date(text, bases, zone_)) return Stamp{*sec, 0};
    return fail(
        Error(Fault::usage, first.what()).help(std::string(kForms).append(strict_ ? kIso : "")));
  }

  bool strict_;
  int64_t now_;
  const Zone& zone_;
  int64_t guess_ = 0;  // from text to text, as from call to call of mktime()
};

Nanos round_up(Nanos value, Nanos step) {
  Nanos rest = value % step;
  if (rest < 0) rest += step;
  return rest == 0 ? value : value + step - rest;
}

// The origin rounded up to a multiple of `step`, or one step below that where it lies past the end.
// Without an end 6.0.3 always takes that step down.
std::optional<Stamp> aligned_origin(Stamp origin, Nanos step, const Window& window) {
  if (step < 0) return std::nullopt;
  Nanos up = round_up(nanos(origin), step);
  if (!has_end(window.end) || up > nanos(window.end)) up -= step;
  if (up < nanos(window.start) || up > nanos(window.end)) return std::nullopt;
  return clamped(up);
}

Stamp micro(Stamp s) { return {s.sec, s.nsec / 1'000 * 1'000}; }

}  // namespace

Result<Window> parse_window(const WindowSpec& spec, const Recorded& recorded, const Zone& zone) {
  Times times(spec, recorded, zone);
  const Stamp log_start = recorded.start, log_end = recorded.end;
  Window window{.start = log_start, .end = log_end, .origin = log_start, .warning = {}};
  if (spec.start) {
    auto start = times.parse(*spec.start, window.start, window.end);
    if (!start) return fail(start.error().at("option", "-S"));
    window.asked_start = *start;
    window.start = std::max(*start, log_start);
  }
  Nanos step = 0;
  if (spec.align) {
    const auto interval = parse_interval<NanoTime>(*spec.align);
    if (!interval) return fail(interval.error().at("option", "-A"));
    step = Nanos{interval->sec} * NanoTime::kPerSecond + interval->part;
    if (step == 0) {
      return fail(Error(Fault::usage, align_message(*spec.align)).at("option", "-A"));
    }
    // The least number stands for "nan" and what is beyond a time: nothing is a multiple of it.
    const Nanos up = step < 0 ? nanos(kStampMax) : round_up(nanos(window.start), step);
    if (up < nanos(log_start) || up > nanos(log_end)) {
      window.aligned = false;
    } else {
      window.start = clamped(up);
    }
  }
  if (spec.finish) {
    auto end = times.parse(*spec.finish, window.start, window.end);
    if (!end) return fail(end.error().at("option", "-T"));
    window.asked_end = *end;
    window.end = std::min(*end, log_end);
  }
  window.origin = window.start;
  if (!window.aligned && !spec.finish) window.warning = align_message(*spec.align);
  if (!spec.origin) return window;
  auto origin = times.parse(*spec.origin, window.start, window.end);
  if (!origin) return fail(origin.error().at("option", "-O"));
  window.asked_origin = *origin;
  window.origin = *origin < window.start ? window.start : std::min(*origin, window.end);
  if (step == 0) return window;
  if (auto aligned = aligned_origin(window.origin, step, window)) {
    window.origin = *aligned;
  } else {
    window.aligned = false;
    window.warning = align_message(*spec.align);
  }
  return window;
}

Result<Window> parse_micro_window(const WindowSpec& spec, const Recorded& recorded,
                                  const Zone& zone) {
  auto window = parse_window(
      spec, {.start = micro(recorded.start), .end = micro(recorded.end), .now = recorded.now},
      zone);
  if (!window) return window;
  return cut_to_microseconds(*std::move(window));
}

Window cut_to_microseconds(Window window) {
  for (Stamp* time : {&window.start, &window.end, &window.origin}) *time = micro(*time);
  return window;
}

}  // namespace pmjit
