// The variables of time in rules of the strict dialect: `$hour` and the like. Each is an operand
// without instances, units or history of its own, under a name that no metric has, and its value is
// that of the clock on the wall at the time of the evaluation. Source: spec rules-language.md §4,
// dialects.md rows 25 and 26.
#pragma once

#include <cstdint>
#include <ctime>
#include <span>
#include <string_view>

namespace pmjit::strict {

struct ClockVariable {
  std::string_view operand;  // "$hour"
  int32_t (*of)(const std::tm& local);

  [[nodiscard]] std::string_view name() const { return operand.substr(1); }
};

[[nodiscard]] std::span<const ClockVariable> clock_variables();
// Null: it is another operand.
[[nodiscard]] const ClockVariable* find_clock_variable(std::string_view operand);

}  // namespace pmjit::strict
