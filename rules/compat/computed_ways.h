// How the nodes of a run were computed, time by time: by core operators, or interpreted, and which
// guard did not hold. For `pmjit explain rules`.
//
//   ComputedWays ways(program.nodes.size());
//   RuleRun run(program, sources, zone, {.ways = &ways}, put);  …  ways.of(node).held
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/program/guards.h"

namespace pmjit::pmie {

class PmieEvaluator;
class TimeBlock;

class ComputedWays {
 public:
  explicit ComputedWays(size_t nodes) : of_(nodes) {}

  // As the evaluation that has just ended computed the nodes of a statement. `block`: the task's;
  // null: it has none.
  void count(const PmieEvaluator& at, const TimeBlock* block, uint32_t root);
  [[nodiscard]] const GuardCounts& of(uint32_t node) const { return of_[node]; }

 private:
  std::vector<GuardCounts> of_;
};

}  // namespace pmjit::pmie
