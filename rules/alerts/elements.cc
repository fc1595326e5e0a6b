#include "rules/alerts/elements.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "runtime/base/bits.h"
#include "runtime/base/result.h"

namespace pmjit {
namespace {

struct EventRow {
  std::string_view text;
  bool told;
};
constexpr auto kEventRows = std::to_array<EventRow>({
#define ALERT_EVENT(name, text, told) {text, told},
#include "rules/alerts/events.def"
#undef ALERT_EVENT
});

Says lane_says(const LevelTruths& level, uint32_t lane) {
  if (bits::get(level.holds.data(), lane)) return Says::holds;
  if (bits::get(level.unknown.data(), lane)) return Says::unknown;
  return bits::get(level.clear.data(), lane) ? Says::clear : Says::between;
}

std::optional<uint32_t> most_severe(std::span<const LifeState> levels) {
  const auto found = std::ranges::find(levels, Phase::firing, &LifeState::phase);
  if (found == levels.end()) return std::nullopt;
  return static_cast<uint32_t>(found - levels.begin());
}

AlertReason reason_at(const ElementTick& tick, uint32_t lane) {
  return tick.reasons.empty() ? tick.reason : tick.reasons[lane];
}

// What an element showed before a step, and the making of its events from that.
class Change {
 public:
  Change(ElementId id, const AlertElements::Element& element, WallTime at)
      : id_(id), at_(at), shown_(element.shown), before_(element.levels) {}

  [[nodiscard]] AlertEvent event(AlertEventKind kind, uint32_t level, WallTime since) const {
    return {.kind = kind, .element = id_, .level = level, .at = at_, .since = since};
  }

  // Of the alert, from the levels before and after.
  void add_events(const AlertElements::Element& after, AlertReason reason,
                  std::vector<AlertEvent>& out) const {
    using enum AlertEventKind;
    const bool is_same = shown_ == after.shown;
    const bool was_noted = shown_ && before_[*shown_].noted;
    const bool is_noted = after.shown && after.levels[*after.shown].noted;
    if (was_noted && !(is_same && is_noted)) out.push_back(event(known, *shown_, since()));
    if (!is_same && !after.shown) {
      out.push_back(event(resolved, *shown_, since()));
      if (reason.kind == ReasonKind::gone || reason.kind == ReasonKind::removed) {
        out.back().reason = reason;
      }
    } else if (!is_same) {
      out.push_back(event(shown_ ? level : firing, *after.shown, since_of(after)));
      if (shown_) {
        out.back().from = shown_;
        out.back().from_since = since();
      }
    }
    if (is_noted && !(is_same && was_noted)) {
      out.push_back(event(unknown, *after.shown, since_of(after)));
      out.back().reason = reason;
    }
  }

 private:
  [[nodiscard]] WallTime since() const { return before_[*shown_].since; }
  [[nodiscard]] static WallTime since_of(const AlertElements::Element& element) {
    return element.levels[*element.shown].since;
  }

