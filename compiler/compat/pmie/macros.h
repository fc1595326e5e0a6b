// PmieMacros: names of constants, and those that are reserved. Source: spec rules-language.md §4.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/compat/pmie/expr.h"

namespace pmjit::pmie {

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

}  // namespace pmjit::pmie
