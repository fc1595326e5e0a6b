// StrictReplay: rules of the strict dialect over feeds of one host or several, as events: what
// Replay is for those of pmie. A rule about metrics of its own host runs once per host, each with
// its own state and hold-offs. Events come by time, then by rule as in the file, then by host as
// given. Source: spec dialects.md §4, §12.
//
//   auto replay = StrictReplay::open(set, feeds, options, connection);
//   auto done = (*replay)->run(writer, stop);          // all of it, or while rows arrive:
//
//   (*replay)->begin(writer);
//   while (*(*replay)->advance() != Progress::ended) …  // Progress::waits: again at wakes()
//   (*replay)->end();
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "rules/model/action_plan.h"
#include "rules/model/events.h"
#include "rules/strict/rule_steps.h"

namespace pmjit::strict {

class StrictReplay {
 public:
  // All outlive it. `connections`: of each host, what %c is. A failure's text is all that is to be
  // said: what is wrong with the rules.
  [[nodiscard]] static Result<std::unique_ptr<StrictReplay>> open(
      const RuleSet& set, const Feeds& feeds, const TaskOptions& options,
      std::vector<std::string> connections);

  // Live: does an action, and says whether it succeeded. Without it nothing is done, and all
  // succeeds.
  void perform_with(std::function<bool(const RuleAction&)> perform) {
    steps_.perform_with(std::move(perform));
  }
  // Or hands over all that a rule does at a time, with its texts, to who does it later. `rule`: of
  // ReplaySchema.
  // `safe_shell`: selectors bring shell_safe() texts into `shell`.
  void hand_over_to(std::function<void(size_t rule, ActionPlan plan)> hand_over, bool safe_shell) {
    steps_.hand_over_to(std::move(hand_over), safe_shell);
  }
  // With TaskOptions::leaves_out, rules whose metrics are not there; the others run.
  struct Lacking {
    std::string rule, text;  // what is wrong with it
  };
  [[nodiscard]] std::vector<Lacking> lacking() const;
  // Over one live host: looks for their metrics again. Those that are there now join at the next
  // multiple of their interval from `now` on; their names.
  [[nodiscard]] Result<std::vector<std::string>> look_again(Stamp now);
  // Where rules do not run, and why.
  [[nodiscard]] std::vector<std::string> notes() const;
  // Of the rows that have come since the last call: what its users should know, once each.
  [[nodiscard]] std::vector<std::string> take_warnings();
  // Times that were due, and nobody asked: of the task that missed most.
  [[nodiscard]] uint64_t skipped() const;
  // `watcher` outlives the run.
  void watch(ReplayWatcher& watcher) { watcher_ = &watcher; }
  // To the end, which is that of TaskOptions or, where nobody knows it, of the rows. `writer`
  // outlives the run.
  [[nodiscard]] Result<void> run(EventWriter& writer, const std::function<bool()>& stop);

  enum class Progress : uint8_t { goes_on, waits, ended };
  void begin(EventWriter& writer);
  // Evaluates what is due next, or as much of it as has arrived.
  [[nodiscard]] Result<Progress> advance();
  // Of what advance() evaluates, or has evaluated last.
  [[nodiscard]] Stamp now() const { return now_; }
  // After Progress::waits: when there is something to do again, if nothing arrives before.
  [[nodiscard]] Stamp wakes() const;
  void end();

 private:
  StrictReplay(const RuleSet& set, const Feeds& feeds, const TaskOptions& options,
               std::vector<std::string> connections);
  void open_without_lacking(const TaskRules& rules, std::string& errors);
  void number_rules();
  void number_tasks();
  void find_to_evaluate();
  void evaluate_ready();
  [[nodiscard]] bool out_of_rows() const;

  struct LackingRule {
    TaskRule rule;  // by its number alone
    std::string text;
  };

  const RuleSet& set_;
  const Feeds& feeds_;
  std::map<std::string, std::vector<uint64_t>> warned_;  // how often by each task, until all have
  TaskOptions options_;
  // Of a task, numbers of its rules as placed_ has them.
  struct Numbers {
    std::vector<size_t> all, restless;
    std::vector<std::vector<size_t>> of_root;  // rules with that condition, the restless left out
  };

  std::vector<std::unique_ptr<Task>> tasks_;
  std::list<LackingRule> lacking_;
  std::vector<Numbers> numbers_;  // of each
  std::vector<PlacedRule>
      placed_;  // those of ReplaySchema; of one host also those that lack metrics
  std::set<std::pair<Stamp, size_t>> by_due_;  // tasks, by the time that each has next
  Stamp now_;                                  // time that is evaluated
  std::optional<Stamp> last_;                  // that was
  std::vector<size_t> ready_;                  // tasks that have their rows of it
  std::vector<size_t> to_evaluate_;
  RuleStepper steps_;
  ReplayWatcher* watcher_ = nullptr;
};

}  // namespace pmjit::strict
