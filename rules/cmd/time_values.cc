#include "rules/cmd/time_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "runtime/base/chars.h"
#include "runtime/model/stamp.h"
#include "runtime/text/date_text.h"
#include "runtime/text/interval.h"
#include "runtime/text/window.h"

namespace pmjit {

namespace {

// "500ms" means 500 minutes to PCP's tools, for m is a minute and a plural s is dropped. Few who
// write it mean that. Empty: it is not written like this.
std::string wrong_milliseconds(std::string_view value) {
  constexpr std::string_view kNumber = "0123456789.";
  for (size_t at = 0; (at = value.find_first_of("mM", at)) != value.npos; ++at) {
    if (at == 0 || value.size() < at + 2 || (value[at + 1] != 's' && value[at + 1] != 'S') ||
        (at + 2 < value.size() && is_letter(value[at + 2]))) {
      continue;
    }
    const size_t end = value.find_last_not_of(' ', at - 1) + 1;
    const size_t before = value.find_last_not_of(kNumber, end - 1);
    const size_t begin = before == value.npos ? 0 : before + 1;
    const std::string_view number = value.substr(begin, end - begin);
    if (number.empty()) continue;
    return fmt::format("is not clear, for PCP's tools read ms as minutes; use {0}msec or {0}min",
                       number);
  }
  return "";
}

constexpr std::string_view kDottedNumber = "0123456789.";

// The first run of digits and dots with two dots at least, which PCP's tools read as two numbers.
std::string_view dotted(std::string_view text) {
  size_t at = 0;
  while ((at = text.find_first_of(kDottedNumber, at)) != text.npos) {
    const size_t end = std::min(text.find_first_not_of(kDottedNumber, at), text.size());
    const std::string_view run = text.substr(at, end - at);
    if (std::ranges::count(run, '.') > 1) return run;
    at = end;
  }
  return {};
}

// "2026-11-26" of 26.11.2026, 26.11.26, 2026.11.26 and 11.26.2026; "": it is no such date.
std::string date_of_dotted(std::string_view run) {
  std::array<int, 3> parts{};
  const char *at = run.data(), *const end = at + run.size();
  for (int& part : parts) {
    if (&part != parts.data() && (at == end || *at++ != '.')) return "";
    const auto [rest, error] = std::from_chars(at, end, part);
    if (error != std::errc()) return "";
    at = rest;
  }
  const size_t last_digits = run.size() - run.rfind('.') - 1;
  if (at != end || last_digits < 2) return "";
  constexpr int kMonths = 12, kCentury = 2000, kTwoDigits = 100;
  auto [day, month, year] = parts;
  if (day >= kTwoDigits) std::swap(day, year);
  if (month > kMonths) std::swap(day, month);
  if (year < kTwoDigits) year += kCentury;
  std::string date = fmt::format("{:04}-{:02}-{:02}", year, month, day);
  return parse_iso(date, Zone("UTC")) ? date : "";
}

constexpr const char* kTimeForms =
    "is not a time; use 10min (after the start), -1hour (before the end), @14:30, "
    "2024-03-01T14:30:00Z or \"2 hours ago\"";

// 26/11/2026; PCP's tools take 11/26/2026.
std::string date_with_slashes(std::string value) {
  if (value.find_first_not_of("0123456789/") != value.npos) return "";
  std::ranges::replace(value, '/', '.');
  return date_of_dotted(value);
}

// 22:55-23:00: two times of day.
std::string window_meant(std::string_view value) {
  const size_t dash = value.find('-');
  if (dash == value.npos || dash == 0) return "";
  const std::string_view parts[] = {value.substr(0, dash), value.substr(dash + 1)};
  const bool clocks = std::ranges::all_of(parts, [](std::string_view part) {
    return part.contains(':') && is_digit(part.front()) &&
           part.find_first_not_of("0123456789:") == part.npos;
  });
  return clocks ? fmt::format("is two times; write -S {} -T {}", parts[0], parts[1]) : "";
}

// 2026-11-26_23:00, now-1h
std::string time_of_others(const std::string& value) {
  constexpr size_t kDate = 10;  // 2026-11-26
  if (value.size() > kDate && value[kDate] == '_') {
    std::string meant = value;
    meant[kDate] = 'T';
    if (parse_iso(meant, Zone("UTC"))) return fmt::format("is not a time; did you mean {}?", meant);
  }
  if (value == "now") return "is not a time; leave it out, or write \"1 hour ago\"";
  constexpr std::string_view kNow = "now-";
  if (!value.starts_with(kNow)) return "";
  const std::string back = value.substr(kNow.size());
  if (back.empty() || !wrong_interval(back).empty()) return "";
  return fmt::format("is not a time; write -{0} before the end of the archive, or \"{0} ago\"",
                     back);
}

// What is wrong with a European date: PCP's tools read 26.11.2026 as 26.11 seconds. "": nothing.
std::string wrong_dots(std::string_view value) {
  const std::string_view run = dotted(value);
  if (run.empty()) return "";
  const std::string date = date_of_dotted(run);
  if (date.empty()) return kTimeForms;
  std::string meant(value);
  meant.replace(static_cast<size_t>(run.data() - value.data()), run.size(), date);
  if (meant.starts_with('@')) meant.erase(0, 1);
  const bool bare = meant.find(' ') == meant.npos;
  return fmt::format("is not a time; did you mean {}?", bare ? meant : '"' + meant + '"');
}

}  // namespace

std::string wrong_interval(const std::string& value) {
  if (std::string unclear = wrong_milliseconds(value); !unclear.empty()) return unclear;
  if (!dotted(value).empty()) return "is not an interval; use 10s, 1min, 2h";
  const auto time = parse_interval<NanoTime>(value);
  if (!time) return "is not an interval; use 10s, 1min, 2h";
  const NanoTime step = pm_inc(*time, NanoTime{});  // carries
  const bool forward = step.sec > 0 || (step.sec == 0 && step.part > 0);
  return forward ? "" : "is not above zero; use 10s, 1min, 2h";
}

std::string meant_time(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr size_t kDateDigits = 8, kYear = 4, kYearAndMonth = 6;
  if (text.starts_with('@') || text.starts_with('+')) text.remove_prefix(1);
  if (text.size() == kDateDigits && text.find_first_not_of(kDigits) == text.npos) {
    const std::string date = fmt::format("{}-{}-{}", text.substr(0, kYear), text.substr(kYear, 2),
                                         text.substr(kYearAndMonth));
    return parse_iso(date, Zone("UTC")) ? date : "";
  }
  // 22h58: 22 hours and 58 seconds.
  const size_t hour = text.find('h');
  const bool is_clock = (hour == 1 || hour == 2) && text.size() == hour + 3 &&
                        text.substr(0, hour).find_first_not_of(kDigits) == text.npos &&
                        text.substr(hour + 1).find_first_not_of(kDigits) == text.npos;
  return is_clock ? fmt::format("{}:{}", text.substr(0, hour), text.substr(hour + 1)) : "";
}

std::string epoch_help(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(1);
  const std::string_view seconds = text.substr(0, text.find('.'));
  constexpr size_t kDigitsLeast = 9, kDigitsMost = 10;  // from 1973 to 2286
  const bool is_number = seconds.size() >= kDigitsLeast && seconds.size() <= kDigitsMost &&
                         text.find_first_not_of("0123456789.") == text.npos;
  if (!is_number) return "";
  const Stamp stamp{.sec = std::stoll(std::string(seconds))};
  return fmt::format("seconds since 1970 are written as a date: {}", iso_utc(stamp));
}

// Of which recording it is does not matter to how it is written.
std::string wrong_time(const std::string& value) {
  if (std::string unclear = wrong_milliseconds(value); !unclear.empty()) return unclear;
  if (std::string date = wrong_dots(value); !date.empty()) return date;
  constexpr int64_t kAnyEnd = 1'000'000'000;
  const Recorded any{.start = Stamp{}, .end = Stamp{.sec = kAnyEnd}, .now = kAnyEnd};
  if (parse_window({.start = value, .strict = true}, any, Zone("UTC"))) return "";
  if (const std::string help = epoch_help(value); !help.empty()) return "is not a time; " + help;
  if (std::string window = window_meant(value); !window.empty()) return window;
  if (std::string other = time_of_others(value); !other.empty()) return other;
  if (const std::string date = date_with_slashes(value); !date.empty()) {
    return fmt::format("is not a time; did you mean {}?", date);
  }
  return kTimeForms;
}

CommandOption finish_option(std::string& finish) {
  return {.names = "-T,--finish",
          .target = &finish,
          .value = "TIME",
          .what = "end, written like the start",
          .wrong = wrong_time,
          .daily = true};
}

}  // namespace pmjit
