#include "rules/compat/computed_ways.h"

#include "rules/compat/evaluator.h"

namespace pmjit::pmie {

void ComputedWays::count(const PmieEvaluator& at, const TimeBlock* block, uint32_t root) {
  for (uint32_t i = at.program().nodes[root].first; i <= root; ++i) {
    const PmieEvaluator::Way way = at.way(i);
    if (way == PmieEvaluator::Way::none) continue;
    GuardCounts& counts = of_[i];
    if (way == PmieEvaluator::Way::core) {
      counts.hold(1);
      continue;
    }
    const Proof proof = at.proof(i);
    Guard guard = is_core(proof) ? Guard::values : Guard::held;
    if (proof == Proof::column && block != nullptr) guard = block->guard(at.sharing().nodes[i]);
    if (guard == Guard::held) {
      ++counts.failed;
    } else {
      counts.fail(guard);
    }
  }
}

}  // namespace pmjit::pmie
