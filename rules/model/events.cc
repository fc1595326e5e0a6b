#include "rules/model/events.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

namespace pmjit {

namespace {

// A number that is not negative.
void put_number(std::string& out, int64_t number, int width) {
  char digits[20];
  size_t at = sizeof digits;
  for (; number > 0 || width > 0; number /= 10, --width) {
    digits[--at] = static_cast<char>('0' + number % 10);
  }
  out.append(digits + at, sizeof digits - at);
}

}  // namespace

std::string_view rule_truth_text(RuleTruth truth) {
  switch (truth) {
    case RuleTruth::no: return "false";
    case RuleTruth::yes: return "true";
    case RuleTruth::unknown: break;
  }
  return "unknown";
}

RuleStep step(const RuleState& state, RuleTruth truth, double now) {
  if (state.truth == truth) return {.state = state};
  const bool is_first = !state.truth;
  return {.state = {.truth = truth, .since = now},
          .transition = Transition{.from = state.truth.value_or(RuleTruth::unknown),
                                   .to = truth,
                                   .is_first = is_first,
                                   .when = now,
                                   .lasted = is_first ? 0 : now - state.since}};
}

bool ReplaySchema::is_told_as_alert(const RuleTransition& event) const {
  const Transition& change = event.transition;
  const bool was_true = !change.is_first && change.from == RuleTruth::yes;
  return is_alert(event.rule) && (was_true || change.to == RuleTruth::yes);
}

std::string event_time_text(double when, Zone& zone) {
  const auto ms = static_cast<int64_t>(std::llround(when * 1e3));
  const int64_t sec = (ms >= 0 ? ms : ms - 999) / 1000;
  const std::tm local = zone.local(sec);
  const int64_t year = int64_t{local.tm_year} + 1900;
  std::string out;
  if (year < 0) {
    out = fmt::format("{:04}", year);
  } else {
    put_number(out, year, 4);
  }
  const auto put_two = [&out](char before, int number) {
    out += before;
    put_number(out, number, 2);
  };
  put_two('-', local.tm_mon + 1);
  put_two('-', local.tm_mday);
  put_two(' ', local.tm_hour);
  put_two(':', local.tm_min);
  put_two(':', local.tm_sec);
  if (ms != sec * 1000) {
    out += '.';
    put_number(out, ms - sec * 1000, 3);
  }
  out += zone_suffix(sec, zone);
  return out;
}

double whole_micros(double seconds) { return std::round(seconds * 1e6) / 1e6; }

std::string duration_text(double seconds) {
  struct Unit {
    int64_t ms;
    char letter;
  };
  static constexpr std::array<Unit, 3> kUnits = {
      {{86'400'000, 'd'}, {3'600'000, 'h'}, {60'000, 'm'}}};
  seconds = whole_micros(seconds);
  if (seconds < 1) return fmt::format("{:g}s", seconds);
  int64_t left = std::llround(seconds * 1e3);
  std::string out;
  int parts = 0;
  for (const Unit& unit : kUnits) {
    const int64_t n = left / unit.ms;
    left -= n * unit.ms;
    if (n == 0) continue;
    out += fmt::format("{}{}", n, unit.letter);
    if (++parts == 2) return out;
  }
  if (left > 0) out += fmt::format("{:g}s", static_cast<double>(left) / 1e3);
  return out;
}

}  // namespace pmjit
