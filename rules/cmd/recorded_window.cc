#include "rules/cmd/recorded_window.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "rules/cmd/common.h"
#include "rules/cmd/time_values.h"
#include "runtime/archive/reader/index.h"
#include "runtime/archive/reader/volume_numbers.h"
#include "runtime/archive/recording/archives_source.h"
#include "runtime/archive/recording/marks.h"
#include "runtime/archive/recording/records.h"
#include "runtime/archive/summary/summary.h"
#include "runtime/base/chars.h"

namespace pmjit {

namespace {

std::string recorded_text(const Recorded& recorded, const Zone& zone) {
  return fmt::format("the archive ({} … {})", iso_local(recorded.start, zone),
                     iso_local(recorded.end, zone));
}

constexpr std::string_view kAfter = ", which is after";

// The first whole minute of the recording, if it has one.
Stamp time_within(const Recorded& recorded) {
  constexpr int64_t kMinute = 60;
  const Stamp minute{.sec = (recorded.start.sec / kMinute + 1) * kMinute};
  return std::min(minute, recorded.end);
}

std::string times_help(const Recorded& recorded, const Zone& zone) {
  return fmt::format(
      "a time of the archive is {}; 14:30 is the first 14:30 after its start, and 10min ten "
      "minutes after that",
      iso_local(time_within(recorded), zone));
}

// 25:00, with @ before it or not.
bool has_day_for_hour(std::string_view text) {
  constexpr int kHours = 24;
  constexpr std::string_view kDigits = "0123456789";
  if (text.starts_with('@')) text.remove_prefix(1);
  const size_t colon = text.find(':');
  const std::string_view hour = text.substr(0, colon);
  const bool is_time = colon != std::string_view::npos && (colon == 1 || colon == 2) &&
                       text.find_first_not_of("0123456789:") == std::string_view::npos &&
                       hour.find_first_not_of(kDigits) == std::string_view::npos;
  return is_time && std::stoi(std::string(hour)) >= kHours;
}

// Empty: it is not written like this.
std::string hour_help(std::string_view text) {
  if (!has_day_for_hour(text)) return {};
  return fmt::format(
      "hours go up to 23, so PCP's tools and pmjit read {} as a day of the month; 14:30 and "
      "2026-11-01T14:30:00Z are times",
      text.substr(text.starts_with('@') ? 1 : 0, 2));
}

// 23:00 of 11pm, @11pm and 11 pm. "": it is not written like this.
std::string clock_of(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(1);
  const bool afternoon = text.ends_with("pm") || text.ends_with("PM");
  if (!afternoon && !text.ends_with("am") && !text.ends_with("AM")) return {};
  text.remove_suffix(2);
  while (text.ends_with(' ')) text.remove_suffix(1);
  const bool is_hour = (text.size() == 1 || text.size() == 2) &&
                       text.find_first_not_of("0123456789") == std::string_view::npos;
  constexpr int kNoon = 12;
  const int hour = is_hour ? std::stoi(std::string(text)) : 0;
  if (hour == 0 || hour > kNoon) return {};
  return fmt::format("{:02}:00", hour % kNoon + (afternoon ? kNoon : 0));
}

// yesterday, noon, "2 hours ago", monday: reckoned from today, whatever the archive is of.
bool is_from_today(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(1);
  constexpr std::string_view kWords[] = {"yesterday", "today", "tomorrow", "noon", "midnight",
                                         "ago",       "last",  "next",     "week", "fortnight"};
  constexpr std::string_view kDays[] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
  if (std::ranges::count_if(text, is_digit) >= 4) return false;  // it has a year
  const auto counts = [&](const std::string& word) {
    const bool is_day = std::ranges::find(kDays, word.substr(0, 3)) != std::end(kDays);
    return std::ranges::find(kWords, word) != std::end(kWords) ||
           (is_day && (word.size() == 3 || word.ends_with("day")));
  };
  std::string word;
  for (const char c : text) {
    const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
    if (letter) word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!letter && counts(std::exchange(word, {}))) return true;
  }
  return counts(word);
}

// A time that PCP's tools and pmjit take for one of today, where the recording is of another day.
// "": it is no such time.
std::string today_help(std::string_view text, const Recorded& recorded, const Zone& zone) {
  const std::string clock = clock_of(text);
  if (!clock.empty()) {
    const auto meant = parse_window({.start = clock, .strict = true}, recorded, zone);
    if (meant && meant->start <= recorded.end) {
      return fmt::format("{} is of today, as in PCP's tools; did you mean {}, which is {}?", text,
                         clock, iso_local(meant->start, zone));
    }
  }
  if (clock.empty() && !is_from_today(text)) return {};
  return fmt::format("{} counts from today, as in PCP's tools; a time of the archive is {}", text,
                     iso_local(time_within(recorded), zone));
}

// How a time that is beside the recording is meant, and written.
std::string outside_help(std::string_view text, const Recorded& recorded, const Zone& zone) {
  if (std::string help = hour_help(text); !help.empty()) return help;
  if (std::string help = epoch_help(text); !help.empty()) return help;
  if (const std::string meant = meant_time(text); !meant.empty()) {
    return fmt::format("did you mean {}?", meant);
  }
  if (text.starts_with("@-")) {
    return fmt::format("@ counts from now; without it, {} is so much before the archive's end",
                       text.substr(1));
  }
  if (text == "now" || text == "@now") {
    return fmt::format(
        "now is the present; the archive's last time is {}, and -5min is 5 minutes "
        "before it",
        iso_local(recorded.end, zone));
  }
  if (std::string help = today_help(text, recorded, zone); !help.empty()) return help;
  return times_help(recorded, zone);
}

// `text`: what was given, and is `what`.
std::unexpected<Error> outside(std::string_view text, const std::string& what,
                               const Recorded& recorded, const Zone& zone) {
  return fail(Error(Fault::usage, fmt::format("{} {}", what, recorded_text(recorded, zone)))
                  .help(outside_help(text, recorded, zone)));
}

// 22.58 is seconds after the start to PCP's tools. Where the recording has that time of day it may
// be meant.
void note_dotted_clock(const std::string& option, std::optional<std::string_view> text,
                       const Recorded& recorded, const Zone& zone) {
  constexpr size_t kLength = 5, kDot = 2;  // HH.MM
  constexpr std::string_view kDigits = "0123456789";
  if (!text || text->size() != kLength || (*text)[kDot] != '.') return;
  std::string clock(*text);
  clock[kDot] = ':';
  const bool digits = clock.find_first_not_of(kDigits) == kDot &&
                      clock.find_first_not_of(kDigits, kDot + 1) == clock.npos;
  if (!digits || has_day_for_hour(clock)) return;
  const auto meant = parse_window({.start = clock, .strict = true}, recorded, zone);
  if (!meant || meant->start > recorded.end) return;
  complain(
      fmt::format("note: {0} {1} is {1} seconds after the archive's start\n"
                  "  help: did you mean {2}, which is {3}?",
                  option, *text, clock, iso_local(meant->start, zone)));
}

// Where the window has no time at all.
std::optional<Error> empty_window(const WindowSpec& spec, const Window& window, const Zone& zone) {
  const auto at = [&](Stamp stamp) { return iso_local(stamp, zone); };
  if (window.start > window.end) {
    return Error(Fault::usage, fmt::format("the window ends at {}, before it begins at {}",
                                           at(window.end), at(window.start)))
        .help("-S gives its begin, -T its end");
  }
  if (window.asked_start && window.asked_end && *window.asked_start == *window.asked_end) {
    return Error(Fault::usage,
                 fmt::format("the window is empty: -T {} equals -S {}", *spec.finish, *spec.start))
        .help("a later -T makes it longer; -s 1 evaluates once, at its begin");
  }
  if (window.asked_origin && *window.asked_origin > window.end) {
    return Error(Fault::usage, fmt::format("-O {} is {}, which is after the window's end ({})",
                                           *spec.origin, at(*window.asked_origin), at(window.end)))
        .help("-O gives the first time of evaluation, between -S and -T");
  }
  return std::nullopt;
}

// -T 22:55 of an archive from 23:00 on, or -S @23:00 -T @22:55: the end is that of the day after,
// though 22:55 of the archive's day was meant. True: it is like that.
bool warn_of_earlier_end(const WindowSpec& spec, const Window& window, const Recorded& recorded,
                         const Zone& zone) {
  constexpr int64_t kDay = 86'400;
  if (!spec.finish || !spec.start || recorded.end.sec - recorded.start.sec >= kDay) return false;
  const auto meant = parse_window({.start = spec.finish, .strict = true}, recorded, zone);
  if (!is_time_of_day(*spec.finish) || !meant) return false;
  const Stamp at = meant->start;
  if (at < recorded.start || at > window.start) return false;
  complain(fmt::format(
      "warning: -T {} is before -S {} on the archive's day, so the day after is meant\n  help: all "
      "follows to the archive's end",
      *spec.finish, *spec.start));
  return true;
}

// What is asked for is not all there: -T 3hour of an archive of ten minutes. Of times that are
// written as others are meant more is said elsewhere.
void note_shortened(const WindowSpec& spec, const Window& window, const Recorded& recorded,
                    const Zone& zone) {
  const bool end_is_told = warn_of_earlier_end(spec, window, recorded, zone) ||
                           has_day_for_hour(spec.finish.value_or(""));
  const auto at = [&](Stamp stamp) { return iso_local(stamp, zone); };
  if (window.asked_start && *window.asked_start < recorded.start) {
    complain(fmt::format("note: -S {} is {}, and the archive begins at {}", *spec.start,
                         at(*window.asked_start), at(recorded.start)));
  }
  if (!end_is_told && window.asked_end && *window.asked_end > recorded.end) {
    const std::string help = today_help(*spec.finish, recorded, zone);
    complain(fmt::format("note: -T {} is {}, and the archive ends at {}{}{}", *spec.finish,
                         at(*window.asked_end), at(recorded.end),
                         help.empty() ? "" : "\n  help: ", help));
  }
  if (!window.asked_origin) return;
  const Stamp origin = *window.asked_origin;
  if (origin >= window.start) return;
  complain(fmt::format("warning: -O {} is {}, outside of the window, so evaluation begins at {}",
                       *spec.origin, at(origin), at(window.origin)));
}

}  // namespace

