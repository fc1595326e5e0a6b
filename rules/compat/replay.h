// Replay: rules of the dialect pmie over archives, as events.
//
//   Replay replay(program, sources, zone, origin, *writer);
//   replay.begin(start);
//   while (replay.due() && *replay.due() <= end) { auto done = replay.tick(); … }
//   replay.end(end);
//
// Nobody needs to know the end before it comes. run() drives it over archives.
#pragma once

#include "rules/compat/run.h"
#include "rules/model/events.h"

namespace pmjit {

// For who performs actions and follows truths while time goes by.
struct ReplayHooks {
  std::function<std::vector<uint32_t>()> bind_waiting{};                 // as RunOptions has it
  std::function<pmie::RunProgram()> program_now{};                       // likewise
  std::shared_ptr<const pmie::EvaluationPlan> plan{};                    // likewise
  std::function<void(uint32_t statement, ActionPlan plan)> hand_over{};  // likewise
  bool safe_shell = false;                                               // likewise
  bool keeps_little = false;                                             // likewise
  Executor* executor = nullptr;                                          // likewise
  // Each time that a statement with a truth is evaluated, behind its transition.
  std::function<void(uint32_t statement, RuleTruth truth, double when)> on_truth{};
};

// How many rules a statement has that is a ruleset, but for `unknown` and `otherwise`; 0: it is
// none.
[[nodiscard]] size_t rules_of_set(const pmie::RuleProgram& program, uint32_t statement);

class Replay final : private pmie::RuleRun::Observer {
 public:
  // All outlive it, the program until there is another one, with the same statements.
  Replay(const pmie::RuleProgram& program, pmie::RuleSources& sources, Zone& zone, Stamp origin,
         EventWriter& writer, ReplayHooks hooks = {});

  // As those of pmie::RuleRun, in seconds.
  void begin(double start);
  void begin_aligned(double now);
  [[nodiscard]] std::optional<double> due() const { return run_.due(); }
  [[nodiscard]] Result<void> tick() { return run_.tick(); }
  [[nodiscard]] uint64_t skip_missed(double now, double end) { return run_.skip_missed(now, end); }
  void ask(double now) { run_.ask(now); }
  [[nodiscard]] std::optional<double> waits_until(double now) const {
    return run_.waits_until(now);
  }
  // At on_truth, of a ruleset: its rules. One behind a true one was passed over, and counts as
  // false.
  struct RuleOfSet {
    RuleTruth truth = RuleTruth::no;
    std::vector<RuleBinding> found{};  // where it is true
  };
  [[nodiscard]] std::vector<RuleOfSet> rules_of(uint32_t statement) const;
  // Tells the writer.
  void end(double when);
  // All of it. `stop`: asked before each task; true ends the run.
  [[nodiscard]] Result<void> run(double start, double end, const std::function<bool()>& stop);

 private:
  void tell_schema(double start);
  void evaluated(uint32_t statement, double when) override;
  [[nodiscard]] bool only_changes() const override { return !hooks_.on_truth; }
  void performed(uint32_t statement, std::string_view verb, const std::string& text,
                 double when) override;
  [[nodiscard]] std::vector<RuleBinding> bindings(uint32_t root) const;
  void tell_actions();
  void tell_actions_before(uint32_t statement, double when);

  struct Performed {
    uint32_t statement;
    std::string_view verb;
    std::string text;
    double when;
  };
  const pmie::RuleSources& sources_;
  EventWriter& writer_;
  ReplayHooks hooks_;
  std::vector<Performed> performed_;  // untold actions: a change of their rule comes first
  std::vector<RuleState> states_;
  pmie::RuleRun run_;
};

}  // namespace pmjit
