// AlertBinding: the alert of a rule on a host: its life, and what is written down and told when
// something happens to it. Source: spec alerting.md §3.3, §4.
//
//   AlertBinding binding({"busy", "web1"}, table, "shape", 10s, "web1:44321");
//   binding.step({.truth = RuleTruth::yes, .at = tick, .found = bindings}, out);
//   out.batch           // goes to the StateWriter
//
// It has one element: of the host, or of the instance that its key names (`alert` in strict rules).
// One thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rules/daemon/alert_tables.h"
#include "rules/model/events.h"
#include "rules/state/state_batch.h"
#include "rules/web/alert_board.h"
#include "rules/web/metric_sheet.h"

namespace pmjit {

// Where it writes; the rest outlives it.
struct AlertOutput {
  StateBatch batch{};
  const std::vector<SinkBlock>* sinks = nullptr;  // of the configuration
  AlertBoard& board;
  MetricSheet& metrics;
  std::string page{};  // our own page; messages link to it
  size_t most = 0;     // [alerts] max
};

struct RuleTick {
  RuleTruth truth = RuleTruth::unknown;
  WallTime at{};
  Milliseconds interval{};                          // of the rule; 0: as before
  AlertReason reason{};                             // why it is unknown
  const std::vector<RuleBinding>* found = nullptr;  // where it is true, if that is known now
  std::optional<Says> says{};  // of an `alert` that is between, or gone: more than its truth
};

// What a step has done, for its rule's actions.
struct AlertChanges {
  bool fires = false, began = false, ended = false;
  bool dark = false;  // it was told that it is unknown

  void add(AlertEventKind kind) {
    began = began || kind == AlertEventKind::firing;
    ended = ended || kind == AlertEventKind::resolved;
    dark = dark || kind == AlertEventKind::unknown;
  }
};

class AlertBinding {
 public:
  // The level of a StoredAlert that says that the rule is unknown as a whole.
  static constexpr uint32_t kUnknownLevel = 1;

  AlertBinding(AlertKey key, AlertTable table, std::string shape, Milliseconds interval,
               std::string connection);

  [[nodiscard]] const AlertKey& key() const { return key_; }
  [[nodiscard]] const AlertTable& table() const { return table_; }
  // As it was kept, by this program or one before. What was pending under other conditions is not.
  void restore(const StoredAlert& stored);
  AlertChanges step(const RuleTick& tick, AlertOutput& out);
  // Messages about the unknown wait while the host is known to be down, and at the first tick after
  // that, which says little: a rate has no value at it.
  void hold_unknown(bool holds) { holds_unknown_ = std::exchange(held_, holds) || holds; }
  // The rule has been unknown since then; before the first step.
  void unknown_since(WallTime dark) { unknown_.dark = dark; }
  // Texts, labels, sinks, times: as a new configuration has them.
  void change(AlertTable table, WallTime at, AlertOutput& out);
  // The rule or its host is no more.
  void remove(WallTime at, AlertOutput& out);
  // What is to be handed to whoever goes on with it.
  [[nodiscard]] std::vector<StoredAlert> states() const;
  [[nodiscard]] bool is_active() const { return !elements_.states().empty(); }
  // Why it is unknown now; none: it is not.
  [[nodiscard]] std::optional<AlertReason> unknown() const;
  // Nothing is known of it that a new one would not know.
  [[nodiscard]] bool is_idle() const { return !is_active() && !unknown_.dark && !unknown_told_; }
  // Written down though nothing has happened: what was counted.
  void keep(AlertOutput& out) const;

 private:
  [[nodiscard]] LifeState life() const;
  [[nodiscard]] StoredAlert stored() const;
  [[nodiscard]] std::vector<AlertEvent> step_elements(const RuleTick& tick);
  void take_interval(Milliseconds interval);
  [[nodiscard]] bool take(const AlertEvent& event, AlertOutput& out);
  void begin_episode(WallTime at);
  // As they are at that time, of an alert that is true since then.
  void write_notes(WallTime since, WallTime at);
  [[nodiscard]] bool step_unknown(const RuleTick& tick, AlertOutput& out);
  void show(AlertOutput& out) const;
  void tell(AlertEventKind kind, const StoredAlert& alert, AlertOutput& out) const;
  void reroute(WallTime at, AlertOutput& out);
  void note(AlertEventKind kind, WallTime at, const AlertReason& reason, AlertOutput& out) const;

  AlertKey key_;
  AlertTable table_;
  std::string shape_;
  Milliseconds interval_;
  std::string connection_;
  AlertElements elements_;
  UnknownWatch unknown_{};
  std::optional<StoredAlert> unknown_told_{};  // the alert about the unknown that sinks have
  bool holds_unknown_ = false, held_ = false;  // now; at the tick before
  // Of the episode: as it began.
  std::vector<RuleBinding> found_{};
  AlertLabels labels_{}, notes_{};
  std::vector<std::string> sinks_{};  // who has been told
  std::string value_{};
  AlertReason reason_{};
};

// An alert whose rule or host is gone, that nobody goes on with: it resolves.
void resolve_removed(StoredAlert alert, WallTime at, AlertOutput& out);

}  // namespace pmjit