bool is_time_of_day(std::string_view text) {
  return text.contains(':') && text.find_first_not_of("@0123456789:.") == text.npos;
}

void warn_of_hour(const std::string& option, std::string_view text, Stamp meant, const Zone& zone) {
  const std::string help = hour_help(text);
  if (help.empty()) return;
  complain(
      fmt::format("warning: {} {} is {}\n  help: {}", option, text, iso_local(meant, zone), help));
}

void warn_of_hours(const WindowSpec& spec, const Window& window, const Zone& zone) {
  if (spec.start) warn_of_hour("-S", *spec.start, window.start, zone);
  if (spec.finish) warn_of_hour("-T", *spec.finish, window.end, zone);
  if (spec.origin) warn_of_hour("-O", *spec.origin, window.origin, zone);
}

Recorded recorded_between(Stamp start, Stamp end, const Clock& clock) {
  return {.start = start, .end = end, .now = unix_seconds(clock.wall())};
}

Result<Window> recorded_window(const WindowSpec& spec, const Recorded& recorded, const Zone& zone) {
  auto window = parse_window(spec, recorded, zone);
  if (!window) return window;
  const std::string start = iso_local(window->start, zone), end = iso_local(window->end, zone);
  if (window->start > recorded.end) {
    return outside(*spec.start, fmt::format("-S {} is {}{}", *spec.start, start, kAfter), recorded,
                   zone);
  }
  if (window->end < recorded.start) {
    return outside(*spec.finish, fmt::format("-T {} is {}, which is before", *spec.finish, end),
                   recorded, zone);
  }
  if (window->asked_origin && *window->asked_origin > recorded.end) {
    return outside(
        *spec.origin,
        fmt::format("-O {} is {}{}", *spec.origin, iso_local(*window->asked_origin, zone), kAfter),
        recorded, zone);
  }
  if (auto empty = empty_window(spec, *window, zone)) return fail(*std::move(empty));
  note_shortened(spec, *window, recorded, zone);
  note_dotted_clock("-S", spec.start, recorded, zone);
  note_dotted_clock("-T", spec.finish, recorded, zone);
  if (!window->warning.empty()) complain("warning: " + window->warning);
  warn_of_hours(spec, *window, zone);
  return window;
}

