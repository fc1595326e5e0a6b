// StrictMacros: macros of the strict dialect: names of numbers, which keep their units, of texts,
// which are one token or a part of one and never read again, and of what the clock says.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/ast/ast.h"
#include "compiler/strict_rules/clock.h"

namespace pmjit::strict {

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
