// RuleRun: the tasks of a program over archives or hosts, in the order in which pmie evaluates
// them. Source: spec rules-language.md §1, §15, §17.
//
//   RuleRun run(program, sources, zone, {.origin = origin, .verbose = Verbose::plain}, put);
//   run.begin(origin);
//   while (run.due() && *run.due() <= end) { auto done = run.tick(); … }
//
// The caller drives it: over archives by run_until(), live by a timer of a Clock at due(). Live,
// tick() waits for each host, one after the other; or the caller has all of them asked at once and
// waits itself, and a host that does not answer in time has no values then:
//
//   run.ask(now);
//   while (const auto until = run.waits_until(now)) wait(*until);
//   run.tick();
//
// A time lasts until the shortest interval of the tasks is over. A host that did not answer last
// time has a twentieth of it, so that it does not hold up the others again.
#pragma once

#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/compat/pmie/expr.h"
#include "rules/compat/bindings.h"
#include "rules/compat/fetcher.h"
#include "rules/compat/value_report.h"
#include "rules/model/action_plan.h"
#include "runtime/text/zone.h"

namespace pmjit::pmie {

// The reserved macros of time as pmie reckons them: within a day the clock goes on arithmetically,
// the calendar is asked when it passes midnight, goes back or a day or more has gone (Q27). It
// begins in 1970, without a date: on that day all of it counts from 0. Source: spec
// rules-language.md §4.
class RuleClock {
 public:
  explicit RuleClock(Zone& zone) : zone_(zone) {}
  void set(double when);
  // Of all but delta.
  [[nodiscard]] double value(Variable variable) const;

 private:
  Zone& zone_;
  int64_t at_ = 0;
  std::tm tm_{.tm_year = -1900};
};

// When actions were done last. Source: spec rules-language.md §12 "Hold-off".
class HoldOffs {
 public:
  // May it be done now? Then it is. `when`: scheduled, seconds.
  [[nodiscard]] bool take(uint32_t action, double hold_off, double when);

 private:
  std::unordered_map<uint32_t, double> last_;
};

// Does what an action says, at a time as text. `text`: none: nothing is left of its arguments.
// False: it failed.
using Act = std::function<bool(const PmieNode& action, const std::optional<std::string>& text,
                               const std::string& when)>;

// What happens, for whoever wants to know.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  // A statement has its value at a time, in seconds.
  virtual void evaluated(uint32_t statement, double when) = 0;
  // Need it not hear of a statement whose truth is that of the time before, or that has none?
  [[nodiscard]] virtual bool only_changes() const { return false; }
  virtual void performed(uint32_t statement, std::string_view verb, const std::string& text,
                         double when) = 0;
};

// A program, and what its runs share.
struct RunProgram {
  const RuleProgram* program = nullptr;
  std::shared_ptr<const EvaluationPlan> plan{};
};

struct RunOptions {
  Stamp origin;  // where archives are first read
  Verbose verbose = Verbose::off;
  bool stamps = true;  // in value lines
  RunObserver* observer = nullptr;
  Fetcher::Unnamed unnamed{};
  Proving proving = Proving::on;
  // Over archives: its threads evaluate parts of what is much; it outlives the run. Null: alone.
  Executor* executor = nullptr;
  SharedFrom shared_from{};
  ComputedWays* ways = nullptr;  // counts; it outlives the run
  // Live. Act: none, then actions are put as over archives.
  Act act{};
  // Or, in place of Act: takes what a statement does, with its texts, and does it later.
  std::function<void(uint32_t statement, ActionPlan plan)> hand_over{};
  bool safe_shell = false;  // in these plans selectors bring shell_safe() texts into `shell`
  std::function<std::vector<uint32_t>()> bind_waiting{};  // as RuleReader's
  // What is evaluated where bind_waiting() has changed something; none: the same program.
  std::function<RunProgram()> program_now{};
  std::shared_ptr<const EvaluationPlan> plan{};  // of the program, at first; null: one is made
  // Values are kept for a task's evaluation only: for many runs beside each other.
  bool keeps_little = false;
  // A task of what is out of reach is evaluated again after 5 s, then after twice as long, at most
  // its interval; where all is back its rhythm begins then.
  bool retries = false;
};

