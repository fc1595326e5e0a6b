// RuleStepper: what a rule does at one evaluation: its verdict, the transition that follows from
// what was before, and its actions with their hold-offs. Source: spec dialects.md §4, §12.
//
//   RuleStepper steps(set, {"web1"}, {"web1:44321"});
//   steps.begin(writer, schema);
//   steps.evaluate({.task = task, .rule = rule, .number = 0}, now);
//   steps.end(now);
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "compiler/strict_rules/rule_file.h"
#include "rules/model/action_plan.h"
#include "rules/model/events.h"
#include "rules/strict/alert_states.h"
#include "rules/strict/task.h"

namespace pmjit::strict {

// A rule where it is.
struct PlacedRule {
  const Task* task = nullptr;
  const TaskRule* rule = nullptr;
  size_t number = 0;  // of ReplaySchema
  // Whose row the task is at, where it has rows of many hosts: what %h is.
  const std::string* row_host = nullptr;
};

// A statement as it is at a time.
struct Evaluated {
  const Task* task;
  const TaskRule* of;
  size_t number = 0;                      // of ReplaySchema::rules
  std::optional<RuleTruth> truth{};       // none: a number, or a set
  std::optional<size_t> clause{};         // that acts
  std::vector<RuleBinding> found{};       // where, if it does
  const std::string* row_host = nullptr;  // PlacedRule::row_host
};

// Is told of all that was evaluated at a time, behind its actions.
class ReplayWatcher {
 public:
  virtual ~ReplayWatcher() = default;
  // In the order of the files, of one host or of several; seconds.
  virtual void evaluated(std::span<const Evaluated> rules, double when) = 0;
};

class RuleStepper {
 public:
  // `set` outlives it. `connections`: of each host, what %c is.
  RuleStepper(const RuleSet& set, std::vector<std::string> hosts,
              std::vector<std::string> connections)
      : set_(set), hosts_(std::move(hosts)), connections_(std::move(connections)) {}

  // Live: does an action, and says whether it succeeded. Without it nothing is done, and all
  // succeeds.
  void perform_with(std::function<bool(const RuleAction&)> perform) {
    perform_ = std::move(perform);
  }
  // Or hands over all that a rule does at a time, with its texts, to who does it later. `rule`: of
  // ReplaySchema. `safe_shell`: selectors bring shell_safe() texts into `shell`. Alerts are his
  // then, too: their states and events, and alert_plan().
  void hand_over_to(std::function<void(size_t rule, ActionPlan plan)> hand_over, bool safe_shell) {
    hand_over_ = std::move(hand_over);
    safe_shell_ = safe_shell;
  }
  [[nodiscard]] const std::vector<std::string>& hosts() const { return hosts_; }
  // `writer` outlives the run.
  void begin(EventWriter& writer, const ReplaySchema& schema);
  // Can it be skipped where none of its conditions has changed and none holds (Task::awake())?
  [[nodiscard]] bool rests(const PlacedRule& placed) const;
  // At the row that the task is at.
  Evaluated evaluate(const PlacedRule& placed, double now);
  // Where nobody keeps what evaluate() gave: its memory, for the next one.
  void give_back(Evaluated&& evaluated) { spare_ = std::move(evaluated.found); }
  void end(double when) { writer_->end(when, states_); }
  // RuleBinding::named of the places of an alert, at the row that the task is at.
  static void add_named(const PlacedRule& placed, std::vector<RuleBinding>& to);
  // Of a rule that is an alert, at the row that the task is at. Elements: the whole, or an instance
  // each; with their values, whether it is true for them or not.
  [[nodiscard]] std::vector<RuleBinding> alert_bindings(
      const PlacedRule& placed, std::span<const std::optional<std::string>> elements);
  // What it does about them. `again`: they fire as before, so only what has a hold-off is done;
  // none: there is nothing.
  [[nodiscard]] std::optional<ActionPlan> alert_plan(const TaskRule& rule, Clause::When when,
                                                     const std::vector<RuleBinding>& found,
                                                     double now, bool again) const;

 private:
  struct Verdict {
    RuleTruth truth = RuleTruth::unknown;
    std::optional<size_t> clause{};  // that acts
  };
  [[nodiscard]] Verdict judge(const Task& task, const TaskRule& rule) const;
  // In place of what is in `out`, whose memory it takes.
  void find_bindings(const PlacedRule& placed, size_t clause, std::vector<RuleBinding>& out);
  void take_binding(std::vector<RuleBinding>& out);
  [[nodiscard]] const std::optional<std::string>& picked_by(const Ast& set);
  // How actions are done that may be held off. Those of an alert that begins to fire, or ends, are
  // done; those of one that fires again where they have a hold-off, and it is over.
  enum class Acting : uint8_t { each_time, begins, again };
  [[nodiscard]] ActionPlan plan(const std::vector<Verb>& verbs, size_t clause,
                                const std::vector<RuleBinding>& found, double now,
                                Acting acting) const;
  void act(const PlacedRule& placed, size_t clause, const std::vector<RuleBinding>& found,
           double now, Acting acting);
  [[nodiscard]] static std::optional<std::string> host_of(const PlacedRule& placed,
                                                          const std::optional<std::string>& host);
  [[nodiscard]] static std::map<std::optional<std::string>, RuleBinding> values_now(
      const PlacedRule& placed);
  Evaluated evaluate_alert(const PlacedRule& placed, double now);
  void act_on_alert(const PlacedRule& placed, const std::vector<ElementChange>& changes,
                    const AlertStates& states, double now);
  // Of `verb`, the one at `of`; what a hold-off puts off is as it was when it was done.
  struct Acted {
    double when = 0;
    bool done = false;
  };
  using Place = std::tuple<size_t, size_t, size_t>;  // number, clause, verb
  [[nodiscard]] bool act_once(const Place& of, const Verb& verb,
                              const std::vector<RuleBinding>& found, double now, Acting acting);
  using TextPieces = std::vector<TextPiece>;
  [[nodiscard]] const std::vector<TextPieces>& pieces_of_texts(const Verb& verb) const;
  [[nodiscard]] std::string text_of(const Verb& verb, const std::vector<RuleBinding>& found) const;
  [[nodiscard]] std::string connection_of(const std::optional<std::string>& host) const;
  void put_selected(std::string& out, char selector, const RuleBinding& binding) const;

  const RuleSet& set_;
  std::vector<std::string> hosts_, connections_;
  std::vector<RuleState> states_;  // by number
  std::map<Place, Acted> acted_;
  std::map<size_t, AlertStates> alerts_;  // by number
  // Where a condition that is one truth held last: what is said while it is unknown. By number.
  std::map<size_t, std::vector<RuleBinding>> held_;
  std::function<bool(const RuleAction&)> perform_{};  // empty: all succeeds
  std::function<void(size_t, ActionPlan)> hand_over_{};
  bool safe_shell_ = false;
  mutable std::unordered_map<const Verb*, std::vector<TextPieces>> pieces_;  // of set_, once asked
  EventWriter* writer_ = nullptr;
  std::vector<RuleBinding> spare_{};           // memory of what was found before
  std::vector<RuleBinding> spare_bindings_{};  // likewise, where fewer are found now
  std::unordered_map<const Ast*, std::optional<std::string>> picked_{};  // of sets of the rules
  std::vector<Lane> lanes_{};                                            // likewise, of one set
};

}  // namespace pmjit::strict
