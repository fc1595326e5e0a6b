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

}  // namespace

PmieEvaluator::PmieEvaluator(const RuleProgram& program, const std::vector<uint32_t>& tasks,
                             World world, Proving proving)
    : program_(program), tasks_(tasks), proving_(proving), world_(std::move(world)) {
  take_program();
  for (uint32_t i = 0; i < program.nodes.size(); ++i) {
    if (sharing_.nodes[i] == i) states_[i] = first_state(program.nodes[i]);
  }
  for (const Fetch& fetch : program.fetches) {
    fetched_.emplace_back().hosts.resize(fetch.hosts.size());
  }
}

void PmieEvaluator::take_program() {
  const size_t n = program_.nodes.size();
  sharing_ = find_shared(program_, tasks_);
  proofs_ = proving_ == Proving::on ? prove(program_, sharing_) : Proofs(n, Proof::leaf);
  parents_.assign(n, {});
  rounds_.assign(n, 0);
  put_off_.assign(n, 0);
  blocks_.assign(n, nullptr);
  settled_at_.assign(n, 0);
  extremes_.assign(n, {});
  states_.assign(n, {});
  for (uint32_t i = 0; i < n; ++i) {
    if (sharing_.nodes[i] != i) continue;
    for (const uint32_t operand : {program_.nodes[i].left, program_.nodes[i].right}) {
      if (operand != kNone) parents_[sharing_.nodes[operand]].push_back(i);
    }
  }
}

void PmieEvaluator::take_changes(const std::vector<uint32_t>& changed) {
  for (uint32_t i = 0; i < put_off_.size(); ++i) {
    if (put_off_[i] != 0) settle(i);
  }
  const Sharing before = std::exchange(sharing_, {});
  const std::vector<NodeState> states = std::exchange(states_, {});
  const std::vector<FetchState> fetched = std::exchange(fetched_, {});
  take_program();
  std::vector<bool> anew(program_.nodes.size()), fetched_anew(program_.fetches.size());
  for (const uint32_t node : changed) {
    anew[node] = true;
    if (program_.nodes[node].op == PmieOp::fetch) fetched_anew[program_.nodes[node].fetch] = true;
  }
  for (uint32_t i = 0; i < anew.size(); ++i) {
    if (sharing_.nodes[i] != i) continue;
    states_[i] = anew[i] ? first_state(program_.nodes[i]) : states[before.nodes[i]];
  }
  for (uint32_t i = 0; i < fetched_anew.size(); ++i) {
    fetched_.push_back(fetched[before.fetches[i]]);
    if (!fetched_anew[i]) continue;
    fetched_.back() = {};
    fetched_.back().hosts.resize(program_.fetches[i].hosts.size());
  }
}

// Spec §5: whose shape the node has.
uint32_t PmieEvaluator::primary(const PmieNode& node) const {
  if (node.right == kNone) return node.left;
  const auto has_axis = [&](uint32_t operand) {
    const PmieShape& shape = of_node(operand).shape;
    return program_.nodes[operand].metrics != kNone &&
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
  put_off_[sharing_.nodes[node]] = 0;
  of_node(node).reshape(insts, program_.nodes[node].sem == Sem::text);
  for (const uint32_t up : parents_[sharing_.nodes[node]]) {
    const NodeState& parent = states_[up];
    const int32_t of_primary = of_node(primary(program_.nodes[up])).shape.insts;
    if (parent.shape.insts >= 0 && parent.shape.insts != of_primary) reshape(up, of_primary);
  }
}

std::vector<int32_t> PmieEvaluator::counts(uint32_t node) const {
  std::vector<int32_t> out;
  const uint32_t metrics = program_.nodes[node].metrics;
  if (metrics == kNone) return out;
  for (const HostState& host : fetched(metrics).hosts) {
    out.push_back(static_cast<int32_t>(host.ids.size()));
  }
  return out;
}

void PmieEvaluator::evaluate(uint32_t index) {
  index = sharing_.nodes[index];
  if (rounds_[index] == round_) return;
  rounds_[index] = round_;
  if (blocks_[index] != nullptr) return evaluate_in_block(index);
  put_off_[index] = 0;
  const PmieNode& node = program_.nodes[index];
  switch (kind_of(node.op)) {
    case OpKind::leaf: return evaluate_leaf(index);
    case OpKind::rule: return rule(index);
    case OpKind::action: return action(index);
    default: break;
  }
  if (proofs_[index] == Proof::decided && decide(index)) return;
  evaluate_operands(node);
  if (of_node(index).held > 1) of_node(index).rotate();
  evaluate_value(index);
}

void PmieEvaluator::evaluate_operands(const PmieNode& node) {
  if (node.left != kNone) evaluate_now(node.left);
  if (node.right != kNone) evaluate_now(node.right);
}

void PmieEvaluator::evaluate_value(uint32_t index) {
  const PmieNode& node = program_.nodes[index];
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
  const PmieNode& node = program_.nodes[index];
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
  for (const uint32_t index : block.columns()) {
    blocks_[index] = &block;
    put_off_[index] = 0;
  }
  at_once_ += block.columns().size() * block.times();
}

void PmieEvaluator::leave(const TimeBlock& block) {
  for (const uint32_t index : block.columns()) {
    block.settle(index, states_[index]);
    blocks_[index] = nullptr;
  }
}

void PmieEvaluator::settle_in_block(uint32_t index) const {
  if (std::exchange(settled_at_[index], round_) == round_) return;
  blocks_[index]->settle(index, states_[index]);
}

std::optional<bool> PmieEvaluator::holds(uint32_t node) const {
  const uint32_t index = sharing_.nodes[node];
  if (blocks_[index] != nullptr) return blocks_[index]->holds(index);
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
      const bool named = element < host.names.size();
      return ElementPlace{h, named ? &host.names[element] : nullptr};
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
