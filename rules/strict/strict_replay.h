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
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "rules/model/action_plan.h"
#include "rules/model/events.h"
#include "rules/strict/task.h"

namespace pmjit::strict {

// A statement as it is at a time.
struct Evaluated {
  const Task* task;
  const TaskRule* of;
  uint32_t number = 0;               // of ReplaySchema::rules
  std::optional<RuleTruth> truth{};  // none: a number, or a set
  std::optional<size_t> clause{};    // that acts
};

// Is told of all that was evaluated at a time, behind its actions.
class ReplayWatcher {
 public:
  virtual ~ReplayWatcher() = default;
  // In the order of the files; seconds.
  virtual void evaluated(std::span<const Evaluated> rules, double when) = 0;
};

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
    perform_ = std::move(perform);
  }
  // Or hands over all that a rule does at a time, with its texts, to who does it later. `rule`: of
  // ReplaySchema.
  // `safe_shell`: selectors bring shell_safe() texts into `shell`.
  void hand_over_to(std::function<void(size_t rule, ActionPlan plan)> hand_over, bool safe_shell) {
    hand_over_ = std::move(hand_over);
    safe_shell_ = safe_shell;
  }
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
  // After Progress::waits: when there is something to do again, if nothing arrives before.
  [[nodiscard]] Stamp wakes() const;
  void end();

 private:
  StrictReplay(const RuleSet& set, const Feeds& feeds, const TaskOptions& options,
               std::vector<std::string> connections);
  // A rule where it is.
  struct PlacedRule {
    const Task* task;
    const TaskRule* rule;
  };
  struct Verdict {
    RuleTruth truth = RuleTruth::unknown;
    std::optional<size_t> clause{};  // that acts
  };
  void number_rules();
  void evaluate_ready();
  [[nodiscard]] bool out_of_rows() const;
  [[nodiscard]] Evaluated evaluate(size_t number, double now);
  [[nodiscard]] Verdict judge(const Task& task, const TaskRule& rule) const;
  [[nodiscard]] std::vector<RuleBinding> bindings(const Task& task, const TaskRule& rule,
                                                  size_t number) const;
  [[nodiscard]] ActionPlan plan(const std::vector<Verb>& verbs, size_t clause,
                                const std::vector<RuleBinding>& found, double now) const;
  void act(size_t number, size_t clause, const std::vector<RuleBinding>& found, double now);
  // Of `verb`, the one at `of`; what a hold-off puts off is as it was when it was done.
  struct Acted {
    double when = 0;
    bool done = false;
  };
  using Place = std::tuple<size_t, size_t, size_t>;  // of placed_, clause, verb
  [[nodiscard]] bool act_once(const Place& of, const Verb& verb,
                              const std::vector<RuleBinding>& found, double now);
  [[nodiscard]] std::string text_of(const Verb& verb, const std::vector<RuleBinding>& found) const;
  [[nodiscard]] std::string connection_of(const std::optional<std::string>& host) const;
  [[nodiscard]] std::string selected(char selector, const RuleBinding& binding) const;

  const RuleSet& set_;
  std::vector<std::string> hosts_, connections_;
  std::map<std::string, std::vector<uint64_t>> warned_;  // how often by each task, until all have
  TaskOptions options_;
  std::vector<std::unique_ptr<Task>> tasks_;
  std::vector<PlacedRule> placed_;  // those of ReplaySchema
  Stamp now_;                       // time that is evaluated
  std::optional<Stamp> last_;       // that was
  std::vector<const Task*> ready_;  // tasks that have their rows of it
  std::vector<RuleState> states_;   // of placed_
  std::map<Place, Acted> acted_;
  std::function<bool(const RuleAction&)> perform_{};  // empty: all succeeds
  std::function<void(size_t, ActionPlan)> hand_over_{};
  bool safe_shell_ = false;
  EventWriter* writer_ = nullptr;
  ReplayWatcher* watcher_ = nullptr;
};

}  // namespace pmjit::strict
