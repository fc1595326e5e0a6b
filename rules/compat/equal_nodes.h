// Which nodes are one and the same: they have the same values at the same times, so that one of
// them is evaluated. Source: spec rules-language.md §29.2.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/compat/pmie/expr.h"

namespace pmjit::pmie {

struct Sharing {
  std::vector<uint32_t> nodes;    // of each node the one that stands for it
  std::vector<uint32_t> fetches;  // of each fetch likewise
  // Of those that stand for others: every evaluation of their task evaluates them.
  std::vector<bool> always;
};

// `tasks`: of each statement. Only what every evaluation of its task evaluates is shared: the ring
// of what a ruleset may pass over is its own.
[[nodiscard]] Sharing find_shared(const RuleProgram& program, const std::vector<uint32_t>& tasks);

}  // namespace pmjit::pmie
