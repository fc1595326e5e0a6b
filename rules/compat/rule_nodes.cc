// Rules, rulesets and when their actions are done. Source: spec rules-language.md §11, §12.
#include "rules/compat/evaluator.h"

namespace pmjit::pmie {

namespace {

bool is(const NodeState& state, double truth) {
  return state.valid > 0 && state.span() > 0 && *state.sample(0) == truth;
}
bool is_true(const NodeState& state) { return is(state, kTrue); }
bool is_false(const NodeState& state) { return is(state, kFalse); }

void set(NodeState& state, double truth) {
  if (state.held > 1) state.rotate();
  state.now()[0] = truth;
  state.succeed();
}

}  // namespace

void PmieEvaluator::copy_value(uint32_t from, uint32_t to) {
  const NodeState& of = of_node(from);
  NodeState& state = of_node(to);
  if (of.valid == 0) return state.fail();
  // A condition of no elements leaves the value that there was.
  set(state, of.span() > 0 ? *of.sample(0) : state.now()[0]);
}

void PmieEvaluator::rule(uint32_t index) {
  const PmieNode& node = program_->nodes[index];
  switch (node.op) {
    case PmieOp::alternatives: return alternatives(index);
    case PmieOp::ruleset: return ruleset(index);
    case PmieOp::others: return;
    default: break;
  }
  evaluate_now(node.left);
  copy_value(node.left, index);
  const std::optional<bool> holds = this->holds(node.left);
  count_outcome(holds);
  if (holds == true) act(index);
}

void PmieEvaluator::count_outcome(const std::optional<bool>& holds) {
  ++(!holds ? outcomes_.unknown : *holds ? outcomes_.yes : outcomes_.no);
}

void PmieEvaluator::act(uint32_t rule) {
  const PmieNode& node = program_->nodes[rule];
  if (world_.hand_over) return world_.hand_over(node.right, rule);
  rule_ = rule;
  evaluate(node.right);
  rule_ = kNone;
}

void PmieEvaluator::evaluate_in_block(uint32_t index) {
  const PmieNode& node = program_->nodes[index];
  if (node.op != PmieOp::rule) return;
  const std::optional<bool> holds = blocks_[index]->condition_holds(index);
  count_outcome(holds);
  if (holds == true) act(index);
}

void PmieEvaluator::pass_untrue(const TimeBlock& block) {
  const TimeBlock::Untrue of = block.untrue();
  outcomes_.no += of.no;
  outcomes_.unknown += of.unknown;
}

// The first true one ends it. Its value is that of the last that had one.
void PmieEvaluator::alternatives(uint32_t index) {
  const PmieNode& node = program_->nodes[index];
  evaluate_now(node.left);
  copy_value(node.left, index);
  if (is_true(of_node(node.left))) return;
  evaluate_now(node.right);
  if (of_node(node.right).valid > 0) copy_value(node.right, index);
}

// Was the condition of one of these rules, none of which is true, false?
bool PmieEvaluator::some_false(uint32_t rules) const {
  const PmieNode& node = program_->nodes[rules];
  if (node.op != PmieOp::alternatives) return is_false(of_node(node.left));
  return some_false(node.left) || some_false(node.right);
}

void PmieEvaluator::ruleset(uint32_t index) {
  const PmieNode& node = program_->nodes[index];
  NodeState& state = of_node(index);
  evaluate_now(node.left);
  copy_value(node.left, index);
  if (node.right == kNone || is_true(of_node(node.left))) return;
  uint32_t unknown = kNone, otherwise = kNone;
  const PmieNode& right = program_->nodes[node.right];
  for (const uint32_t clause : {right.op == PmieOp::others ? right.left : node.right,
                                right.op == PmieOp::others ? right.right : kNone}) {
    if (clause == kNone) continue;
    (program_->nodes[clause].op == PmieOp::unknown_clause ? unknown : otherwise) = clause;
  }
  if (unknown != kNone && !some_false(node.left)) return evaluate(unknown);
  if (otherwise == kNone) return;
  evaluate(otherwise);
  set(state, kTrue);
}

// Its result stays where it is held off; a statement that is only an action has no value.
void PmieEvaluator::action(uint32_t index) {
  if (world_.hand_over) return world_.hand_over(index, kNone);
  const PmieNode& node = program_->nodes[index];
  double& result = of_node(index).now()[0];
  const auto was_true = [&](uint32_t operand) { return of_node(operand).now()[0] == kTrue; };
  if (node.op == PmieOp::in_turn) {
    evaluate(node.left);
    evaluate(node.right);
    result = was_true(node.left) && was_true(node.right) ? kTrue : kFalse;
  } else if (node.op == PmieOp::until_true) {
    evaluate(node.left);
    if (!was_true(node.left)) evaluate(node.right);
    result = was_true(node.left) || was_true(node.right) ? kTrue : kFalse;
  } else if (const auto done = world_.perform(index, rule_)) {
    result = *done ? kTrue : kFalse;
  }
}

}  // namespace pmjit::pmie
