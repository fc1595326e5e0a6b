// Settings: values that somebody outside of the files gives to their macros, as `--set NAME=VALUE`
// does. A setting takes the place of the constant wherever a file defines that macro, so it is of
// its kind: a text for a text, a number in units of the same dimensions for a number.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "compiler/compat/pmie/expr.h"
#include "runtime/base/result.h"

namespace pmjit::pmie {

// PmieMacros: names of constants, and those that are reserved. Source: spec rules-language.md §4.
struct PmieMacro {
  Sem sem = Sem::number;  // number, truth, text; variable
  double number = 0;      // in canonical units; truth as 0 or 1
  Units units;            // of the number; a reference forgets them
  std::string text;
  Variable variable = Variable::delta;
};

class PmieMacros {
 public:
  PmieMacros();
  void define(const std::string& name, PmieMacro macro) { macros_[name] = std::move(macro); }
  // Null: not defined. Lives until this macro is defined again.
  [[nodiscard]] const PmieMacro* find(std::string_view name) const;

 private:
  std::map<std::string, PmieMacro, std::less<>> macros_;
};

[[nodiscard]] std::string_view name_of(Variable variable);
[[nodiscard]] std::span<const std::string_view> variable_names();

using Settings = std::map<std::string, std::string, std::less<>>;  // the value as written
using MacroNames = std::set<std::string, std::less<>>;

// Of texts NAME=VALUE.
[[nodiscard]] Result<Settings> parse_settings(std::span<const std::string> written);
// What `value` is in the place of `constant`.
[[nodiscard]] Result<PmieMacro> set_macro(const std::string& name, const std::string& value,
                                          const PmieMacro& constant);
// A failure: a setting has a macro that is not defined, so it would change nothing.
[[nodiscard]] Result<void> check_settings(const Settings& settings, const MacroNames& defined);

}  // namespace pmjit::pmie
