// Quantifiers that are decided by extremes: see core_proofs.h. All that the interpreter would have
// fetched is evaluated, in the same order: histories of counters must not miss a sample.
#include <algorithm>

#include "rules/compat/evaluator.h"

namespace pmjit::pmie {

namespace {

// The comparison with its sides exchanged.
PmieOp turned(PmieOp op) {
  switch (op) {
    case PmieOp::less: return PmieOp::greater;
    case PmieOp::less_equal: return PmieOp::greater_equal;
    case PmieOp::greater: return PmieOp::less;
    case PmieOp::greater_equal: return PmieOp::less_equal;
    default: return op;
  }
}

bool holds(PmieOp op, double a, double b) {
  switch (op) {
    case PmieOp::less: return a < b;
    case PmieOp::less_equal: return a <= b;
    case PmieOp::greater: return a > b;
    default: return a >= b;
  }
}

Verdict opposite(Verdict verdict) {
  if (verdict == Verdict::none) return Verdict::every;
  return verdict == Verdict::every ? Verdict::none : verdict;
}

// Between the extremes there may be such an element, or not.
Verdict of_equality(const Extremes& of, double number) {
  if (number < of.least || number > of.greatest) return Verdict::none;
  return of.least == number && of.greatest == number ? Verdict::every : Verdict::open;
}

// Of the set, on the left.
Verdict of_comparison(PmieOp op, const Extremes& of, double number) {
  if (op == PmieOp::equal) return of_equality(of, number);
  if (op == PmieOp::unequal) return opposite(of_equality(of, number));
  const bool by_greatest = op == PmieOp::greater || op == PmieOp::greater_equal;
  if (!holds(op, by_greatest ? of.greatest : of.least, number)) return Verdict::none;
  const bool every = holds(op, by_greatest ? of.least : of.greatest, number);
  return every ? Verdict::every : Verdict::mixed;
}

Verdict of_connective(PmieOp op, Verdict left, Verdict right) {
  if (left == Verdict::open || right == Verdict::open) return Verdict::open;
  const Verdict decides = op == PmieOp::both ? Verdict::none : Verdict::every;
  if (left == decides || right == decides) return decides;
  const Verdict neutral = opposite(decides);
  if (left == neutral) return right;
  return right == neutral ? left : Verdict::open;
}

}  // namespace

const Extremes& PmieEvaluator::extremes(uint32_t set) {
  KnownExtremes& known = extremes_[plan_->sharing.nodes[set]];
  if (known.round != round_) {
    const NodeState& state = of_node(set);
    known = {.round = round_, .of = extremes_of(state.sample(0), state.span())};
  }
  return known.of;
}

Verdict PmieEvaluator::judge(uint32_t index, double& stamp) {
  index = plan_->sharing.nodes[index];
  const Verdict out = plan_->proofs[index] == Proof::comparison ? judge_comparison(index, stamp)
                                                                : judge_connective(index, stamp);
  const uint32_t state = plan_->node_states[index];
  if (out != Verdict::open && rounds_[state] != round_) made_[state] = Made::put_off;
  return out;
}

Verdict PmieEvaluator::judge_comparison(uint32_t index, double& stamp) {
  const PmieNode& node = program_->nodes[index];
  evaluate_now(node.left);
  evaluate_now(node.right);
  const NodeState &left = of_node(node.left), &right = of_node(node.right);
  const NodeState& set = node.left_is_set ? left : right;
  const NodeState& one = node.left_is_set ? right : left;
  const size_t span = of_node(index).span();
  if (left.valid == 0 || right.valid == 0 || span == 0 || set.span() != span || one.span() == 0) {
    return Verdict::open;
  }
  const Extremes& of = extremes(node.left_is_set ? node.left : node.right);
  if (!of.ordered) return Verdict::open;
  stamp = std::max(left.stamps[left.slot(0)], right.stamps[right.slot(0)]);
  return of_comparison(node.left_is_set ? node.op : turned(node.op), of, *one.sample(0));
}

Verdict PmieEvaluator::judge_connective(uint32_t index, double& stamp) {
  const PmieNode& node = program_->nodes[index];
  const Verdict left = judge(node.left, stamp);
  const auto fits = [&](uint32_t operand) { return same_span(of_node(operand), of_node(index)); };
  if (!fits(node.left)) return Verdict::open;
  switch (node.op) {
    case PmieOp::negation: return opposite(left);
    case PmieOp::match_inst:
    case PmieOp::nomatch_inst: return left == Verdict::none ? left : Verdict::open;
    default: break;
  }
  double right_stamp = 0;
  const Verdict right = judge(node.right, right_stamp);
  if (!fits(node.right)) return Verdict::open;
  stamp = std::max(stamp, right_stamp);
  return of_connective(node.op, left, right);
}

bool PmieEvaluator::decide(uint32_t index) {
  const PmieNode& node = program_->nodes[index];
  double stamp = 0;
  const Verdict verdict = judge(node.left, stamp);
  const PmieShape& shape = of_node(node.left).shape;
  const bool counts = node.op == PmieOp::count || node.op == PmieOp::percent;
  const bool open = verdict == Verdict::open || (counts && verdict == Verdict::mixed);
  if (open || shape.insts < 1 || shape.insts != shape.span()) {
    ++undecided_;
    return false;
  }
  ++decided_;
  made_[plan_->node_states[index]] = Made::decided;
  NodeState& state = of_node(index);
  if (state.held > 1) state.rotate();
  const size_t all = static_cast<size_t>(shape.insts);
  const double true_ones = verdict == Verdict::none ? 0 : static_cast<double>(all);
  double& value = state.now()[0];
  switch (node.op) {
    case PmieOp::count: value = true_ones; break;
    case PmieOp::percent: value = is_share(true_ones, node.number, all) ? kTrue : kFalse; break;
    case PmieOp::all: value = verdict == Verdict::every ? kTrue : kFalse; break;
    default: value = verdict == Verdict::none ? kFalse : kTrue;
  }
  state.stamps[state.slot(0)] = stamp;
  state.succeed();
  return true;
}

// An operand may have been put off likewise. Nothing that they are made of has changed since.
void PmieEvaluator::settle(uint32_t index) const {
  made_[plan_->node_states[index]] = Made::all;
  const PmieNode& node = program_->nodes[index];
  for (const uint32_t operand : {node.left, node.right}) {
    if (operand != kNone) static_cast<void>(settled(operand));
  }
  if (plan_->proofs[index] == Proof::comparison) return arithmetic(index);
  const bool names = node.op == PmieOp::match_inst || node.op == PmieOp::nomatch_inst;
  return names ? matches(index) : logic(index);
}

}  // namespace pmjit::pmie