// Of each statement: it is in the task of the one before if that has its interval; earlier tasks
// are not looked at.
[[nodiscard]] std::vector<uint32_t> task_numbers(const RuleProgram& program);

class RuleRun {
 public:
  using Observer = RunObserver;
  using Put = std::function<void(std::string_view)>;
  // All outlive it, the program until there is another one. `put` gets standard output.
  RuleRun(const RuleProgram& program, RuleSources& sources, Zone& zone, const RunOptions& options,
          Put put);

  // All tasks are due at `start`, in seconds; archives go on where they are (Q14).
  void begin(double start);
  // Each task is due at the first multiple of its interval from `now` on.
  void begin_aligned(double now);
  // When the next task is due. None: there are no tasks, or begin() was not called.
  [[nodiscard]] std::optional<double> due() const;
  // Evaluates the task that is due next, as of that time, and puts it off by its interval. A
  // failure (PM_ERR_LOGREC) ends the run.
  [[nodiscard]] Result<void> tick();
  // tick() may evaluate many times at once: `stop` is asked meanwhile. True ends it with
  // ReadingStopped, and the run with it.
  void ask_meanwhile(std::function<bool()> stop) { stop_ = std::move(stop); }
  // Puts off the tasks whose next time has come as well: live, a time that was missed is not
  // evaluated with the values of another. How many times up to `end` there were.
  [[nodiscard]] uint64_t skip_missed(double now, double end);
  // Live: asks the hosts of all tasks that are due by `now` and were not asked yet.
  void ask(double now);
  // Until when the next task waits for hosts that were asked. None: it waits no longer.
  [[nodiscard]] std::optional<double> waits_until(double now) const;
  [[nodiscard]] const PmieEvaluator& evaluator() const { return evaluator_; }
  // Since the beginning.
  struct Counts {
    uint32_t statements = 0, actions = 0;
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  struct Task {
    double delta = 0;
    std::vector<uint32_t> statements;
    std::unique_ptr<Fetcher> fetcher;
    double start = 0;
    int64_t count = 0;  // evaluations since then
    double due = 0;
    double retry =
        0;  // until the next evaluation, while something is out of reach; 0: all is there
    std::optional<double> asked{};  // when its hosts were, for `due`
    // Of archives: many times at once. Where that cannot be done, the next try is `tries_in` times
    // later.
    std::unique_ptr<TimeBlock> block{};
    bool in_block = false;
    uint32_t tries_in = 0, tried = 0;
  };

  void make_tasks(const std::vector<uint32_t>& numbers);
  [[nodiscard]] std::optional<bool> perform(uint32_t action, uint32_t rule);
  [[nodiscard]] std::function<void(uint32_t, uint32_t)> hand_over();
  [[nodiscard]] uint32_t plan(ActionPlan& out, uint32_t action, uint32_t rule) const;
  void put_values(const Task& task);
  [[nodiscard]] Result<void> evaluate(Task& task);
  [[nodiscard]] Result<void> evaluate_all(Task& task);
  [[nodiscard]] bool go_on_in_block(Task& task);
  [[nodiscard]] bool begin_block(Task& task);
  void visit_listed(const Task& task);
  void set_ctime();
  void bind_waiting();
  [[nodiscard]] bool may_bind(const Fetcher& fetcher) const;
  void set_due(Task& task) const;
  [[nodiscard]] double span() const;
  void reschedule();
  [[nodiscard]] std::vector<uint32_t> roots(const Task& task) const;

  const RuleProgram* program_;
  RuleSources& sources_;
  Zone& zone_;
  RunOptions options_;
  Put put_;
  RuleClock clock_;
  PmieEvaluator evaluator_;
  Expansion expansion_;
  ValueReport report_;
  HoldOffs hold_offs_;
  Counts counts_;
  std::vector<std::unique_ptr<Task>> tasks_;  // the next one first
  bool begun_ = false;
  uint32_t statement_ = 0;  // that is evaluated
  Task* task_ = nullptr;    // that is evaluated
  std::string ctime_;
  std::function<bool()> stop_ = [] { return false; };
};

// Every task that is due up to `end`. `stop`: asked before each, and while many times are evaluated
// at once; true ends the run.
[[nodiscard]] Result<void> run_until(RuleRun& run, double end, const std::function<bool()>& stop);

}  // namespace pmjit::pmie
