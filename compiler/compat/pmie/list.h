// Listing: an expression as pmie's interactive mode prints it. Source: spec rules-language.md §21.
#pragma once

#include <string>

#include "compiler/compat/pmie/expr.h"
#include "compiler/compat/pmie/rule_reader.h"

namespace pmjit::pmie {

[[nodiscard]] std::string list(const RuleProgram& program, uint32_t node,
                               const RuleMetrics& metrics);
// Spec §14: a number, cut at 23 characters; NaN is `?`.
[[nodiscard]] std::string number_text(double number);

}  // namespace pmjit::pmie
