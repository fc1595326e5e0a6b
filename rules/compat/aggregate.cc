// Aggregates and quantifiers over hosts, instances and samples. Source: spec rules-language.md §8,
// §9 (order-dependent, codes of truth added up: Q6, Q7).
#include <span>

#include "rules/compat/evaluator.h"
#include "rules/compat/operators.h"

namespace pmjit::pmie {

void PmieEvaluator::aggregate(uint32_t index) {
  const PmieNode& node = program_.nodes[index];
  NodeState& state = of_node(index);
  const NodeState& of = of_node(node.left);
  if (of.valid == 0) return state.fail();
  if (node.dim == Dim::host) return over_hosts(index);
  if (node.dim == Dim::inst && of.shape.hosts > 1) return over_insts_of_hosts(index);
  const auto over = node.dim == Dim::inst ? over_insts : over_samples;
  state.end(over(node, of.shape, Samples(of), next_of(state)));
}

// The first ones of the flat list, as many as there are hosts (Q11). Where the set has fewer
// elements now, pmie reads on: in the sample that lies behind, and then in cleared memory.
void PmieEvaluator::over_hosts(uint32_t index) {
  const PmieNode& node = program_.nodes[index];
  NodeState& state = of_node(index);
  const NodeState& of = of_node(node.left);
  const size_t hosts = static_cast<size_t>(std::max(of.shape.hosts, 0));
  state.stamps[state.slot(0)] = of.stamps[of.slot(0)];
  if (hosts == 0) return state.fail();
  if (of.span() >= hosts) {
    state.now()[0] = reduce(node, {of.sample(0), hosts});
    return state.succeed();
  }
  const std::span<const double> ring(of.numbers);
  const auto from = ring.subspan(of.slot(0) * of.span());
  const auto there = from.first(std::min(hosts, from.size()));
  std::vector<double> elements(there.begin(), there.end());
  elements.resize(hosts);
  state.now()[0] = reduce(node, elements);
  state.succeed();
}

// Each host begins with the last element of the one before.
void PmieEvaluator::over_insts_of_hosts(uint32_t index) {
  const PmieNode& node = program_.nodes[index];
  NodeState& state = of_node(index);
  const NodeState& of = of_node(node.left);
  state.stamps[state.slot(0)] = of.stamps[of.slot(0)];
  size_t at = 0, host = 0;
  for (const int32_t count : counts(index)) {
    if (count == 0) {
      // What later hosts had stays (Q12).
      if (kind_of(node.op) != OpKind::quantifier) return state.fail();
      state.now()[host] = kUnknown;
      break;
    }
    if (at + static_cast<size_t>(count) > of.span() || host >= state.span()) break;
    state.now()[host++] = reduce(node, {of.sample(0) + at, static_cast<size_t>(count)});
    at += static_cast<size_t>(count) - 1;
  }
  state.succeed();
}

}  // namespace pmjit::pmie
