#include "rules/strict/rule_steps.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "compiler/strict_rules/tree.h"
#include "rules/compat/fetched_elements.h"

namespace pmjit::strict {

namespace {

bool is_aggregate(const Expr& expr) {
  constexpr std::string_view kNames[] = {"sum", "avg", "min", "max", "count"};
  return expr.kind == ExprKind::call && std::ranges::find(kNames, expr.text) != std::end(kNames);
}

// Of what has no instances: the one that it picks with #, its first metric's.
std::optional<std::string> picked_instance(const Ast& ast, ExprId id) {
  const Expr& expr = ast.exprs[id];
  if (is_aggregate(expr)) return std::nullopt;
  if (expr.kind == ExprKind::instance) {
    return expr.spec_count == 0 ? std::optional(expr.text) : std::nullopt;
  }
  const auto args = ast.args_of(expr);
  const auto first = std::ranges::find_if(args, [&](ExprId arg) { return has_metric(ast, arg); });
  return first == args.end() ? std::nullopt : picked_instance(ast, *first);
}

}  // namespace

void RuleStepper::begin(EventWriter& writer, const ReplaySchema& schema) {
  writer_ = &writer;
  states_.assign(schema.rules.size(), {});
  writer.begin(schema);
}

bool RuleStepper::rests(const PlacedRule& placed) const {
  const Rule& rule = set_.rules[placed.rule->rule].rule;
  const std::vector<Clause>& clauses = rule.clauses;
  if (rule.alert) return false;  // it counts time
  for (size_t i = 0; i < clauses.size(); ++i) {
    if (clauses[i].when != Clause::When::holds) return false;
    const size_t root = *placed.rule->clauses[i].condition;
    if (!placed.task->judges(root) || placed.task->is_settled(root)) return false;
  }
  return true;
}

Evaluated RuleStepper::evaluate(const PlacedRule& placed, double now) {
  const Task& task = *placed.task;
  const TaskRule& rule = *placed.rule;
  const Rule& of = set_.rules[rule.rule].rule;
  if (of.alert) return evaluate_alert(placed, now);
  if (!of.acts() && !task.judges(*rule.clauses.front().condition)) {
    return {.task = &task, .of = &rule, .number = placed.number};  // a number, or a set
  }
  const Verdict verdict = judge(task, rule);
  RuleState& state = states_[placed.number];
  const RuleStep next = step(state, verdict.truth, now);
  state = next.state;
  std::vector<RuleBinding> found;
  if (verdict.clause) {
    found = std::move(spare_);
    find_bindings(placed, *verdict.clause, found);
  }
  if (next.transition) {
    RuleTransition event{.rule = static_cast<uint32_t>(placed.number),
                         .transition = *next.transition};
    if (event.transition.to == RuleTruth::yes) event.bindings = found;
    writer_->put(event);
  }
  if (verdict.clause) act(placed, *verdict.clause, found, now, Acting::each_time);
  return {.task = &task,
          .of = &rule,
          .number = placed.number,
          .truth = verdict.truth,
          .clause = verdict.clause,
          .found = std::move(found)};
}

// The first that is true acts; `unknown` where none is and one may be, `otherwise` where all are
// false (dialects.md rows 139 to 141).
RuleStepper::Verdict RuleStepper::judge(const Task& task, const TaskRule& rule) const {
  const std::vector<Clause>& clauses = set_.rules[rule.rule].rule.clauses;
  if (clauses.front().when == Clause::When::always) return {.clause = 0};
  bool may_be = false;
  for (size_t i = 0; i < clauses.size(); ++i) {
    if (clauses[i].when != Clause::When::holds) continue;
    const RuleTruth truth = task.truth(*rule.clauses[i].condition);
    if (truth == RuleTruth::yes) return {.truth = truth, .clause = i};
    may_be = may_be || truth == RuleTruth::unknown;
  }
  const auto wanted = may_be ? Clause::When::unknown : Clause::When::otherwise;
  Verdict out{.truth = may_be ? RuleTruth::unknown : RuleTruth::no};
  const auto clause = std::ranges::find(clauses, wanted, &Clause::when);
  if (clause == clauses.end()) return out;
  out.clause = static_cast<size_t>(clause - clauses.begin());
  if (!may_be) out.truth = RuleTruth::yes;
  return out;
}

// Where there is no metric, and behind `unknown` and `otherwise`, the host is all that an action is
// about.
void RuleStepper::find_bindings(const PlacedRule& placed, size_t number,
                                std::vector<RuleBinding>& out) {
  const TaskRule& rule = *placed.rule;
  const Clause& clause = set_.rules[rule.rule].rule.clauses[number];
  const ClauseRoots& roots = rule.clauses[number];
  size_t count = 0;
  const auto add = [&](const std::optional<std::string>& host) -> RuleBinding& {
    if (count == out.size()) take_binding(out);
    RuleBinding& to = out[count++];
    if (placed.row_host != nullptr) {
      to.host = *placed.row_host;
    } else {
      to.host = host;
    }
    to.instance.reset();
    to.text.reset();
    to.values.clear();
    to.named.clear();
    return to;
  };
  if (clause.bindings.empty()) add(rule.host);
  for (const BindingRoots& of : roots.bindings) {
    placed.task->find_lanes(of, lanes_);
    for (Lane& lane : lanes_) {
      if (!lane.instance) {
        const Ast& set = clause.bindings[of.of].set;
        lane.instance = picked_by(set);
      }
      RuleBinding& to = add(of.host);
      to.instance = std::move(lane.instance);
      to.text = std::move(lane.text);
      if (of.value && !to.text) to.values.push_back(lane.value);
    }
  }
  for (; out.size() > count; out.pop_back()) spare_bindings_.push_back(std::move(out.back()));
}

// One more, with the memory of one that was found before.
void RuleStepper::take_binding(std::vector<RuleBinding>& out) {
  if (spare_bindings_.empty()) {
    out.emplace_back();
    return;
  }
  out.push_back(std::move(spare_bindings_.back()));
  spare_bindings_.pop_back();
}

// The same at every evaluation.
const std::optional<std::string>& RuleStepper::picked_by(const Ast& set) {
  const auto [place, is_new] = picked_.try_emplace(&set);
  if (is_new) place->second = picked_instance(set, set.root);
  return place->second;
}

// The transition is that of the alerts together: true while one of them fires.
Evaluated RuleStepper::evaluate_alert(const PlacedRule& placed, double now) {
  const Rule& of = set_.rules[placed.rule->rule].rule;
  Evaluated out{
      .task = placed.task, .of = placed.rule, .number = placed.number, .row_host = placed.row_host};
  if (hand_over_) return out;
  const AlertReading reading = read_alert(*placed.task, *placed.rule, of);
  AlertStates& states = alerts_.try_emplace(placed.number, of).first->second;
  const std::vector<ElementChange> changes = states.step(reading, now);
  const auto firing = states.firing();
  out.truth = reading.truth(!firing.empty());
  if (!firing.empty()) out.clause = 0;
  const RuleStep next = pmjit::step(states_[placed.number], *out.truth, now);
  states_[placed.number] = next.state;
  if (next.transition) {
    RuleTransition event{.rule = static_cast<uint32_t>(placed.number),
                         .transition = *next.transition};
    if (event.transition.to == RuleTruth::yes) event.bindings = alert_bindings(placed, firing);
    writer_->put(event);
  }
  for (const ElementChange& change : changes) {
    RuleAlert event{.rule = static_cast<uint32_t>(placed.number),
                    .when = now,
                    .event = alert_event_text(change.kind),
                    .severity = of.alert->severity,
                    .since = change.since,
                    .reason = alert_reason_text(change.reason)};
    if (!change.of_rule) event.bindings = alert_bindings(placed, {&change.instance, 1});
    writer_->put_alert(event);
  }
  act_on_alert(placed, changes, states, now);
  return out;
}

// Those that begin to fire at one time have one action.
void RuleStepper::act_on_alert(const PlacedRule& placed, const std::vector<ElementChange>& changes,
                               const AlertStates& states, double now) {
  const Rule& of = set_.rules[placed.rule->rule].rule;
  const auto act_at = [&](Clause::When when, std::span<const std::optional<std::string>> elements,
                          Acting acting) {
    const auto clause = std::ranges::find(of.clauses, when, &Clause::when);
    if (elements.empty() || clause == of.clauses.end() || clause->verbs.empty()) return;
    act(placed, static_cast<size_t>(clause - of.clauses.begin()), alert_bindings(placed, elements),
        now, acting);
  };
  std::vector<std::optional<std::string>> began, ended, dark;
  for (const ElementChange& change : changes) {
    if (change.kind == AlertEventKind::firing) began.push_back(change.instance);
    if (change.kind == AlertEventKind::resolved) ended.push_back(change.instance);
    const bool is_told = !change.of_rule || of.alert->unknown;
    if (change.kind == AlertEventKind::unknown && is_told) dark.push_back(change.instance);
  }
  if (began.empty()) {
    act_at(Clause::When::holds, states.firing(), Acting::again);
  } else {
    act_at(Clause::When::holds, began, Acting::begins);
  }
  act_at(Clause::When::unknown, dark, Acting::begins);
  act_at(Clause::When::otherwise, ended, Acting::begins);
}

std::vector<RuleBinding> RuleStepper::alert_bindings(
    const PlacedRule& placed, std::span<const std::optional<std::string>> elements) {
  std::vector<RuleBinding> found, out;
  const ClauseRoots& roots = placed.rule->clauses.front();
  if (placed.task->has_row()) find_bindings(placed, 0, found);
  const bool is_one = placed.task->judges(*roots.condition);
  if (is_one && !found.empty()) return held_[placed.number] = found;
  const auto held = held_.find(placed.number);
  const bool is_dark = is_one && placed.task->truth(*roots.condition) == RuleTruth::unknown;
  if (is_dark && held != held_.end()) return held->second;
  using ByInstance = std::map<std::optional<std::string>, RuleBinding>;
  ByInstance holding;
  for (RuleBinding& one : found) holding.emplace(one.instance, one);
  std::optional<ByInstance> others;
  for (const auto& instance : elements) {
    auto same = holding.find(instance);
    if (same == holding.end()) {
      if (!others) others = values_now(placed);
      same = others
                 ->try_emplace(instance,
                               RuleBinding{.host = host_of(placed, {}), .instance = instance})
                 .first;
    }
    out.push_back(same->second);
  }
  return out;
}

void RuleStepper::add_named(const PlacedRule& placed, std::vector<RuleBinding>& to) {
  if (!placed.task->has_row()) return;
  for (const auto& [name, root] : placed.rule->named) {
    std::map<std::optional<std::string>, std::string> texts;
    RootValues values = placed.task->values(root);
    for (LaneValue& lane : values.lanes) {
      if (lane.reason != kKnown || (!lane.text && std::isnan(lane.number))) continue;
      texts.emplace(std::move(lane.instance),
                    lane.text ? *std::move(lane.text) : fmt::format("{}", lane.number));
    }
    for (RuleBinding& one : to) {
      auto found = texts.find(one.instance);
      if (found == texts.end()) found = texts.find(std::nullopt);
      if (found != texts.end()) one.named.emplace_back(name, found->second);
    }
  }
}

std::optional<std::string> RuleStepper::host_of(const PlacedRule& placed,
                                                const std::optional<std::string>& host) {
  if (placed.row_host != nullptr) return *placed.row_host;
  return host ? host : placed.rule->host;
}

// Of an alert, where its condition may not be true.
std::map<std::optional<std::string>, RuleBinding> RuleStepper::values_now(
    const PlacedRule& placed) {
  std::map<std::optional<std::string>, RuleBinding> out;
  if (!placed.task->has_row()) return out;
  for (const BindingRoots& of : placed.rule->clauses.front().bindings) {
    if (!of.value) continue;
    RootValues values = placed.task->values(*of.value);
    for (LaneValue& lane : values.lanes) {
      if (lane.reason != kKnown) continue;
      RuleBinding one{
          .host = host_of(placed, of.host), .instance = lane.instance, .text = lane.text};
      if (!one.text) one.values.push_back(lane.number);
      out.emplace(std::move(lane.instance), std::move(one));
    }
  }
  return out;
}

std::optional<ActionPlan> RuleStepper::alert_plan(const TaskRule& rule, Clause::When when,
                                                  const std::vector<RuleBinding>& found, double now,
                                                  bool again) const {
  const std::vector<Clause>& clauses = set_.rules[rule.rule].rule.clauses;
  const auto clause = std::ranges::find(clauses, when, &Clause::when);
  if (clause == clauses.end()) return std::nullopt;
  ActionPlan out = plan(clause->verbs, static_cast<size_t>(clause - clauses.begin()), found, now,
                        again ? Acting::again : Acting::begins);
  return out.steps.empty() ? std::nullopt : std::optional(std::move(out));
}

// Each verb joins what stands before it.
ActionPlan RuleStepper::plan(const std::vector<Verb>& verbs, size_t clause,
                             const std::vector<RuleBinding>& found, double now,
                             Acting acting) const {
  constexpr size_t kVerbsOfClause = 1000;
  ActionPlan out{.steps = {}, .nodes = {}, .when = now, .begins = acting == Acting::begins};
  uint32_t before = 0;
  bool has_before = false;  // else all of it has succeeded
  for (size_t i = 0; i < verbs.size(); ++i) {
    const Verb& verb = verbs[i];
    const bool is_done = acting == Acting::again && verb.hold_off == 0;
    if (is_done && verb.if_failed) has_before = false;
    if (is_done || (i > 0 && verb.if_failed && !has_before)) continue;
    const std::string text = text_of(verb, found);
    const uint32_t node = out.add_step({.id = static_cast<uint32_t>(clause * kVerbsOfClause + i),
                                        .verb = verb.name,
                                        .text = text.empty() ? std::nullopt : std::optional(text),
                                        .hold_off = verb.hold_off});
    using enum ActionPlan::Kind;
    before = has_before ? out.join(verb.if_failed ? until_one : in_turn, before, node) : node;
    has_before = true;
  }
  return out;
}

// What stands behind `|` is for where all before it has not succeeded.
void RuleStepper::act(const PlacedRule& placed, size_t clause,
                      const std::vector<RuleBinding>& found, double now, Acting acting) {
  const size_t rule = placed.rule->rule;
  const std::vector<Verb>& verbs = set_.rules[rule].rule.clauses[clause].verbs;
  if (hand_over_) {
    if (!verbs.empty()) hand_over_(placed.number, plan(verbs, clause, found, now, acting));
    return;
  }
  bool done = true;
  for (size_t i = 0; i < verbs.size(); ++i) {
    const bool instead = verbs[i].if_failed;
    if (instead && (done || !perform_)) continue;
    const bool succeeded = act_once({placed.number, clause, i}, verbs[i], found, now, acting);
    done = instead ? succeeded : succeeded && done;
  }
}

bool RuleStepper::act_once(const Place& of, const Verb& verb, const std::vector<RuleBinding>& found,
                           double now, Acting acting) {
  Acted* acted = nullptr;  // nobody asks for what is not held off
  if (verb.hold_off != 0) {
    const auto last = acted_.find(of);
    const bool is_held = last != acted_.end() && now < last->second.when + verb.hold_off;
    if (acting != Acting::begins && is_held) return last->second.done;
    acted = &acted_[of];
    *acted = {.when = now, .done = false};
  } else if (acting == Acting::again) {
    return true;
  }
  RuleAction action{.rule = static_cast<uint32_t>(std::get<0>(of)),
                    .when = now,
                    .verb = verb.name,
                    .text = text_of(verb, found)};
  if (action.text.empty()) return false;  // nothing is left of it
  writer_->put(action);
  const bool done = !perform_ || perform_(action);
  if (acted != nullptr) acted->done = done;
  return done;
}

const std::vector<RuleStepper::TextPieces>& RuleStepper::pieces_of_texts(const Verb& verb) const {
  const auto [place, is_new] = pieces_.try_emplace(&verb);
  if (is_new) {
    for (const std::string& text : verb.texts) place->second.push_back(pieces_of(text));
  }
  return place->second;
}

// A text with selectors comes once a binding.
std::string RuleStepper::text_of(const Verb& verb, const std::vector<RuleBinding>& found) const {
  std::string out;
  const bool cleans = safe_shell_ && verb.name == "shell";
  for (const TextPieces& pieces : pieces_of_texts(verb)) {
    const bool selects = pieces.size() > 1;
    const size_t times = selects ? found.size() : 1;
    for (size_t k = 0; k < times; ++k) {
      for (const TextPiece& piece : pieces) {
        if (piece.selector == 0) {
          out += piece.text;
          continue;
        }
        if (!cleans) {
          put_selected(out, piece.selector, found[k]);
          continue;
        }
        std::string text;
        put_selected(text, piece.selector, found[k]);
        out += shell_safe(text);
      }
    }
  }
  return out;
}

std::string RuleStepper::connection_of(const std::optional<std::string>& host) const {
  if (!host) return "?";
  const auto at = static_cast<size_t>(std::ranges::find(hosts_, *host) - hosts_.begin());
  return at < connections_.size() ? connections_[at] : "?";
}

void RuleStepper::put_selected(std::string& out, char selector, const RuleBinding& binding) const {
  const auto put_or = [&out](const std::optional<std::string>& text, std::string_view none) {
    out += text ? std::string_view(*text) : none;
  };
  switch (selector) {
    case 'h': return put_or(binding.host, "?");
    case 'i': return put_or(binding.instance, "<%i undefined>");
    case 'c': out += connection_of(binding.host); return;
    default: break;
  }
  const bool known = !binding.values.empty() && !std::isnan(binding.values.front());
  if (binding.text || !known) return put_or(binding.text, "?");
  fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), binding.values.front());
}

}  // namespace pmjit::strict
