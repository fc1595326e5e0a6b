#include "rules/compat/evaluator.h"

#include <algorithm>
#include <utility>

#include "rules/compat/node_state.h"
#include "rules/compat/operators.h"
#include "runtime/base/result.h"

namespace pmjit::pmie {

namespace {

bool relation_starts_unknown(const PmieNode& node) { return kind_of(node.op) == OpKind::relation; }

NodeState first_state(const PmieNode& node) {
  NodeState out{.shape = node.shape, .held = std::max(node.held, node.shape.held())};
  const size_t values = out.span() * static_cast<size_t>(out.held);
  out.numbers.assign(values, 0);
  out.stamps.assign(static_cast<size_t>(out.held), 0);
  if (node.sem == Sem::text) out.texts.assign(values, std::nullopt);
  if (node.op == PmieOp::constant) {
    std::ranges::fill(out.numbers, node.number);
    if (node.sem == Sem::text) std::ranges::fill(out.texts, MaybeText(node.text));
    out.valid = 1;
  }
  // As many values as there are samples, whatever a sample's number of elements (Q21).
  if (relation_starts_unknown(node)) {
    const size_t unknown = std::min(values, static_cast<size_t>(out.held));
    std::fill_n(out.numbers.begin(), unknown, kUnknown);
  }
  return out;
}

// Actions that are handed over have one state together, that nobody uses.
void number_states(EvaluationPlan& plan, const RuleProgram& program, Acting acting) {
  const auto count = [](const auto& states) { return static_cast<uint32_t>(states.size()); };
  std::optional<uint32_t> of_actions;
  const std::vector<uint32_t>& nodes = plan.sharing.nodes;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const bool is_unused =
        acting == Acting::handed_over && kind_of(program.nodes[i].op) == OpKind::action;
    if (nodes[i] != i) {
      plan.node_states.push_back(0);
    } else if (is_unused && of_actions) {
      plan.node_states.push_back(*of_actions);
    } else {
      plan.node_states.push_back(count(plan.nodes_of_states));
      plan.nodes_of_states.push_back(i);
      if (is_unused) of_actions = plan.node_states.back();
    }
  }
  for (uint32_t i = 0; i < nodes.size(); ++i) plan.node_states[i] = plan.node_states[nodes[i]];
  const std::vector<uint32_t>& fetches = plan.sharing.fetches;
  for (uint32_t i = 0; i < fetches.size(); ++i) {
    plan.fetch_states.push_back(fetches[i] == i ? count(plan.fetches_of_states) : 0);
    if (fetches[i] == i) plan.fetches_of_states.push_back(i);
  }
  for (uint32_t i = 0; i < fetches.size(); ++i) {
    plan.fetch_states[i] = plan.fetch_states[fetches[i]];
  }
}

}  // namespace

std::shared_ptr<const EvaluationPlan> plan_evaluation(const RuleProgram& program,
                                                      const std::vector<uint32_t>& tasks,
                                                      Proving proving, Acting acting) {
  const size_t n = program.nodes.size();
  auto out = std::make_shared<EvaluationPlan>();
  out->sharing = find_shared(program, tasks);
  out->proofs = proving == Proving::on ? prove(program, out->sharing) : Proofs(n, Proof::leaf);
  out->parents.resize(n);
  const std::vector<uint32_t>& stands_for = out->sharing.nodes;
  number_states(*out, program, acting);
  for (uint32_t i = 0; i < n; ++i) {
    if (stands_for[i] != i) continue;
    for (const uint32_t operand : {program.nodes[i].left, program.nodes[i].right}) {
      if (operand != kNone) out->parents[stands_for[operand]].push_back(i);
    }
  }
  return out;
}

PmieEvaluator::PmieEvaluator(const RuleProgram& program, std::shared_ptr<const EvaluationPlan> plan,
                             World world)
    : program_(&program), plan_(std::move(plan)), world_(std::move(world)) {
  clear_states();
  for (const uint32_t node : plan_->nodes_of_states) {
    states_.push_back(first_state(program.nodes[node]));
  }
  for (const uint32_t fetch : plan_->fetches_of_states) {
    fetched_.emplace_back().hosts.resize(program.fetches[fetch].hosts.size());
  }
}

