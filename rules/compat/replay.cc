#include "rules/compat/replay.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pmjit {

namespace {

bool has_truth(const pmie::PmieNode& node) {
  return node.sem == pmie::Sem::truth || pmie::kind_of(node.op) == pmie::OpKind::rule;
}

// `alternatives` nodes: each has a rule, and the rest.
std::vector<uint32_t> rules_below(const pmie::RuleProgram& program, uint32_t statement) {
  const pmie::PmieNode& root = program.nodes[program.statements[statement].root];
  std::vector<uint32_t> out;
  if (root.op != pmie::PmieOp::ruleset) return out;
  uint32_t at = root.left;
  for (; program.nodes[at].op == pmie::PmieOp::alternatives; at = program.nodes[at].right) {
    out.push_back(program.nodes[at].left);
  }
  out.push_back(at);
  return out;
}

RuleTruth truth_of(const std::optional<bool>& holds) {
  if (!holds) return RuleTruth::unknown;
  return *holds ? RuleTruth::yes : RuleTruth::no;
}

}  // namespace

Replay::Replay(const pmie::RuleProgram& program, pmie::RuleSources& sources, Zone& zone,
               Stamp origin, EventWriter& writer, ReplayHooks hooks)
    : sources_(sources),
      writer_(writer),
      hooks_(std::move(hooks)),
      states_(program.statements.size()),
      run_(program, sources, zone,
           {.origin = origin,
            .observer = this,
            .executor = hooks_.executor,
            .hand_over = hooks_.hand_over,
            .safe_shell = hooks_.safe_shell,
            .bind_waiting = hooks_.bind_waiting,
            .program_now = hooks_.program_now,
            .plan = hooks_.plan,
            .keeps_little = hooks_.keeps_little},
           [](std::string_view) {}) {}

size_t rules_of_set(const pmie::RuleProgram& program, uint32_t statement) {
  return rules_below(program, statement).size();
}

void Replay::begin(double start) {
  tell_schema(start);
  run_.begin(start);
}

void Replay::begin_aligned(double now) {
  tell_schema(now);
  run_.begin_aligned(now);
}

void Replay::tell_schema(double start) {
  ReplaySchema schema{.rules = {}, .start = start};
  for (const pmie::PmieStatement& statement : run_.evaluator().program().statements) {
    schema.rules.push_back(statement.name);
  }
  writer_.begin(schema);
}

void Replay::end(double when) {
  tell_actions();
  writer_.end(when, states_);
}

Result<void> Replay::run(double start, double end, const std::function<bool()>& stop) {
  begin(start);
  auto done = pmie::run_until(run_, end, stop);
  // Damage ends it at the time that could not be evaluated.
  this->end(done ? end : std::min(end, run_.due().value_or(end)));
  return done;
}

void Replay::evaluated(uint32_t statement, double when) {
  tell_actions_before(statement, when);
  const uint32_t root = run_.evaluator().program().statements[statement].root;
  if (!has_truth(run_.evaluator().program().nodes[root])) return tell_actions();
  const RuleTruth truth = truth_of(run_.evaluator().holds(root));
  const RuleStep next = step(states_[statement], truth, when);
  states_[statement] = next.state;
  if (next.transition) {
    RuleTransition event{.rule = statement, .transition = *next.transition};
    if (event.transition.to == RuleTruth::yes) event.bindings = bindings(root);
    writer_.put(event);
  }
  tell_actions();
  if (hooks_.on_truth) hooks_.on_truth(statement, truth, when);
}

std::vector<Replay::RuleOfSet> Replay::rules_of(uint32_t statement) const {
  std::vector<RuleOfSet> out;
  bool passed_over = false;
  for (const uint32_t rule : rules_below(run_.evaluator().program(), statement)) {
    RuleOfSet& of = out.emplace_back();
    if (passed_over) continue;
    of.truth = truth_of(run_.evaluator().holds(rule));
    passed_over = of.truth == RuleTruth::yes;
    if (passed_over) of.found = bindings(rule);
  }
  return out;
}

void Replay::performed(uint32_t statement, std::string_view verb, const std::string& text,
                       double when) {
  tell_actions_before(statement, when);
  performed_.push_back({.statement = statement, .verb = verb, .text = text, .when = when});
}

// Where nothing has changed no evaluated() follows on actions.
void Replay::tell_actions_before(uint32_t statement, double when) {
  if (performed_.empty()) return;
  const Performed& last = performed_.back();
  if (last.statement != statement || last.when != when) tell_actions();
}

void Replay::tell_actions() {
  for (Performed& one : performed_) {
    writer_.put(RuleAction{
        .rule = one.statement, .when = one.when, .verb = one.verb, .text = std::move(one.text)});
  }
  performed_.clear();
}

std::vector<RuleBinding> Replay::bindings(uint32_t root) const {
  const pmie::PmieEvaluator& at = run_.evaluator();
  const pmie::BindingNodes binding = pmie::binding_of(at, root);
  std::vector<RuleBinding> out;
  if (at.state(binding.node).valid == 0 ||
      run_.evaluator().program().nodes[binding.node].metrics == pmie::kNone) {
    return out;
  }
  const pmie::NodeState& values = at.state(binding.value);
  for (const size_t element : pmie::satisfying(at, binding)) {
    auto names = pmie::names_of(at, binding.node, element, sources_.hosts(), sources_.hosts());
    RuleBinding& to = out.emplace_back();
    to.host = std::move(names.host);
    to.instance = std::move(names.instance);
    for (int32_t k = 0; k < values.shape.held() && element < values.span(); ++k) {
      const bool known = values.valid > k && values.texts.empty();
      to.values.push_back(known ? values.sample(k)[element]
                                : std::numeric_limits<double>::quiet_NaN());
    }
  }
  return out;
}

}  // namespace pmjit