Error window_error(const Error& error, std::span<const Archives* const> archives) {
  if (!error.what().contains(kAfter)) return error;
  for (const Archives* const of_host : archives) {
    const auto damage = damaged_tail(*of_host);
    if (!damage) continue;
    return Error(error).help(fmt::format("{}; so later times are missing\n  help: {}",
                                         Error(*damage).help("").text(), error.help()));
  }
  return error;
}

Result<Stamp> recorded_time(const std::string& option, const std::string& text,
                            const Recorded& recorded, const Zone& zone) {
  const auto there = parse_window({.start = text, .strict = true}, recorded, zone);
  if (!there) {
    const Error& wrong = there.error();
    return fail(Error(wrong.fault(), wrong.what()).at("option", option).help(wrong.help()));
  }
  if (there->start > recorded.end) {
    return outside(
        text, fmt::format("{} {} is {}{}", option, text, iso_local(there->start, zone), kAfter),
        recorded, zone);
  }
  // As a start, what is before the archive would be its start. Seconds need no fraction.
  const auto as_end = parse_window({.finish = text, .strict = true}, recorded, zone);
  if (as_end && as_end->end.sec + 1 < recorded.start.sec) {
    return outside(
        text,
        fmt::format("{} {} is {}, which is before", option, text, iso_local(as_end->end, zone)),
        recorded, zone);
  }
  warn_of_hour(option, text, there->start, zone);
  return there->start;
}

