#include "compiler/compat/pmie/macros.h"

#include <array>

namespace pmjit::pmie {
namespace {

constexpr std::array<std::string_view, 7> kVariables = {"delta", "minute", "hour",       "day",
                                                        "month", "year",   "day_of_week"};

}  // namespace

std::string_view name_of(Variable variable) { return kVariables[static_cast<size_t>(variable)]; }

PmieMacros::PmieMacros() {
  for (size_t i = 0; i < kVariables.size(); ++i)
    define(std::string(kVariables[i]),
           {.sem = Sem::variable, .variable = static_cast<Variable>(i)});
}

const PmieMacro* PmieMacros::find(std::string_view name) const {
  const auto found = macros_.find(name);
  return found == macros_.end() ? nullptr : &found->second;
}

}  // namespace pmjit::pmie
