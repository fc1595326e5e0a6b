// What the daemon keeps, as values, and StateBatch: what one transaction changes. Source: spec
// alerting.md §7.
//
//   StateBatch batch;
//   batch.add({.key = {"fs.full", "web1", "/var"}, .life = state, .labels = labels});
//   batch.history.push_back({.at = tick, .key = key, .event = "firing", .severity = "warning"});
//   writer.post(std::move(batch));
//
// Times are those of ticks, kept in milliseconds.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rules/alerts/alert_labels.h"
#include "rules/alerts/life_cycle.h"

namespace pmjit {

struct AlertKey {
  std::string rule, host;
  std::string instance{};  // empty: the alert is about the host
  uint32_t level = 0;
  auto operator<=>(const AlertKey&) const = default;
};

// An alert that is pending or fires; or one that has ended, until every sink that takes levels
// has heard that.
struct StoredAlert {
  AlertKey key;
  LifeState life{};
  std::string reason{}, value{};
  AlertLabels labels{}, notes{};     // as they were when the episode began
  std::vector<std::string> sinks{};  // names: who is told
  std::string shape{};               // of the rule: another one has other conditions
  std::optional<WallTime> ended{};
  int64_t interval_ms = 0;  // of the rule
};

struct HoldKey {
  std::string rule, host;
  uint32_t action = 0;
  auto operator<=>(const HoldKey&) const = default;
};

// When an action was done last, and whether it succeeded.
struct StoredHold {
  HoldKey key{};
  double when = 0;  // seconds
  bool succeeded = false;
};

struct HistoryEntry {
  WallTime at{};
  AlertKey key{};
  std::string event{}, severity{}, value{}, reason{};
};

// A message to a sink that takes events one by one.
struct OutboxMessage {
  int64_t id = 0;  // of the database; 0: not there yet
  std::string sink, dedup;
  std::string rule, host, event;
  std::string body;
  WallTime created{};
};

// What has become of one; it may not be on disk yet.
struct OutboxOutcome {
  enum class State : uint8_t { waiting = 0, sent = 1, given_up = 2 };
  std::string sink, dedup;
  State state = State::waiting;
  uint32_t attempts = 0;
  std::string error{};
};

struct StateBatch {
  std::vector<StoredAlert> alerts{};     // as they are now: sinks that take levels hear of them
  std::vector<StoredAlert> kept{};       // what was counted of others; nobody is told
  std::set<AlertKey> gone{};             // no alerts any more, and are not in `alerts` behind that
  std::vector<AlertKey> acknowledged{};  // likewise, of those that have ended
  std::vector<StoredHold> holds{};
  std::vector<HoldKey> holds_gone{};  // their rules or hosts are no more
  std::vector<HistoryEntry> history{};
  std::vector<OutboxMessage> messages{};
  std::vector<OutboxOutcome> outcomes{};

  [[nodiscard]] size_t size() const {
    return alerts.size() + kept.size() + gone.size() + acknowledged.size() + holds.size() +
           holds_gone.size() + history.size() + messages.size() + outcomes.size();
  }
  // Of alerts, behind what was said of it before: one that was gone is there again.
  void add(StoredAlert alert) {
    gone.erase(alert.key);
    alerts.push_back(std::move(alert));
  }
  // What comes later is behind what was there, or in its place where only the last counts: so a
  // batch that waits for the disk has as many rows as there are alerts, actions and messages.
  void append(StateBatch&& later);
  // Without the messages that were sent or given up before they were on disk: nobody waits for
  // them.
  void drop_finished_messages();
};

}  // namespace pmjit
