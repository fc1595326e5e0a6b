// The alerts of a strict rule that is an `alert`: one of the whole, or one of each instance.
#include <set>
#include <utility>

#include "rules/daemon/rule_group.h"

namespace pmjit {

namespace {

RuleTick tick_of(const strict::AlertLane& lane, const AlertTick& tick) {
  RuleTick out{.truth = RuleTruth::no,
               .at = tick.at,
               .interval = tick.interval,
               .reason = lane.reason,
               .says = lane.says};
  if (lane.says == Says::holds) out.truth = RuleTruth::yes;
  if (lane.says == Says::unknown) out.truth = RuleTruth::unknown;
  return out;
}

}  // namespace

void RuleGroup::AlertActs::add(const std::optional<std::string>& instance,
                               const AlertChanges& changes) {
  if (changes.began) began.push_back(instance);
  if (changes.fires) firing.push_back(instance);
  if (changes.ended) ended.push_back(instance);
  if (changes.dark) dark.push_back(instance);
}

std::vector<std::string> RuleGroup::active_instances(const RuleOnHost& place) const {
  std::vector<std::string> out;
  for (auto at = bindings_.lower_bound(place); at != bindings_.end(); ++at) {
    if (at->first.rule != place.rule || at->first.host != place.host) break;
    if (at->second->is_active()) out.push_back(at->first.instance);
  }
  return out;
}

void RuleGroup::step_alert(const std::string& rule, const std::string& host,
                           const AlertTick& tick) {
  const RuleOnHost place{rule, host};
  const auto active = active_instances(place);
  AlertActs acts;
  if (tick.reading.unknown) {
    const RuleTick unknown{.truth = RuleTruth::unknown,
                           .at = tick.at,
                           .interval = tick.interval,
                           .reason = *tick.reading.unknown};
    step_all_of(place, unknown, active, acts);
    // While an alert is there it says itself that it is unknown.
    if (active.empty()) acts.add(std::nullopt, step_place(place, unknown));
  } else {
    step_lanes(place, tick, acts);
  }
  ++evaluated_.at(static_cast<size_t>(tick.reading.truth(!acts.firing.empty())));
  act_on_alert(place, tick, acts);
}

void RuleGroup::step_all_of(const RuleOnHost& place, const RuleTick& tick,
                            const std::vector<std::string>& instances, AlertActs& acts) {
  for (const std::string& instance : instances) {
    const AlertChanges changes = step_place({place.rule, place.host, instance}, tick);
    acts.add(instance.empty() ? std::nullopt : std::optional(instance), changes);
  }
}

// Of instances that are neither true now nor pending or firing nothing is known. Those that fire
// and are in no lane are gone.
void RuleGroup::step_lanes(const RuleOnHost& place, const AlertTick& tick, AlertActs& acts) {
  const auto active = active_instances(place);
  std::set<std::string, std::less<>> gone(active.begin(), active.end());
  std::vector<std::optional<std::string>> holding;
  for (const strict::AlertLane& lane : tick.reading.lanes) {
    if (lane.says == Says::holds) holding.push_back(lane.instance);
  }
  const auto found = holding.empty() ? std::vector<RuleBinding>() : tick.bindings(holding);
  auto next = found.begin();
  bool is_whole = false;
  for (const strict::AlertLane& lane : tick.reading.lanes) {
    const std::string instance = lane.instance.value_or("");
    RuleTick step = tick_of(lane, tick);
    std::vector<RuleBinding> here;
    if (!lane.instance) {
      is_whole = true;
      here = found;
    } else if (lane.says == Says::holds) {
      here = {*next++};
    }
    if (lane.says == Says::holds) step.found = &here;
    const bool is_active = gone.erase(instance) > 0;
    if (!is_active && lane.says != Says::holds) {
      if (lane.instance) continue;
      step.truth = RuleTruth::no;  // `until` may be unknown, but it is about what fires
    }
    acts.add(lane.instance, step_place({place.rule, place.host, instance}, step));
  }
  step_all_of(place,
              {.truth = RuleTruth::no,
               .at = tick.at,
               .interval = tick.interval,
               .reason = {ReasonKind::gone},
               .says = Says::gone},
              {gone.begin(), gone.end()}, acts);
  // The rule as a whole is known.
  if (!is_whole) {
    (void)step_place(place, {.truth = RuleTruth::no, .at = tick.at, .interval = tick.interval});
  }
}

// Elements that begin at one time have one action. Those that fire on have what has a hold-off.
void RuleGroup::act_on_alert(const RuleOnHost& place, const AlertTick& tick,
                             const AlertActs& acts) {
  using When = strict::Clause::When;
  std::vector<ActionPlan> plans;
  const auto act = [&](When when, AlertTick::Elements elements, bool again) {
    if (elements.empty()) return;
    auto plan = tick.plan(when, tick.bindings(elements), again);
    if (plan) plans.push_back(*std::move(plan));
  };
  if (acts.began.empty()) {
    act(When::holds, acts.firing, true);
  } else {
    act(When::holds, acts.began, false);
  }
  act(When::unknown, acts.dark, false);
  act(When::otherwise, acts.ended, false);
  if (plans.empty()) return;
  world_.act(std::string(place.rule), std::string(place.host), std::move(plans));
}

}  // namespace pmjit
