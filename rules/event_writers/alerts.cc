#include "rules/event_writers/alerts.h"

#include <algorithm>

namespace pmjit {

namespace {

std::vector<Alert> of_rule(const std::vector<Alert>& alerts, const std::string& rule) {
  std::vector<Alert> out;
  for (const Alert& alert : alerts) {
    if (alert.rule == rule) out.push_back(alert);
  }
  return out;
}

bool alike(const std::vector<Alert>& a, const std::vector<Alert>& b) {
  return std::ranges::equal(a, b, [](const Alert& x, const Alert& y) {
    return x.from == y.from && x.to == y.to && x.goes_on == y.goes_on;
  });
}

AlertChange change_of(const AlertDiff& diff) {
  if (diff.before.empty()) return AlertChange::gained;
  if (diff.after.empty()) return AlertChange::lost;
  return alike(diff.before, diff.after) ? AlertChange::same : AlertChange::moved;
}

// The next ones that hang together, from both lists.
AlertDiff take_group(const std::vector<Alert>& before, const std::vector<Alert>& after, size_t& i,
                     size_t& k) {
  AlertDiff out{};
  const bool old_first =
      k == after.size() || (i < before.size() && before[i].from <= after[k].from);
  double end = old_first ? before[i].from : after[k].from;
  for (;;) {
    if (i < before.size() && before[i].from <= end) {
      end = std::max(end, before[i].to);
      out.before.push_back(before[i++]);
    } else if (k < after.size() && after[k].from <= end) {
      end = std::max(end, after[k].to);
      out.after.push_back(after[k++]);
    } else {
      return out;
    }
  }
}

}  // namespace

void AlertCollector::begin(const ReplaySchema& schema) {
  schema_ = schema;
  open_.assign(schema.rules.size(), {});
}

void AlertCollector::put(const RuleTransition& event) {
  const Transition& t = event.transition;
  if (t.from == RuleTruth::yes && !t.is_first) {
    Alert alert = open_[event.rule];
    alert.to = t.when;
    alerts_.push_back(std::move(alert));
  }
  if (t.to == RuleTruth::yes) {
    open_[event.rule] = {
        .rule = schema_.rules[event.rule], .from = t.when, .bindings = event.bindings};
  }
}

void AlertCollector::end(double when, std::span<const RuleState> states) {
  for (size_t i = 0; i < states.size(); ++i) {
    if (states[i].truth != RuleTruth::yes) continue;
    Alert alert = open_[i];
    alert.to = when;
    alert.goes_on = true;
    alerts_.push_back(std::move(alert));
  }
  std::ranges::stable_sort(alerts_, {}, &Alert::from);
}

std::string_view alert_change_text(AlertChange change) {
  static constexpr std::string_view kTexts[] = {"gained", "lost", "moved", "same"};
  return kTexts[static_cast<size_t>(change)];
}

std::vector<AlertDiff> compare_alerts(const std::vector<std::string>& rules,
                                      const std::vector<Alert>& before,
                                      const std::vector<Alert>& after) {
  std::vector<AlertDiff> out;
  for (const std::string& rule : rules) {
    const auto old_ones = of_rule(before, rule), new_ones = of_rule(after, rule);
    for (size_t i = 0, k = 0; i < old_ones.size() || k < new_ones.size();) {
      AlertDiff diff = take_group(old_ones, new_ones, i, k);
      diff.rule = rule;
      diff.change = change_of(diff);
      out.push_back(std::move(diff));
    }
  }
  return out;
}

}  // namespace pmjit
