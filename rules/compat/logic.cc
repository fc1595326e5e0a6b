// Three-valued logic, and patterns of instance names. Source: spec rules-language.md §8, §9.
#include "rules/compat/evaluator.h"
#include "rules/compat/node_state.h"

namespace pmjit::pmie {

namespace {

double both(double a, double b) {
  if (a == kFalse || b == kFalse) return kFalse;
  return a == kTrue && b == kTrue ? kTrue : kUnknown;
}

double either(double a, double b) {
  if (a == kTrue || b == kTrue) return kTrue;
  return a == kFalse && b == kFalse ? kFalse : kUnknown;
}

// With nothing known of the other side.
double alone(PmieOp op, double x) {
  const double decides = op == PmieOp::both ? kFalse : kTrue;
  return x == decides ? x : kUnknown;
}

double negated(double x) {
  if (x == kUnknown) return kUnknown;
  return x == kTrue ? kFalse : kTrue;
}

}  // namespace

bool PmieEvaluator::usable(uint32_t operand, bool is_set, uint32_t node) const {
  const NodeState& state = of_node(operand);
  if (state.valid == 0 || state.span() == 0) return false;
  return !is_set || state.span() == of_node(node).span();
}

void PmieEvaluator::logic(uint32_t index) const {
  const PmieNode& node = program_.nodes[index];
  NodeState& state = of_node(index);
  const NodeState& left = of_node(node.left);
  if (node.op == PmieOp::negation) {
    if (left.valid == 0 || !same_span(left, state)) return state.fail();
    std::transform(left.sample(0), left.sample(0) + left.span(), state.now(), negated);
    state.stamps[state.slot(0)] = left.stamps[left.slot(0)];
    return state.succeed();
  }
  const NodeState& right = of_node(node.right);
  const bool has_left = usable(node.left, node.left_is_set, index);
  const bool has_right = usable(node.right, node.right_is_set, index);
  if ((!has_left && !has_right) || state.span() == 0) return state.fail();
  const double left_at = left.stamps[left.slot(0)], right_at = right.stamps[right.slot(0)];
  state.stamps[state.slot(0)] = std::max(left_at, right_at);
  const Pairing pairing{
      .left_is_set = node.left_is_set, .right_is_set = node.right_is_set, .span = state.span()};
  if (has_left && has_right) {
    pair_up(pairing, left.sample(0), right.sample(0), state.now(),
            node.op == PmieOp::both ? both : either);
  } else {
    // Of a scalar alone only the first element is written (Q9).
    const NodeState& known = has_left ? left : right;
    const bool is_set = has_left ? node.left_is_set : node.right_is_set;
    const double* const from = known.sample(0);
    for (size_t i = 0; i < (is_set ? state.span() : 1); ++i) {
      state.now()[i] = alone(node.op, from[i]);
    }
  }
  state.succeed();
}

// Where the operand is not false and the name matches: unknown becomes true, too (Q9).
void PmieEvaluator::match(uint32_t index) const {
  const PmieNode& node = program_.nodes[index];
  NodeState& state = of_node(index);
  const NodeState& of = of_node(node.left);
  double* const to = state.now();
  if (state.span() == 0) return state.fail();
  if (of.valid == 0) {
    std::fill_n(to, state.span(), kUnknown);
  } else if (of.shape.insts <= 0) {
    std::fill_n(to, state.span(), kFalse);
  } else {
    const bool wanted = node.op == PmieOp::match_inst;
    for (size_t i = 0; i < std::min(state.span(), of.span()); ++i) {
      const auto place = place_of(*this, node.metrics, i);
      const bool named = place && place->instance != nullptr;
      const bool holds = named && node.pattern.matches(*place->instance) == wanted;
      to[i] = of.sample(0)[i] != kFalse && holds ? kTrue : kFalse;
    }
  }
  state.stamps[state.slot(0)] = of.stamps[of.slot(0)];
  state.succeed();
}

}  // namespace pmjit::pmie
