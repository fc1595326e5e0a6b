#include "rules/cmd/time_values.h"

#include <fmt/format.h>

#include "runtime/base/chars.h"
#include "runtime/model/stamp.h"
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

}  // namespace

std::string wrong_interval(const std::string& value) {
  if (std::string unclear = wrong_milliseconds(value); !unclear.empty()) return unclear;
  const auto time = parse_interval<NanoTime>(value);
  if (!time) return "is not an interval; use 10s, 1min, 2h";
  const NanoTime step = pm_inc(*time, NanoTime{});  // carries
  const bool forward = step.sec > 0 || (step.sec == 0 && step.part > 0);
  return forward ? "" : "is not above zero; use 10s, 1min, 2h";
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
  constexpr int64_t kAnyEnd = 1'000'000'000;
  const Recorded any{.start = Stamp{}, .end = Stamp{.sec = kAnyEnd}, .now = kAnyEnd};
  if (parse_window({.start = value, .strict = true}, any, Zone("UTC"))) return "";
  if (const std::string help = epoch_help(value); !help.empty()) return "is not a time; " + help;
  return "is not a time; use 10min (after the start), -1hour (before the end), @14:30, "
         "2024-03-01T14:30:00Z or \"2 hours ago\"";
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
