// match_inst with a pattern that none of the instances there are fits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/compat/pmie/expr.h"
#include "compiler/diag/no_match.h"

namespace pmjit::pmie {

struct UnmatchedPattern {
  NoMatch what;
  std::vector<std::string> instances;  // of all hosts of the fetch
};
// None: another node, one that selects somebody, or nobody knows the instances.
[[nodiscard]] std::optional<UnmatchedPattern> unmatched_pattern(const RuleProgram& program,
                                                                const PmieNode& node);

// A line for each of them in the statements, with its help.
[[nodiscard]] std::vector<std::string> unmatched_warnings(const RuleProgram& program);

}  // namespace pmjit::pmie
