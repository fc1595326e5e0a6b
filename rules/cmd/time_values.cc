#include "rules/cmd/time_values.h"

#include "runtime/text/interval.h"
#include "runtime/text/window.h"

namespace pmjit {

std::string wrong_interval(const std::string& value) {
  const auto time = parse_interval<NanoTime>(value);
  if (!time) return "is no interval; use 10s, 1min, 2h";
  const NanoTime step = pm_inc(*time, NanoTime{});  // carries
  const bool forward = step.sec > 0 || (step.sec == 0 && step.part > 0);
  return forward ? "" : "is no step forward; use 10s, 1min, 2h";
}

// Of which recording it is does not matter to how it is written.
std::string wrong_time(const std::string& value) {
  constexpr int64_t kAnyEnd = 1'000'000'000;
  const Recorded any{.start = Stamp{}, .end = Stamp{.sec = kAnyEnd}, .now = kAnyEnd};
  if (parse_window({.start = value, .strict = true}, any, Zone("UTC"))) return "";
  return "is no time; use 10min (after the start), -1hour (before the end), @14:30, "
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