void PmieEvaluator::clear_states() {
  const size_t n = plan_->nodes_of_states.size();
  rounds_.assign(n, 0);
  made_.assign(n, Made::all);
  blocks_.clear();
  settled_at_.clear();
  extremes_.clear();
  states_.clear();
  states_.reserve(n);
  fetched_.clear();
  fetched_.reserve(plan_->fetches_of_states.size());
}

void PmieEvaluator::take_changes(const RuleProgram& program,
                                 std::shared_ptr<const EvaluationPlan> plan,
                                 const std::vector<uint32_t>& changed) {
  for (uint32_t i = 0; i < made_.size(); ++i) {
    if (made_[i] == Made::put_off) settle(plan_->nodes_of_states[i]);
  }
  const auto before = std::exchange(plan_, std::move(plan));
  const std::vector<NodeState> states = std::exchange(states_, {});
  const std::vector<FetchState> fetched = std::exchange(fetched_, {});
  program_ = &program;
  clear_states();
  std::vector<bool> anew(program.nodes.size()), fetched_anew(program.fetches.size());
  for (const uint32_t node : changed) {
    anew[node] = true;
    if (program.nodes[node].op == PmieOp::fetch) fetched_anew[program.nodes[node].fetch] = true;
  }
  for (const uint32_t node : plan_->nodes_of_states) {
    states_.push_back(anew[node] ? first_state(program.nodes[node])
                                 : states[before->node_states[node]]);
  }
  for (const uint32_t fetch : plan_->fetches_of_states) {
    fetched_.push_back(fetched[before->fetch_states[fetch]]);
    if (!fetched_anew[fetch]) continue;
    fetched_.back() = {};
    fetched_.back().hosts.resize(program.fetches[fetch].hosts.size());
  }
}

// Spec §5: whose shape the node has.
uint32_t PmieEvaluator::primary(const PmieNode& node) const {
  if (node.right == kNone) return node.left;
  const auto has_axis = [&](uint32_t operand) {
    const PmieShape& shape = of_node(operand).shape;
    return program_->nodes[operand].metrics != kNone &&
           (shape.hosts >= 0 || shape.insts >= 0 || shape.samples >= 0);
  };
  for (const uint32_t operand : {node.left, node.right}) {
    if (of_node(operand).shape.values() > 1) return operand;
  }
  for (const uint32_t operand : {node.left, node.right}) {
    if (has_axis(operand)) return operand;
  }
  return node.left;
}

void PmieEvaluator::reshape(uint32_t node, int32_t insts) {
  made_[plan_->node_states[node]] = Made::all;
  of_node(node).reshape(insts, program_->nodes[node].sem == Sem::text);
  for (const uint32_t up : plan_->parents[plan_->sharing.nodes[node]]) {
    const NodeState& parent = of_node(up);
    const int32_t of_primary = of_node(primary(program_->nodes[up])).shape.insts;
    if (parent.shape.insts >= 0 && parent.shape.insts != of_primary) reshape(up, of_primary);
  }
}

std::vector<int32_t> PmieEvaluator::counts(uint32_t node) const {
  std::vector<int32_t> out;
  const uint32_t metrics = program_->nodes[node].metrics;
  if (metrics == kNone) return out;
  for (const HostState& host : fetched(metrics).hosts) {
    out.push_back(static_cast<int32_t>(host.ids.size()));
  }
  return out;
}

void PmieEvaluator::evaluate(uint32_t index) {
  index = plan_->sharing.nodes[index];
  const uint32_t state = plan_->node_states[index];
  if (rounds_[state] == round_) return;
  rounds_[state] = round_;
  if (block_of(index) != nullptr) return evaluate_in_block(index);
  made_[state] = Made::all;
  const PmieNode& node = program_->nodes[index];
  switch (kind_of(node.op)) {
    case OpKind::leaf: return evaluate_leaf(index);
    case OpKind::rule: return rule(index);
    case OpKind::action: return action(index);
    default: break;
  }
  if (plan_->proofs[index] == Proof::decided && decide(index)) return;
  evaluate_operands(node);
  if (of_node(index).held > 1) of_node(index).rotate();
  evaluate_value(index);
}

