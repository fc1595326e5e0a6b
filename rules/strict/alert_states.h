// AlertStates: the alerts of one rule on one host, from one evaluation to the next. Over archives
// and in `pmjit run`; the daemon keeps its own on disk. Source: spec alerting.md §4.
//
//   AlertStates states(rule);
//   for (const ElementChange& change : states.step(reading, when)) …
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rules/strict/alert_reading.h"

namespace pmjit::strict {

struct ElementChange {
  AlertEventKind kind = AlertEventKind::pending;
  std::optional<std::string> instance{};  // none: of the whole
  double since = 0;                       // seconds: the first true tick, or the first unknown one
  AlertReason reason{};
  bool of_rule = false;  // the rule is unknown as a whole, while none of its alerts is active
};

class AlertStates {
 public:
  explicit AlertStates(const Rule& rule);

  // `when`: seconds.
  [[nodiscard]] std::vector<ElementChange> step(const AlertReading& reading, double when);
  // Instances of alerts that fire; none of the whole.
  [[nodiscard]] std::vector<std::optional<std::string>> firing() const;

 private:
  [[nodiscard]] std::vector<AlertEvent> step_elements(const AlertReading& reading, WallTime at);
  [[nodiscard]] std::optional<ElementChange> step_whole(const AlertReading& reading, WallTime at);
  void forget_idle();

  AlertElements elements_;
  std::map<std::optional<std::string>, ElementId> ids_;  // of elements that have a state
  std::map<ElementId, std::optional<std::string>> names_;
  uint32_t next_ = 0;
  UnknownWatch whole_{};
};

}  // namespace pmjit::strict
