#include "rules/check/truths.h"

#include <algorithm>
#include <limits>

namespace pmjit {

namespace {

std::string text_of(std::optional<RuleTruth> truth) {
  return truth ? std::string(rule_truth_text(*truth)) : "not evaluated";
}

std::optional<FirstDifference> truth_difference(const RuleHistory& a, const RuleHistory& b) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  std::optional<RuleTruth> x, y;
  for (size_t i = 0, k = 0; i < a.truths.size() || k < b.truths.size();) {
    const double at = i < a.truths.size() ? a.truths[i].when : kNever;
    const double bt = k < b.truths.size() ? b.truths[k].when : kNever;
    const double now = std::min(at, bt);
    if (at == now) x = a.truths[i++].truth;
    if (bt == now) y = b.truths[k++].truth;
    if (x != y) return FirstDifference{now, text_of(x), text_of(y)};
  }
  return std::nullopt;
}

// What was done at a time, all of it.
std::string done_at(const std::vector<RuleHistory::Action>& actions, double when) {
  std::string out;
  for (const auto& action : actions) {
    if (action.when != when) continue;
    if (!out.empty()) out += ", ";
    out += action.text;
  }
  return out.empty() ? "no action" : out;
}

std::optional<FirstDifference> action_difference(const RuleHistory& a, const RuleHistory& b) {
  for (size_t i = 0; i < a.actions.size() || i < b.actions.size(); ++i) {
    const bool both = i < a.actions.size() && i < b.actions.size();
    if (both && a.actions[i].when == b.actions[i].when && a.actions[i].text == b.actions[i].text) {
      continue;
    }
    const double when = !both ? (i < a.actions.size() ? a.actions[i].when : b.actions[i].when)
                              : std::min(a.actions[i].when, b.actions[i].when);
    return FirstDifference{when, done_at(a.actions, when), done_at(b.actions, when)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<FirstDifference> first_difference(const RuleHistory& a, const RuleHistory& b) {
  auto truth = truth_difference(a, b), action = action_difference(a, b);
  if (truth && action) return truth->when <= action->when ? truth : action;
  return truth ? truth : action;
}

}  // namespace pmjit
