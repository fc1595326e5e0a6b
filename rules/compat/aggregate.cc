// Aggregates and quantifiers over hosts, instances and samples. Source: spec rules-language.md §8,
// §9 (order-dependent, codes of truth added up: Q6, Q7).
#include <span>

#include "rules/compat/evaluator.h"
#include "rules/compat/operators.h"

namespace pmjit::pmie {

void PmieEvaluator::aggregate(uint32_t index) {
  const PmieNode& node = program_->nodes[index];
  NodeState& state = of_node(index);
  const NodeState& of = of_node(node.left);
  if (of.valid == 0) return state.fail();
  if (node.dim == Dim::host) return over_first_elements(index);
  if (node.dim == Dim::inst && of.shape.hosts > 1) {
    return state.end(over_insts_of_hosts(node, counts(index), Samples(of), next_of(state)));
  }
  const auto over = node.dim == Dim::inst ? over_insts : over_samples;
  state.end(over(node, of.shape, Samples(of), next_of(state)));
}

// The first ones of the flat list, as many as there are hosts (Q11). Where the set has fewer
// elements now, pmie reads on: in the sample that lies behind, and then in cleared memory.
void PmieEvaluator::over_first_elements(uint32_t index) {
  const PmieNode& node = program_->nodes[index];
  NodeState& state = of_node(index);
  const NodeState& of = of_node(node.left);
  const auto hosts = static_cast<size_t>(std::max(of.shape.hosts, 0));
  if (of.span() >= hosts) return state.end(over_hosts(node, hosts, Samples(of), next_of(state)));
  state.stamps[state.slot(0)] = of.stamps[of.slot(0)];
  const std::span<const double> ring(of.numbers);
  const auto from = ring.subspan(of.slot(0) * of.span());
  const auto there = from.first(std::min(hosts, from.size()));
  std::vector<double> elements(there.begin(), there.end());
  elements.resize(hosts);
  state.now()[0] = reduce(node, elements);
  state.succeed();
}

}  // namespace pmjit::pmie
