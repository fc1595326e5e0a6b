#include "rules/strict/value_lines.h"

#include <fmt/format.h>

#include <cmath>

#include "rules/compat/value_report.h"

namespace pmjit::strict {

namespace {

using pmie::Verbose;

std::string lane_text(const ResultInfo& info, const LaneValue& lane) {
  const bool truth = info.elem == Elem::truth;
  if (lane.reason != kKnown) return truth ? "unknown" : "?";
  if (lane.text) return fmt::format("\"{}\"", *lane.text);
  if (truth) return lane.number != 0 ? "true" : "false";
  return fmt::format("{}", lane.number);
}

std::string held_text(const Lane& lane) {
  if (lane.text) return fmt::format("\"{}\"", *lane.text);
  return std::isnan(lane.value) ? "true" : fmt::format("{}", lane.value);
}

}  // namespace

std::string ValueLines::time_of(double when) const {
  return pmie::time_text(zone_.local(static_cast<int64_t>(std::floor(when))));
}

void ValueLines::put(const RuleAction& event) {
  if (action_when_ != event.when) action_time_ = time_of(event.when);
  action_when_ = event.when;
  line_.assign(event.verb).append(" ").append(action_time_).append(": ").append(event.text) += '\n';
  put_(line_);
}

void ValueLines::evaluated(std::span<const Evaluated> rules, double when) {
  if (verbose_ == Verbose::off) return;
  std::string out;
  for (const Evaluated& rule : rules) {
    const bool named = verbose_ != Verbose::applet;
    if (named) out += fmt::format("{} ({}): ", label_of(rule), time_of(when));
    put_value(out, rule);
    out += named ? '\n' : ' ';
  }
  put_(out + "\n");
}

void ValueLines::put_value(std::string& out, const Evaluated& rule) const {
  if (!rule.truth) return put_values(out, rule);
  if (verbose_ == Verbose::satisfying && *rule.truth != RuleTruth::unknown) {
    return put_satisfying(out, rule);
  }
  out += rule_truth_text(*rule.truth);
}

// Of a number or a set.
void ValueLines::put_values(std::string& out, const Evaluated& rule) const {
  const size_t root = *rule.of->clauses.front().condition;
  const ResultInfo& info = rule.task->info(root);
  const RootValues values = rule.task->has_row() ? rule.task->values(root) : RootValues{};
  if (values.lanes.empty()) {
    out += info.elem == Elem::truth ? "unknown" : "?";
    return;
  }
  const bool a_line_each = verbose_ == Verbose::annotated || verbose_ == Verbose::satisfying;
  for (size_t i = 0; i < values.lanes.size(); ++i) {
    if (a_line_each) put_place(out, rule.of->host, values.lanes[i].instance);
    if (!a_line_each && i > 0) out += ' ';
    out += lane_text(info, values.lanes[i]);
  }
}

// Where the condition that acts is true, else the first one.
void ValueLines::put_satisfying(std::string& out, const Evaluated& rule) const {
  const ClauseRoots& roots = rule.of->clauses[rule.clause.value_or(0)];
  const bool ruleset = set_.rules[rule.of->rule].rule.is_ruleset;
  if (!ruleset && roots.bindings.empty()) out += rule_truth_text(*rule.truth);
  for (const BindingRoots& of : roots.bindings) {
    for (const Lane& lane : rule.task->lanes(of)) {
      put_place(out, of.host, lane.instance);
      out += held_text(lane);
    }
  }
}

// Of several hosts a rule has a line each.
std::string ValueLines::label_of(const Evaluated& rule) const {
  const std::string& name = set_.rules[rule.of->rule].rule.name;
  return rule.of->on_host ? *rule.of->host + ":" + name : name;
}

void ValueLines::put_place(std::string& out, const std::optional<std::string>& host,
                           const std::optional<std::string>& instance) {
  out += "\n    " + host.value_or("?") + ": ";
  if (instance) out += "[" + *instance + "] ";
}

}  // namespace pmjit::strict
