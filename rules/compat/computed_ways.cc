#include "rules/compat/computed_ways.h"

#include "rules/compat/evaluator.h"

namespace pmjit::pmie {

namespace {

constexpr std::string_view kGuardTexts[] = {
#define GUARD(name, text) text,
#include "rules/compat/guards.def"
#undef GUARD
    ""};

}  // namespace

std::string_view text_of(Guard guard) { return kGuardTexts[static_cast<size_t>(guard)]; }

void ComputedWays::count(const PmieEvaluator& at, const TimeBlock* block, uint32_t root) {
  for (uint32_t i = at.program().nodes[root].first; i <= root; ++i) {
    const PmieEvaluator::Way way = at.way(i);
    if (way == PmieEvaluator::Way::none) continue;
    Counts& counts = of_[i];
    if (way == PmieEvaluator::Way::core) {
      ++counts.core;
      continue;
    }
    ++counts.interpreted;
    const Proof proof = at.proof(i);
    if (!is_core(proof)) continue;
    Guard guard = Guard::values;
    if (proof == Proof::column && block != nullptr) guard = block->guard(at.sharing().nodes[i]);
    if (guard != Guard::held) ++counts.failed[static_cast<size_t>(guard)];
  }
}

}  // namespace pmjit::pmie