  ElementId id_;
  WallTime at_;
  std::optional<uint32_t> shown_;
  std::vector<LifeState> before_;
};

}  // namespace

std::string_view alert_severity_text(AlertSeverity severity) {
  switch (severity) {
    case AlertSeverity::info: return "info";
    case AlertSeverity::warning: return "warning";
    case AlertSeverity::critical: return "critical";
  }
  return "";
}

std::string_view alert_event_text(AlertEventKind kind) {
  return kEventRows.at(static_cast<size_t>(kind)).text;
}

bool is_told(AlertEventKind kind) { return kEventRows.at(static_cast<size_t>(kind)).told; }

std::vector<AlertEvent> AlertElements::step(const ElementTick& tick) {
  check(tick.levels.size() == rule_.levels.size(), "a tick says something of each level");
  admit(tick);
  std::vector<AlertEvent> events;
  if (states_.empty()) return events;
  Lanes lanes;
  std::vector<Says> says(rule_.levels.size());
  for (auto& [id, element] : states_) {
    const std::optional<uint32_t> lane = lane_of(id, element, tick, lanes);
    for (size_t level = 0; level < says.size(); ++level) {
      says[level] = lane ? lane_says(tick.levels[level], *lane) : Says::gone;
    }
    if (lane) element.lane = *lane;
    const AlertReason reason = lane ? reason_at(tick, *lane) : AlertReason{ReasonKind::gone};
    step_element(id, element, says, tick.at, reason, events);
  }
  forget_idle();
  return events;
}

std::vector<AlertEvent> AlertElements::step_unknown(WallTime at, AlertReason reason) {
  std::vector<AlertEvent> events;
  const std::vector<Says> says(rule_.levels.size(), Says::unknown);
  for (auto& [id, element] : states_) step_element(id, element, says, at, reason, events);
  forget_idle();
  return events;
}

std::vector<AlertEvent> AlertElements::remove(WallTime at, AlertReason reason) {
  std::vector<AlertEvent> events;
  for (auto& [id, element] : states_) {
    const Change change(id, element, at);
    for (uint32_t level = 0; level < element.levels.size(); ++level) {
      const LifeState& state = element.levels[level];
      if (state.phase == Phase::pending) {
        events.push_back(change.event(AlertEventKind::inactive, level, state.since));
      }
      element.levels[level] = {};
    }
    element.shown.reset();
    change.add_events(element, reason, events);
  }
  states_.clear();
  return events;
}

void AlertElements::restore(ElementId element, std::vector<LifeState> levels) {
  check(levels.size() == rule_.levels.size(), "a state has as many levels as its rule");
  const std::optional<uint32_t> shown = most_severe(levels);
  states_.insert_or_assign(element, Element{.levels = std::move(levels), .shown = shown});
  forget_idle();
}

void AlertElements::untell(ElementId element) {
  const auto found = states_.find(element);
  check(found != states_.end(), "what was unknown has a state");
  for (LifeState& level : found->second.levels) level.noted = false;
}

// An element of which nothing is known yet gets a state where a level holds. A word without such a
// bit is passed by as a whole.
void AlertElements::admit(const ElementTick& tick) {
  for (size_t word = 0; word < bits::words_for(tick.lanes.size()); ++word) {
    uint64_t holds = 0;
    for (const LevelTruths& level : tick.levels) holds |= level.holds[word];
    for (; holds != 0; holds &= holds - 1) {
      const auto lane =
          static_cast<uint32_t>(word * 64 + static_cast<size_t>(std::countr_zero(holds)));
      check(lane < tick.lanes.size(), "bits behind the last lane are zero");
      const auto [place, is_new] = states_.try_emplace(tick.lanes[lane]);
      if (!is_new) continue;
      place->second.levels.resize(rule_.levels.size());
      place->second.lane = lane;
    }
  }
}

// Instances mostly stay where they were. If one has moved, all are looked up once.
std::optional<uint32_t> AlertElements::lane_of(ElementId id, const Element& element,
                                               const ElementTick& tick, Lanes& lanes) {
  if (element.lane < tick.lanes.size() && tick.lanes[element.lane] == id) return element.lane;
  if (lanes.empty()) {
    for (uint32_t lane = 0; lane < tick.lanes.size(); ++lane) lanes.emplace(tick.lanes[lane], lane);
  }
  const auto found = lanes.find(id);
  if (found == lanes.end()) return std::nullopt;
  return found->second;
}

void AlertElements::step_element(ElementId id, Element& element, std::span<const Says> says,
                                 WallTime at, AlertReason reason,
                                 std::vector<AlertEvent>& events) const {
  const Change change(id, element, at);
  for (uint32_t level = 0; level < says.size(); ++level) {
    LifeParameters life = rule_.life;
    life.hold_for = rule_.levels[level].hold_for;
    const LifeState& before = element.levels[level];
    const LifeStep next = pmjit::step(before, says[level], at, life);
    for (const LifeEvent event : next.events) {
      if (event == LifeEvent::pending) {
        events.push_back(change.event(AlertEventKind::pending, level, at));
      } else if (event == LifeEvent::inactive) {
        events.push_back(change.event(AlertEventKind::inactive, level, before.since));
      }
    }
    element.levels[level] = next.state;
  }
  element.shown = most_severe(element.levels);
  const bool is_dark = std::ranges::any_of(
      element.levels, [](const LifeState& level) { return level.dark.has_value(); });
  element.reason = is_dark ? reason : AlertReason{};
  change.add_events(element, reason, events);
}

void AlertElements::forget_idle() {
  std::erase_if(states_, [](const auto& entry) {
    return std::ranges::all_of(
        entry.second.levels, [](const LifeState& level) { return level.phase == Phase::inactive; });
  });
}

std::optional<AlertEventKind> UnknownWatch::step(AlertReason why, WallTime at,
                                                 std::chrono::milliseconds stale) {
  if (why.kind == ReasonKind::none) {
    const bool was_noted = noted;
    *this = {};
    return was_noted ? std::optional(AlertEventKind::known) : std::nullopt;
  }
  reason = why;
  dark = std::min(dark.value_or(at), at);  // the clock may have been set back
  if (noted || at - *dark < stale) return std::nullopt;
  noted = true;
  return AlertEventKind::unknown;
}

}  // namespace pmjit
