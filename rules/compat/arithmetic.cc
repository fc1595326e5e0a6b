// Numbers of numbers, and truth of numbers and texts. Source: spec rules-language.md §7, §8.
#include <cmath>

#include "rules/compat/evaluator.h"
#include "rules/compat/node_state.h"

namespace pmjit::pmie {

namespace {

Pairing pairing_of(const PmieNode& node, const NodeState& state) {
  return {.left_is_set = node.left_is_set, .right_is_set = node.right_is_set, .span = state.span()};
}

// The later of the two.
void set_stamp(NodeState& state, const NodeState& left, const NodeState& right) {
  state.stamps[state.slot(0)] = std::max(left.stamps[left.slot(0)], right.stamps[right.slot(0)]);
}

void pair_numbers(PmieOp op, const Pairing& pairing, const double* left, const double* right,
                  double* out) {
  const auto run = [&](auto f) { pair_up(pairing, left, right, out, f); };
  const auto truth = [&](auto f) {
    pair_up(pairing, left, right, out,
            [f](double a, double b) { return f(a, b) ? kTrue : kFalse; });
  };
  switch (op) {
    case PmieOp::add: return run([](double a, double b) { return a + b; });
    case PmieOp::subtract: return run([](double a, double b) { return a - b; });
    case PmieOp::multiply: return run([](double a, double b) { return a * b; });
    case PmieOp::divide: return run([](double a, double b) { return a / b; });
    case PmieOp::equal: return truth([](double a, double b) { return a == b; });
    case PmieOp::unequal: return truth([](double a, double b) { return a != b; });
    case PmieOp::less: return truth([](double a, double b) { return a < b; });
    case PmieOp::less_equal: return truth([](double a, double b) { return a <= b; });
    case PmieOp::greater: return truth([](double a, double b) { return a > b; });
    default: return truth([](double a, double b) { return a >= b; });
  }
}

}  // namespace

void PmieEvaluator::arithmetic(uint32_t index) {
  const PmieNode& node = program_.nodes[index];
  if (node.right != kNone) return relation(index);
  NodeState& state = of_node(index);
  const NodeState& of = of_node(node.left);
  if (of.valid == 0 || !same_span(of, state)) return state.fail();
  const double* const from = of.sample(0);
  double* const to = state.now();
  if (node.op == PmieOp::negate) {
    for (size_t i = 0; i < of.span(); ++i) to[i] = -from[i];
  } else {
    std::copy_n(from, of.span(), to);
  }
  state.stamps[state.slot(0)] = of.stamps[of.slot(0)];
  state.succeed();
}

// Also of numbers: what differs is the operation alone.
void PmieEvaluator::relation(uint32_t index) const {
  const PmieNode& node = program_.nodes[index];
  NodeState& state = of_node(index);
  const NodeState &left = of_node(node.left), &right = of_node(node.right);
  const Pairing pairing = pairing_of(node, state);
  if (left.valid == 0 || right.valid == 0 || !can_pair(pairing, left.span(), right.span())) {
    return state.fail();
  }
  pair_numbers(node.op, pairing, left.sample(0), right.sample(0), state.now());
  set_stamp(state, left, right);
  state.succeed();
}

// False where a text is missing, of == and of != (Q32).
void PmieEvaluator::text_relation(uint32_t index) {
  const PmieNode& node = program_.nodes[index];
  NodeState& state = of_node(index);
  const NodeState &left = of_node(node.left), &right = of_node(node.right);
  const Pairing pairing = pairing_of(node, state);
  if (left.valid == 0 || right.valid == 0) return state.fail();
  // Of texts nothing compared with something is known, too.
  if (state.span() == 0) return state.succeed();
  if (!can_pair(pairing, left.span(), right.span()) || left.texts.empty() || right.texts.empty()) {
    return state.fail();
  }
  const bool equal = node.op == PmieOp::text_equal;
  pair_up(pairing, left.text(0), right.text(0), state.now(),
          [equal](const MaybeText& a, const MaybeText& b) {
            return a && b && (*a == *b) == equal ? kTrue : kFalse;
          });
  set_stamp(state, left, right);
  state.succeed();
}

// rate: per second, of the two newest samples. rising, falling: by the codes of truth (Q8).
void PmieEvaluator::change(uint32_t index) {
  const PmieNode& node = program_.nodes[index];
  NodeState& state = of_node(index);
  const NodeState& of = of_node(node.left);
  if (of.valid < 2 || !same_span(of, state)) return state.fail();
  const double *now = of.sample(0), *before = of.sample(1);
  double* const to = state.now();
  const double seconds = of.stamps[of.slot(0)] - of.stamps[of.slot(1)];
  for (size_t i = 0; i < of.span(); ++i) {
    switch (node.op) {
      case PmieOp::rate: to[i] = (now[i] - before[i]) / seconds; break;
      case PmieOp::rising: to[i] = now[i] > before[i] ? kTrue : kFalse; break;
      default: to[i] = now[i] < before[i] ? kTrue : kFalse; break;
    }
  }
  state.stamps[state.slot(0)] = of.stamps[of.slot(0)];
  state.succeed();
}

}  // namespace pmjit::pmie
