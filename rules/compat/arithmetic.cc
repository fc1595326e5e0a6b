// Numbers of numbers, and truth of numbers, texts and truth. Source: spec rules-language.md §7–§9.
#include <algorithm>

#include "rules/compat/evaluator.h"
#include "rules/compat/operators.h"

namespace pmjit::pmie {

// Also relations: what differs is the operation alone.
void PmieEvaluator::arithmetic(uint32_t index) const {
  const PmieNode& node = program_->nodes[index];
  NodeState& state = of_node(index);
  const Samples left(of_node(node.left));
  state.end(node.right == kNone
                ? signed_numbers(node.op, left, next_of(state))
                : pair_numbers(node, left, Samples(of_node(node.right)), next_of(state)));
}

// False where a text is missing, of == and of != (Q32).
void PmieEvaluator::text_relation(uint32_t index) {
  const PmieNode& node = program_->nodes[index];
  NodeState& state = of_node(index);
  const NodeState &left = of_node(node.left), &right = of_node(node.right);
  const Pairing pairing = {
      .left_is_set = node.left_is_set, .right_is_set = node.right_is_set, .span = state.span()};
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
  state.stamps[state.slot(0)] = std::max(left.stamps[left.slot(0)], right.stamps[right.slot(0)]);
  state.succeed();
}

void PmieEvaluator::logic(uint32_t index) const {
  const PmieNode& node = program_->nodes[index];
  NodeState& state = of_node(index);
  const uint32_t right = node.right == kNone ? node.left : node.right;
  state.end(connect(node, Samples(of_node(node.left)), Samples(of_node(right)), next_of(state)));
}

void PmieEvaluator::changes(uint32_t index) const {
  const PmieNode& node = program_->nodes[index];
  NodeState& state = of_node(index);
  state.end(change(node.op, Samples(of_node(node.left)), next_of(state)));
}

bool PmieEvaluator::name_matches(const PmieNode& node, size_t element) const {
  const auto place = place_of(*this, node.metrics, element);
  const bool named = place && place->instance != nullptr;
  return named && node.pattern.matches(*place->instance) == (node.op == PmieOp::match_inst);
}

void PmieEvaluator::matches(uint32_t index) const {
  const PmieNode& node = program_->nodes[index];
  NodeState& state = of_node(index);
  const NodeState& of = of_node(node.left);
  state.end(match(
      Samples(of), of.shape.insts, [&](size_t element) { return name_matches(node, element); },
      next_of(state)));
}

}  // namespace pmjit::pmie
