#include "rules/event_writers/alerts.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "rules/event_writers/event_formats.h"
#include "runtime/report/text/quoting.h"

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

std::string span_text(const Alert& alert, Zone& zone) {
  if (alert.goes_on) return fmt::format("{} to the end", event_time_text(alert.from, zone));
  return fmt::format("{} for {}", event_time_text(alert.from, zone),
                     duration_text(alert.to - alert.from));
}

std::string spans_text(const std::vector<Alert>& alerts, Zone& zone) {
  std::string out;
  for (const Alert& alert : alerts) {
    if (!out.empty()) out += "; ";
    out += span_text(alert, zone);
  }
  return out.empty() ? "-" : out;
}

std::string summary(const DiffInput& input) {
  std::array<size_t, 4> counts{};
  for (const AlertDiff& diff : input.diffs) ++counts[static_cast<size_t>(diff.change)];
  return fmt::format("{} gained, {} lost, {} moved, {} the same", counts[0], counts[1], counts[2],
                     counts[3]);
}

std::string only_lines(const DiffInput& input, std::string_view bullet) {
  std::string out;
  const auto add = [&](const std::vector<std::string>& rules, std::string_view where) {
    if (rules.empty()) return;
    out += fmt::format("{}only in the {} rules: {}\n", bullet, where, fmt::join(rules, ", "));
  };
  add(input.only_before, "old");
  add(input.only_after, "new");
  return out;
}

std::string diff_table(const DiffInput& input, Zone& zone) {
  size_t width = 0;
  for (const AlertDiff& diff : input.diffs) width = std::max(width, diff.rule.size());
  std::string out = only_lines(input, "");
  for (const AlertDiff& diff : input.diffs) {
    if (diff.change == AlertChange::same) continue;
    out += fmt::format("{:<6}  {:<{}}  ", alert_change_text(diff.change), diff.rule, width);
    switch (diff.change) {
      case AlertChange::gained: out += spans_text(diff.after, zone); break;
      case AlertChange::lost: out += spans_text(diff.before, zone); break;
      default:
        out += fmt::format("{} -> {}", spans_text(diff.before, zone), spans_text(diff.after, zone));
    }
    out += '\n';
  }
  return out + summary(input) + "\n";
}

std::string cell(std::string text) {
  for (size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) {
    text.insert(at, "\\");
  }
  return text;
}

std::string diff_markdown(const DiffInput& input, Zone& zone) {
  std::string out = fmt::format("{}: {}.\n\n", "Alerts", summary(input));
  out += only_lines(input, "- ");
  bool has_rows = false;
  for (const AlertDiff& diff : input.diffs) {
    if (diff.change == AlertChange::same) continue;
    if (!has_rows) out += "\n| change | rule | old | new |\n|---|---|---|---|\n";
    has_rows = true;
    out += fmt::format("| {} | {} | {} | {} |\n", alert_change_text(diff.change), cell(diff.rule),
                       cell(spans_text(diff.before, zone)), cell(spans_text(diff.after, zone)));
  }
  return out;
}

std::string alerts_json(const std::vector<Alert>& alerts) {
  std::string out;
  for (const Alert& alert : alerts) {
    const std::string to = alert.goes_on ? "null" : fmt::format("\"{}\"", event_iso(alert.to));
    out += fmt::format(R"({}{{"from":"{}","to":{}}})", out.empty() ? "" : ",",
                       event_iso(alert.from), to);
  }
  return "[" + out + "]";
}

std::string diff_json(const DiffInput& input, Zone&) {
  std::string out;
  const auto only = [&](const std::vector<std::string>& rules, std::string_view where) {
    for (const std::string& rule : rules) {
      out += fmt::format(R"({{"only":"{}","rule":{}}})"
                         "\n",
                         where, json_text(rule));
    }
  };
  only(input.only_before, "old");
  only(input.only_after, "new");
  for (const AlertDiff& diff : input.diffs) {
    out += fmt::format(R"({{"change":"{}","rule":{},"old":{},"new":{}}})"
                       "\n",
                       alert_change_text(diff.change), json_text(diff.rule),
                       alerts_json(diff.before), alerts_json(diff.after));
  }
  return out;
}

constexpr DiffFormat kDiffFormats[] = {
    {"table", "one line per change, for people", diff_table},
    {"markdown", "a table for a review", diff_markdown},
    {"json", "one object per line: rules of one side alone, then alerts and how they change",
     diff_json},
};

}  // namespace

void AlertCollector::begin(const ReplaySchema& schema) {
  rules_.clear();
  for (size_t i = 0; i < schema.rules.size(); ++i) rules_.push_back(schema.label(i));
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
    open_[event.rule] = {.rule = rules_[event.rule], .from = t.when, .bindings = event.bindings};
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

bool changes_something(const DiffInput& input) {
  return !input.only_before.empty() || !input.only_after.empty() ||
         std::ranges::any_of(
             input.diffs, [](const AlertDiff& diff) { return diff.change != AlertChange::same; });
}

std::span<const DiffFormat> diff_formats() { return kDiffFormats; }

const DiffFormat* find_diff_format(std::string_view name) {
  const auto* const found = std::ranges::find(kDiffFormats, name, &DiffFormat::name);
  return found == std::end(kDiffFormats) ? nullptr : found;
}

}  // namespace pmjit
