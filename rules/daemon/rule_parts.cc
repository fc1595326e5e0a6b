#include "rules/daemon/rule_parts.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

namespace pmjit {

RulePart::RulePart(RuleBlock rules) : rules_(std::move(rules)) {
  for (const BlockRule& rule : rules_.rules) keys_.emplace(rule.name, rule.keys.whole);
}

bool RulePart::evaluates(const BlockRule& rule) const {
  const auto own = keys_.find(rule.name);
  return own != keys_.end() && own->second == rule.keys.whole;
}

void RulePart::tell(RuleNames rules) {
  told_ = std::move(rules);
  is_whole_ = told_ == rules_.names;
  told_alerts_.clear();
  for (const BlockRule& rule : rules_.rules) {
    if (tells(rule.name)) told_alerts_.insert(rule.alerts.begin(), rule.alerts.end());
  }
}

RuleParts::RuleParts(RuleBlock first) { replace(std::move(first)); }

void RuleParts::replace(RuleBlock rules) {
  parts_.clear();
  RuleNames names = rules.names;
  add(std::move(rules)).tell(std::move(names));
}

RulePart& RuleParts::add(RuleBlock rules) {
  return *parts_.emplace_back(std::make_unique<RulePart>(std::move(rules)));
}

RulePart* RuleParts::part_of(const BlockRule& rule) const {
  for (const auto& part : parts_ | std::views::reverse) {
    if (part->evaluates(rule)) return part.get();
  }
  return nullptr;
}

std::optional<RuleBlock> RuleParts::missing(const RuleBlock& next) const {
  RuleNames out;
  for (const BlockRule& rule : next.rules) {
    if (part_of(rule) == nullptr) out.insert(rule.name);
  }
  if (!may_go_on(next, out.size())) return next;
  return out.empty() ? std::nullopt : std::optional(next.with(out));
}

bool RuleParts::may_go_on(const RuleBlock& next, size_t missing) const {
  size_t staying = 0, evaluated = missing;
  double shortest = HUGE_VAL, shortest_evaluated = HUGE_VAL;
  for (const BlockRule& rule : next.rules) shortest = std::min(shortest, rule.delta);
  for (const auto& part : parts_) {
    const auto is_own = [&](const BlockRule& rule) { return part_of(rule) == part.get(); };
    if (std::ranges::none_of(next.rules, is_own)) continue;  // it ends
    ++staying;
    evaluated += part->rules().rules.size();
    for (const BlockRule& rule : part->rules().rules) {
      shortest_evaluated = std::min(shortest_evaluated, rule.delta);
    }
  }
  const size_t parts = staying + (missing > 0 ? 1 : 0);
  return parts <= kMost && evaluated <= 2 * next.rules.size() && shortest_evaluated >= shortest;
}

RuleNames RuleParts::staying(const RuleBlock& next) const {
  RuleNames out;
  for (const BlockRule& rule : next.rules) {
    const RulePart* const part = part_of(rule);
    if (part != nullptr && part->tells(rule.name)) out.insert(rule.name);
  }
  return out;
}

void RuleParts::tell(const RuleBlock& next, const RuleNames& rules) {
  for (const auto& part : parts_) {
    RuleNames told;
    for (const BlockRule& rule : next.rules) {
      if (rules.contains(rule.name) && part_of(rule) == part.get()) told.insert(rule.name);
    }
    part->tell(std::move(told));
  }
}

std::vector<size_t> RuleParts::drop_silent() {
  std::vector<size_t> out;
  for (size_t i = parts_.size(); i-- > 0 && parts_.size() > 1;) {
    if (!parts_[i]->is_silent()) continue;
    out.push_back(i);
    parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return out;
}

}  // namespace pmjit
