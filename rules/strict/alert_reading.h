// AlertReading: what one evaluation says of each element of an alert: of each instance, or of the
// whole where the condition is one truth. Source: spec alerting.md §3.1, §4.1.
//
//   const AlertReading reading = read_alert(task, placed, rule);
//   reading.unknown                                  // why nothing is known of any element
//   reading.lanes[0].says                            // Says::holds
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/alerts/elements.h"
#include "rules/model/events.h"
#include "rules/strict/task.h"

namespace pmjit::strict {

struct AlertLane {
  std::optional<std::string> instance{};
  Says says = Says::unknown;
  AlertReason reason{};  // of Says::unknown
};

struct AlertReading {
  std::optional<AlertReason> unknown{};
  std::vector<AlertLane> lanes{};  // none, where `unknown` is

  // It fires, or is unknown, or neither.
  [[nodiscard]] RuleTruth truth(bool fires) const;
};

// At the row that the task is at.
[[nodiscard]] AlertReading read_alert(const Task& task, const TaskRule& placed, const Rule& rule);

[[nodiscard]] AlertSeverity alert_severity(std::string_view word);
// Of the one level that an alert has; what it does not say is as in `otherwise`.
[[nodiscard]] AlertRule alert_rule(const AlertTerms& terms, double delta, LifeParameters otherwise);

}  // namespace pmjit::strict
