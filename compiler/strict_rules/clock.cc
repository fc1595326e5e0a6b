#include "compiler/strict_rules/clock.h"

#include <algorithm>
#include <iterator>

namespace pmjit::strict {

namespace {

constexpr ClockVariable kVariables[] = {
    {"$minute", 0, 59, [](const std::tm& local) { return int32_t{local.tm_min}; }},
    {"$hour", 0, 23, [](const std::tm& local) { return int32_t{local.tm_hour}; }},
    {"$day", 1, 31, [](const std::tm& local) { return int32_t{local.tm_mday}; }},
    {"$month_of_year", 1, 12, [](const std::tm& local) { return int32_t{local.tm_mon + 1}; }},
    {"$year", 1900, INT32_MAX, [](const std::tm& local) { return int32_t{local.tm_year + 1900}; }},
    {"$day_of_week", 0, 6, [](const std::tm& local) { return int32_t{local.tm_wday}; }},
};

}  // namespace

std::span<const ClockVariable> clock_variables() { return kVariables; }

const ClockVariable* find_clock_variable(std::string_view operand) {
  const auto* const found = std::ranges::find(kVariables, operand, &ClockVariable::operand);
  return found == std::end(kVariables) ? nullptr : found;
}

}  // namespace pmjit::strict
