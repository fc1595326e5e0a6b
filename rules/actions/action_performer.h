// ActionPerformer: actions of rules, done outside of ticks by a few threads. Source: spec
// alerting.md §3.4, rules-language.md §12.
//
//   ActionPerformer performer({.concurrency = 8, .queue = 1000, .time = 30s}, world, clock);
//   performer.post({.rule = "busy", .host = "web1", .plans = {plan}});    // returns at once
//   performer.stop(1s);
//
// The actions of a rule and tick are one job, in order, so `|` sees what became of those before it.
// While the last job of the same rule and host runs, or the queue is full, a job is left out, and
// counted.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "rules/model/action_plan.h"
#include "rules/state/state_batch.h"
#include "runtime/base/clock.h"

namespace pmjit {

struct ActionJob {
  std::string rule, host;
  // Of one tick, at least one, done one after the other: an alert may begin on one instance and
  // end on another.
  std::vector<ActionPlan> plans;
};

enum class ActionOutcome : uint8_t { ok, failed, busy, timeout, off };
[[nodiscard]] std::string_view action_outcome_text(ActionOutcome outcome);

struct ActionBounds {
  size_t concurrency = 8, queue = 1'000;
  std::chrono::nanoseconds time = std::chrono::seconds(30);  // of a program
  bool shell = true;                                         // else `shell` fails
};

// What it needs of the daemon. Called by its threads, several at once.
struct ActionWorld {
  // `print` and the like: a line, with the action's rule, host and time.
  std::function<void(const ActionJob&, const PlannedAction&)> print;
  // syslog(3), one at a time: there is one tag for the process. It may wait for the logger.
  std::function<void(const PlannedAction&)> syslog;
  // Before an action is done: is that on disk? False: it must not be done.
  std::function<bool(const StoredHold&)> hold;
  // How it ended, to be written down some time.
  std::function<void(const StoredHold&)> held;
  // After it.
  std::function<void(const ActionJob&, const PlannedAction&, ActionOutcome, const std::string& why)>
      done;
};

// For ActionWorld::syslog.
void write_syslog(const PlannedAction& action);

class ActionPerformer {
 public:
  // `clock` outlives it. `holds`: as they were kept.
  ActionPerformer(ActionBounds bounds, ActionWorld world, const Clock& clock,
                  const std::vector<StoredHold>& holds);
  ~ActionPerformer() { stop(); }
  ActionPerformer(const ActionPerformer&) = delete;
  ActionPerformer& operator=(const ActionPerformer&) = delete;

  void post(ActionJob job);
  // What a reload may change; threads are added, not taken away.
  void change_bounds(ActionBounds bounds);
  // Forgets hold-offs of rules and hosts that are no more, and says which.
  [[nodiscard]] std::vector<HoldKey> keep_only(
      const std::function<bool(const HoldKey& key)>& is_there);
  // What waits is dropped; programs that run are ended.
  void stop();

 private:
  using RuleKey = std::pair<std::string, std::string>;  // rule, host
  struct Done {
    double when = 0;
    bool succeeded = false;
  };

  void add_threads();
  [[nodiscard]] ActionBounds bounds();
  void run();
  void perform(const ActionJob& job);
  [[nodiscard]] bool perform_node(const ActionJob& job, const ActionPlan& plan, uint32_t node);
  [[nodiscard]] bool perform_step(const ActionJob& job, const ActionPlan& plan,
                                  const PlannedAction& action);
  [[nodiscard]] std::pair<ActionOutcome, std::string> perform_verb(const ActionJob& job,
                                                                   const PlannedAction& action);
  [[nodiscard]] std::pair<ActionOutcome, std::string> run_shell(const std::string& command);

  ActionWorld world_;
  const Clock& clock_;
  std::mutex syslog_mutex_;
  std::mutex mutex_;  // of what follows; held for moments
  std::condition_variable changed_;
  ActionBounds bounds_;
  std::deque<ActionJob> waiting_;
  std::set<RuleKey> under_way_;  // waiting, or run
  std::map<HoldKey, Done> done_;
  bool stops_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace pmjit
