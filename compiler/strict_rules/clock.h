// The variables of time in rules of the strict dialect: `$hour` and the like. Each is an operand
// without instances, units or history of its own, under a name that no metric has, and its value is
// that of the clock on the wall at the time of the evaluation. Source: spec rules-language.md §4,
// dialects.md rows 25 and 26.
#pragma once

#include <cstdint>
#include <ctime>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "compiler/ast/ast.h"

namespace pmjit::strict {

struct ClockVariable {
  std::string_view operand;  // "$hour"
  int32_t least, greatest;   // that it has
  int32_t (*of)(const std::tm& local);

  [[nodiscard]] std::string_view name() const { return operand.substr(1); }
};

[[nodiscard]] std::span<const ClockVariable> clock_variables();
// Null: it is another operand.
[[nodiscard]] const ClockVariable* find_clock_variable(std::string_view operand);

// StrictMacros: macros of the strict dialect: names of numbers, which keep their units, of texts,
// which are one token or a part of one and never read again, and of what the clock says.
struct StrictMacro {
  std::optional<Ast> number;
  const ClockVariable* clock = nullptr;
  std::string text;  // of what is neither
  Span span;         // where it is defined; a clock is nowhere
  bool used = false;

  [[nodiscard]] bool is_text() const { return !number && clock == nullptr; }
};

using StrictMacros = std::map<std::string, StrictMacro, std::less<>>;

}  // namespace pmjit::strict
