#include "rules/strict/alert_states.h"

#include <cmath>

#include "runtime/base/bits.h"

namespace pmjit::strict {

namespace {

WallTime wall_of(double seconds) {
  return WallTime(std::chrono::microseconds(std::llround(seconds * 1e6)));
}
double seconds_of(WallTime at) { return static_cast<double>(at.time_since_epoch().count()) / 1e9; }

// Says of lanes as bits.
struct LaneBits {
  std::vector<uint64_t> holds, unknown, clear;
  explicit LaneBits(size_t lanes)
      : holds(bits::words_for(lanes)), unknown(holds.size()), clear(holds.size()) {}

  void set(size_t lane, Says says) {
    if (says == Says::holds) bits::set(holds.data(), lane);
    if (says == Says::unknown) bits::set(unknown.data(), lane);
    if (says == Says::clear) bits::set(clear.data(), lane);
  }
  [[nodiscard]] LevelTruths truths() const {
    return {.holds = holds, .unknown = unknown, .clear = clear};
  }
};

}  // namespace

AlertStates::AlertStates(const Rule& rule) : elements_(alert_rule(*rule.alert, rule.delta, {})) {}

std::vector<AlertEvent> AlertStates::step_elements(const AlertReading& reading, WallTime at) {
  if (reading.unknown) return elements_.step_unknown(at, *reading.unknown);
  std::vector<ElementId> lanes;
  std::vector<Says> says;
  std::vector<AlertReason> reasons;
  for (const AlertLane& lane : reading.lanes) {
    auto id = ids_.find(lane.instance);
    if (id == ids_.end()) {
      if (lane.says != Says::holds) continue;
      id = ids_.emplace(lane.instance, ElementId{{next_++}}).first;
      names_.emplace(id->second, lane.instance);
    }
    lanes.push_back(id->second);
    says.push_back(lane.says);
    reasons.push_back(lane.reason);
  }
  LaneBits level(lanes.size());
  for (size_t lane = 0; lane < says.size(); ++lane) level.set(lane, says[lane]);
  const LevelTruths truths = level.truths();
  return elements_.step({.at = at, .lanes = lanes, .levels = {&truths, 1}, .reasons = reasons});
}

std::vector<ElementChange> AlertStates::step(const AlertReading& reading, double when) {
  const WallTime at = wall_of(when);
  std::vector<ElementChange> out;
  for (const AlertEvent& event : step_elements(reading, at)) {
    out.push_back({.kind = event.kind,
                   .instance = names_.at(event.element),
                   .since = seconds_of(event.since),
                   .reason = event.reason});
  }
  forget_idle();
  if (const auto whole = step_whole(reading, at)) out.push_back(*whole);
  return out;
}

// While an alert is there it says itself that it is unknown.
std::optional<ElementChange> AlertStates::step_whole(const AlertReading& reading, WallTime at) {
  const bool is_dark = reading.unknown && elements_.states().empty();
  const auto since = whole_.dark;
  const auto event =
      whole_.step(is_dark ? *reading.unknown : AlertReason{}, at, elements_.rule().life.stale);
  if (!event) return std::nullopt;
  return ElementChange{.kind = *event,
                       .since = seconds_of(since.value_or(at)),
                       .reason = is_dark ? *reading.unknown : AlertReason{},
                       .of_rule = true};
}

std::vector<std::optional<std::string>> AlertStates::firing() const {
  std::vector<std::optional<std::string>> out;
  for (const auto& [id, element] : elements_.states()) {
    if (element.shown) out.push_back(names_.at(id));
  }
  return out;
}

void AlertStates::forget_idle() {
  std::erase_if(ids_, [&](const auto& one) {
    const bool idle = !elements_.states().contains(one.second);
    if (idle) names_.erase(one.second);
    return idle;
  });
}

}  // namespace pmjit::strict
