// FleetReplay: rules of the strict dialect over many live hosts. Rules about their own host are
// compiled once per set of hosts whose metrics agree, and evaluated wave by wave, as answers come;
// those that reduce hosts or name some are evaluated over all of them together, once per time.
// Events come by wave, then by host, then by rule. Source: design of the live half §3, §5.
//
//   auto replay = FleetReplay::open(set, fleet, options, clock);
//   (*replay)->begin(writer);
//   while (*(*replay)->advance() != Progress::ended) …  // Progress::waits: again at wakes()
//   (*replay)->end();
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rules/model/events.h"
#include "rules/strict/fleet_bodies.h"
#include "rules/strict/rule_steps.h"
#include "runtime/base/clock.h"
#include "runtime/sched/lateness.h"

namespace pmjit::strict {

class FleetReplay {
 public:
  enum class Progress : uint8_t { goes_on, waits, ended };

  // `set` and `fleet` outlive it. A failure's text is all that is to be said.
  [[nodiscard]] static Result<std::unique_ptr<FleetReplay>> open(const RuleSet& set,
                                                                 const HostFleet& fleet,
                                                                 const TaskOptions& options,
                                                                 const Clock& clock);

  // As those of StrictReplay. A watcher is told host by host, and behind that of rules that look
  // beyond one.
  void hand_over_to(std::function<void(size_t rule, ActionPlan plan)> hand_over, bool safe_shell) {
    steps_.hand_over_to(std::move(hand_over), safe_shell);
  }
  void watch(ReplayWatcher& watcher) { watcher_ = &watcher; }
  [[nodiscard]] std::vector<std::string> notes() const;
  // What does not run, and where; the same rules may have their metrics later.
  [[nodiscard]] const std::vector<LackingRule>& lacking() const { return bodies_.lacking; }
  // What it would take, of each host where something does not run.
  [[nodiscard]] const AbsentMetrics& absent() const { return bodies_.absent; }
  [[nodiscard]] std::vector<std::string> take_warnings();
  // For a watcher that has its own states of alerts.
  [[nodiscard]] RuleStepper& steps() { return steps_; }
  // Times that were due, and nobody asked: of the task that missed most.
  [[nodiscard]] uint64_t skipped() const;
  // The same, each counted for every host that it was due for.
  [[nodiscard]] uint64_t missed() const;
  // For a watcher: how much later than it was due the tick began that it is told of. Hosts have
  // their places in the interval.
  [[nodiscard]] Nanos began_after() const { return began_after_; }
  [[nodiscard]] const Lateness& lateness() const { return lateness_; }

  void begin(EventWriter& writer);
  // Evaluates what has come.
  [[nodiscard]] Result<Progress> advance();
  // After Progress::waits: when there is something to do again, if nothing arrives before.
  [[nodiscard]] Stamp wakes() const;
  void end();

 private:
  struct RowTask {
    const HostRows* rows = nullptr;
    std::unique_ptr<Task> task;
    Nanos begins_after = 0;
  };
  FleetReplay(const RuleSet& set, const HostFleet& fleet, const TaskOptions& options,
              const Clock& clock);
  [[nodiscard]] std::string open_rows();
  [[nodiscard]] Stamp first_due(Nanos step, Nanos begins_after) const;
  [[nodiscard]] std::string open_together();
  [[nodiscard]] std::string open_without_lacking(const TaskRules& rules);
  void note_absent_anywhere();
  [[nodiscard]] ReplaySchema number_rules();
  [[nodiscard]] Result<Progress> advance_rows(RowTask& of);
  [[nodiscard]] Result<Progress> advance_together(Task& task);
  void tell_watcher(double when);
  [[nodiscard]] Stamp wall_now() const {
    return stamp_from_nanos(clock_.wall().time_since_epoch().count());
  }

  const RuleSet& set_;
  const HostFleet& fleet_;
  TaskOptions options_;
  const Clock& clock_;
  FleetBodies bodies_;
  std::vector<RowTask> rows_;
  std::vector<std::unique_ptr<Task>> together_;
  std::vector<PlacedRule> placed_;    // of together_
  std::vector<size_t> first_number_;  // of a rule about its own host: that of the first host
  std::optional<Stamp> last_;         // that was evaluated
  Nanos began_after_ = 0;
  RuleStepper steps_;
  ReplayWatcher* watcher_ = nullptr;
  std::vector<Evaluated> evaluated_;  // scratch
  Lateness lateness_;
};

}  // namespace pmjit::strict
