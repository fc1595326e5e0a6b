#include "rules/strict/alert_reading.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "runtime/model/results.h"

namespace pmjit::strict {

namespace {

constexpr size_t kCondition = 0;  // of the clauses of an alert

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(std::llround(seconds * 1e3));
}

std::optional<size_t> until_of(const TaskRule& placed, const Rule& rule) {
  const auto found = std::ranges::find(rule.clauses, Clause::When::until, &Clause::when);
  if (found == rule.clauses.end()) return std::nullopt;
  return placed.clauses[static_cast<size_t>(found - rule.clauses.begin())].condition;
}

RuleTruth truth_of(const LaneValue& lane) {
  if (lane.reason != kKnown) return RuleTruth::unknown;
  return lane.number != 0 ? RuleTruth::yes : RuleTruth::no;
}

// The recovery condition: of all elements, or of each instance.
class Recovery {
 public:
  Recovery(const Task& task, std::optional<size_t> root) : is_there_(root.has_value()) {
    if (!root) return;
    if (task.judges(*root)) {
      all_ = task.truth(*root);
    } else {
      const RootValues values = task.values(*root);
      for (const LaneValue& lane : values.lanes) {
        lanes_[lane.instance.value_or("")] = truth_of(lane);
      }
    }
  }

  // Of an element whose condition is false.
  [[nodiscard]] Says says(const std::optional<std::string>& instance) const {
    if (!is_there_) return Says::clear;
    const auto lane = lanes_.find(instance.value_or(""));
    switch (all_ ? *all_ : lane == lanes_.end() ? RuleTruth::unknown : lane->second) {
      case RuleTruth::yes: return Says::clear;
      case RuleTruth::no: return Says::between;
      case RuleTruth::unknown: break;
    }
    return Says::unknown;
  }

 private:
  bool is_there_;
  std::optional<RuleTruth> all_{};
  std::map<std::string, RuleTruth, std::less<>> lanes_{};
};

AlertLane lane_of(std::optional<std::string> instance, RuleTruth truth, const Recovery& recovery,
                  int32_t reason) {
  AlertLane out{.instance = std::move(instance)};
  if (truth == RuleTruth::yes) out.says = Says::holds;
  if (truth == RuleTruth::no) out.says = recovery.says(out.instance);
  if (out.says == Says::unknown) out.reason = alert_reason(reason == kKnown ? kNoValue : reason);
  return out;
}

// Of a truth without instances that is unknown.
int32_t why_unknown(const Task& task, size_t root) {
  if (!task.has_row()) return kNoValue;
  const RootValues values = task.values(root);
  if (values.status != kKnown) return values.status;
  const bool has_one = !values.lanes.empty() && values.lanes.front().reason != kKnown;
  return has_one ? values.lanes.front().reason : int32_t{kNoValue};
}

}  // namespace

RuleTruth AlertReading::truth(bool fires) const {
  if (fires) return RuleTruth::yes;
  const bool is_unknown = unknown || std::ranges::any_of(lanes, [](const AlertLane& lane) {
                            return lane.says == Says::unknown;
                          });
  return is_unknown ? RuleTruth::unknown : RuleTruth::no;
}

AlertReading read_alert(const Task& task, const TaskRule& placed, const Rule& rule) {
  const size_t root = *placed.clauses[kCondition].condition;
  if (!task.is_settled(root) && !task.has_row()) return {.unknown = alert_reason(kGap)};
  const Recovery recovery(task, until_of(placed, rule));
  if (task.judges(root)) {
    const RuleTruth truth = task.truth(root);
    if (truth == RuleTruth::unknown) return {.unknown = alert_reason(why_unknown(task, root))};
    return {.lanes = {lane_of(std::nullopt, truth, recovery, kKnown)}};
  }
  RootValues values = task.values(root);
  if (values.status != kKnown) return {.unknown = alert_reason(values.status)};
  AlertReading out;
  for (LaneValue& lane : values.lanes) {
    const RuleTruth truth = truth_of(lane);
    out.lanes.push_back(lane_of(std::move(lane.instance), truth, recovery, lane.reason));
  }
  return out;
}

AlertSeverity alert_severity(std::string_view word) {
  for (const AlertSeverity severity : {AlertSeverity::info, AlertSeverity::critical}) {
    if (alert_severity_text(severity) == word) return severity;
  }
  return AlertSeverity::warning;
}

AlertRule alert_rule(const AlertTerms& terms, double delta, LifeParameters otherwise) {
  AlertRule out{.levels = {{.severity = alert_severity(terms.severity),
                            .hold_for = milliseconds(terms.hold_for)}},
                .life = otherwise};
  if (terms.keep) out.life.keep = milliseconds(*terms.keep);
  if (terms.stale) out.life.stale = milliseconds(*terms.stale);
  out.life.interval = milliseconds(delta);
  if (terms.gone_is_unknown) out.life.when_gone = WhenGone::is_unknown;
  return out;
}

}  // namespace pmjit::strict