void PmieEvaluator::evaluate_operands(const PmieNode& node) {
  if (node.left != kNone) evaluate_now(node.left);
  if (node.right != kNone) evaluate_now(node.right);
}

void PmieEvaluator::evaluate_value(uint32_t index) {
  const PmieNode& node = program_->nodes[index];
  switch (node.op) {
    case PmieOp::rate:
    case PmieOp::rising:
    case PmieOp::falling: return changes(index);
    case PmieOp::match_inst:
    case PmieOp::nomatch_inst: return matches(index);
    case PmieOp::text_equal:
    case PmieOp::text_unequal: return text_relation(index);
    default: break;
  }
  switch (kind_of(node.op)) {
    case OpKind::arithmetic:
    case OpKind::relation: return arithmetic(index);
    case OpKind::logic: return logic(index);
    case OpKind::aggregate:
    case OpKind::quantifier: return aggregate(index);
    default: check(false, "a node that has a value");
  }
}

void PmieEvaluator::evaluate_leaf(uint32_t index) {
  const PmieNode& node = program_->nodes[index];
  NodeState& state = of_node(index);
  switch (node.op) {
    case PmieOp::constant: return;
    case PmieOp::variable:
      if (state.held > 1) state.rotate();
      state.now()[0] = world_.clock(node.variable);
      return state.succeed();
    case PmieOp::fetch:
      if (state.held > 1) state.rotate();
      return world_.read(index) ? state.succeed() : state.fail();
    default: break;
  }
  evaluate_now(node.left);
  if (state.held > 1) state.rotate();
  const NodeState& of = of_node(node.left);
  state.end(delayed(node.delay, Samples(of), next_of(state)));
  if (state.valid > 0 && !of.texts.empty()) {
    std::copy_n(of.text(node.delay), of.span(), state.text_now());
  }
}

void PmieEvaluator::enter(const TimeBlock& block) {
  blocks_.resize(program_->nodes.size());
  settled_at_.resize(program_->nodes.size());
  for (const uint32_t index : block.columns()) {
    blocks_[index] = &block;
    made_[plan_->node_states[index]] = Made::all;
  }
  at_once_ += block.columns().size() * block.times();
}

void PmieEvaluator::leave(const TimeBlock& block) {
  for (const uint32_t index : block.columns()) {
    block.settle(index, of_node(index));
    blocks_[index] = nullptr;
  }
}

void PmieEvaluator::settle_in_block(uint32_t index) const {
  if (std::exchange(settled_at_[index], round_) == round_) return;
  blocks_[index]->settle(index, of_node(index));
}

PmieEvaluator::Way PmieEvaluator::way(uint32_t node) const {
  const uint32_t index = plan_->sharing.nodes[node];
  const uint32_t state = plan_->node_states[index];
  if (block_of(index) != nullptr || made_[state] != Made::all) return Way::core;
  return rounds_[state] == round_ ? Way::interpreted : Way::none;
}

std::optional<bool> PmieEvaluator::holds(uint32_t node) const {
  const uint32_t index = plan_->sharing.nodes[node];
  if (const TimeBlock* block = block_of(index)) return block->holds(index);
  const NodeState& state = settled(index);
  if (state.valid == 0 || state.span() == 0) return std::nullopt;
  return truth_of(*state.sample(0));
}

std::optional<ElementPlace> place_of(const PmieEvaluator& at, uint32_t metrics, size_t element) {
  if (metrics == kNone) return std::nullopt;
  const FetchState& state = at.fetched(metrics);
  for (uint32_t h = 0; h < state.hosts.size(); ++h) {
    const HostState& host = state.hosts[h];
    const size_t count = host.ids.size();
    if (element < count) {
      const bool named = host.names != nullptr && element < host.names->size();
      return ElementPlace{h, named ? &(*host.names)[element] : nullptr};
    }
    element -= count;
  }
  return std::nullopt;
}

void NodeState::reshape(int32_t insts, bool of_texts) {
  shape.insts = insts;
  const size_t values = span() * static_cast<size_t>(held);
  numbers.assign(values, 0);
  if (of_texts) texts.assign(values, std::nullopt);
  newest = 0;
  valid = 0;
}

}  // namespace pmjit::pmie