Result<void> whole_up_to(Stamp end, const Archives& archives) {
  const auto last = archives.end();
  if (!last || end < *last) return {};
  const auto damage = damaged_tail(archives);
  if (!damage) return {};
  const std::string name = archives.size() == 1 ? archives[0].name() : "ARCHIVE";
  return fail(Error(*damage).help(fmt::format(
      "times after {} are missing; pmjit info {} shows what can be read", iso_utc(*last), name)));
}

bool has_all_volumes(const Archives& archives) {
  for (size_t i = 0; i < archives.size(); ++i) {
    const auto& index = archives[i].index();
    if (!missing_volumes(volumes_present(archives[i].volumes(), index), index).empty())
      return false;
  }
  return true;
}

bool warn_of_records(const Archives& archives, const WarnOfArchive& warn) {
  const auto tail = damaged_tail(archives);
  bool any = false;
  const ArchiveSummary summary = summarize(archives, {});
  for (const std::string& warning : summary.warnings) warn(warning, false);
  for (const Error& damage : summary.damage) {
    if (tail && damage.place() == tail->place()) continue;
    warn(damage.text(), false);
    any = true;
  }
  return any;
}

Result<void> described_up_to(Stamp end, const ArchivesSource& source) {
  auto damage = source.undescribed().error_until(end);
  if (!damage) return {};
  if (damage->fault() == Fault::not_found)
    return complain("warning: " + damage->text()), Result<void>();
  return fail(*std::move(damage));
}

}  // namespace pmjit
