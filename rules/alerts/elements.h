// Elements: the alerts of one rule on one host, an alert for each instance (or one, where the
// condition is one truth). Source: spec alerting.md §4.2.
//
//   AlertElements elements(rule);                   // levels, keep, stale, interval
//   const auto events = elements.step({.at = tick, .lanes = instances, .levels = truths});
//   for (const AlertEvent& event : events) …
//
// Levels are stepped one by one (life_cycle.h). The alert of an element is its most severe level
// that fires. Only elements that are pending or fire have a state. A tick at which none does and
// nothing is true costs one look at each word of the truths.
//
// An element is identified by a number that the caller gives its instance name; the system's
// instance numbers are used again for other instances.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rules/alerts/alert_reason.h"
#include "rules/alerts/life_cycle.h"
#include "runtime/base/ids.h"

namespace pmjit {

struct ElementId : Id<ElementId> {};

enum class AlertSeverity : uint8_t { info, warning, critical };
[[nodiscard]] std::string_view alert_severity_text(AlertSeverity severity);

struct AlertRule {
  struct Level {
    AlertSeverity severity = AlertSeverity::warning;
    std::chrono::milliseconds hold_for{0};
  };
  std::vector<Level> levels{Level{}};  // the most severe first; at least one
  LifeParameters life{};               // hold_for: that of the level counts
};

enum class AlertEventKind : uint8_t {
#define ALERT_EVENT(name, text, told) name,
#include "rules/alerts/events.def"
#undef ALERT_EVENT
};
[[nodiscard]] std::string_view alert_event_text(AlertEventKind kind);
[[nodiscard]] bool is_told(AlertEventKind kind);

// pending, inactive: of `level`, whatever the alert does. The others are of the alert, and `level`
// is what it shows. level: it showed `from` until now, so the label set of `from` is resolved and
// that of `level` fires, in one message.
struct AlertEvent {
  AlertEventKind kind = AlertEventKind::pending;
  ElementId element{};
  uint32_t level = 0;              // of AlertRule::levels
  std::optional<uint32_t> from{};  // of a change of level
  WallTime at{};                   // the tick
  WallTime since{};                // startsAt: the first true tick of `level`
  WallTime from_since{};           // of `from`
  AlertReason reason{};            // of unknown; of resolved where it is `gone` or `removed`

  friend bool operator==(const AlertEvent&, const AlertEvent&) = default;
};

// Of one level at one tick: bit i is lane i. `holds` goes before `unknown`, that before `clear`;
// without any of them a lane is between. Bits behind the last lane are zero.
struct LevelTruths {
  std::span<const uint64_t> holds, unknown, clear;
};

struct ElementTick {
  WallTime at{};
  std::span<const ElementId> lanes{};      // each once
  std::span<const LevelTruths> levels{};   // one for each level of the rule
  std::span<const AlertReason> reasons{};  // why a lane is unknown; empty: `reason`
  AlertReason reason{};
};

class AlertElements {
 public:
  struct Element {
    std::vector<LifeState> levels;
    uint32_t lane = 0;                // where it was at the last tick
    std::optional<uint32_t> shown{};  // the most severe level that fires
    AlertReason reason{};             // while it is dark
  };
  using States = std::map<ElementId, Element>;

  explicit AlertElements(AlertRule rule) : rule_(std::move(rule)) {}

  // What has become of elements, in the order of their numbers.
  [[nodiscard]] std::vector<AlertEvent> step(const ElementTick& tick);
  // The binding as a whole is unknown: no host, no metric, first sample, a late answer.
  [[nodiscard]] std::vector<AlertEvent> step_unknown(WallTime at, AlertReason reason);
  // The rule or its host is no more: what fires resolves, what is pending ends.
  [[nodiscard]] std::vector<AlertEvent> remove(WallTime at, AlertReason reason);

  // Only elements that are pending or fire.
  [[nodiscard]] const States& states() const { return states_; }
  [[nodiscard]] const AlertRule& rule() const { return rule_; }
  // It is evaluated at another interval from now on.
  void set_interval(std::chrono::milliseconds interval) { rule_.life.interval = interval; }
  // The *unknown* of the last step was told to nobody: it comes again while it holds.
  void untell(ElementId element);
  // As the store has kept it. A state without any level that is active is none.
  void restore(ElementId element, std::vector<LifeState> levels);

 private:
  using Lanes = std::unordered_map<ElementId, uint32_t, IdHash>;

  void admit(const ElementTick& tick);
  // The lane of each element that has a state; none: its instance is gone.
  [[nodiscard]] static std::optional<uint32_t> lane_of(ElementId id, const Element& element,
                                                       const ElementTick& tick, Lanes& lanes);
  void step_element(ElementId id, Element& element, std::span<const Says> says, WallTime at,
                    AlertReason reason, std::vector<AlertEvent>& events) const;
  void forget_idle();

  AlertRule rule_;
  States states_;
};

// After `stale` an event says that a binding is unknown as a whole; it has no instance.
struct UnknownWatch {
  std::optional<WallTime> dark{};  // the first unknown tick since it was known
  bool noted = false;
  AlertReason reason{};

  // The events of this tick; a reason of ReasonKind::none: the binding is known.
  [[nodiscard]] std::optional<AlertEventKind> step(AlertReason why, WallTime at,
                                                   std::chrono::milliseconds stale);
};

}  // namespace pmjit
