// Actions outside of ticks: what depends on what, hold-offs, limits of programs.
#include "rules/actions/action_performer.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <future>

#include "rules/actions/child_process.h"

namespace pmjit {
namespace {

using namespace std::chrono_literals;

// Does jobs one after the other, and notes what was done.
class Doing {
 public:
  void run(const ActionPlan& plan) { run(std::vector<ActionPlan>{plan}); }
  void run(const std::vector<ActionPlan>& plans) {
    ActionPerformer performer({.concurrency = 1, .time = 5s},
                              {.print = [](const ActionJob&, const PlannedAction&) {},
                               .syslog = [](const PlannedAction&) {},
                               .hold = [this](const StoredHold&) { return can_write; },
                               .held = [this](const StoredHold& hold) { kept = hold; },
                               .done =
                                   [this](const ActionJob&, const PlannedAction& action,
                                          ActionOutcome outcome, const std::string&) {
                                     const std::scoped_lock lock(mutex_);
                                     done_ += action.text.value_or("") + '=' +
                                              std::string(action_outcome_text(outcome)) + ' ';
                                     changed_.notify_all();
                                   }},
                              clock_, holds);
    performer.post({.rule = "r", .host = "h", .plans = plans});
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, 10s, [&] { return done_.ends_with("last=ok "); });
    lock.unlock();
    gone = performer.keep_only([](const HoldKey& key) { return key.rule == "r"; });
  }
  [[nodiscard]] const std::string& done() const { return done_; }
  std::vector<StoredHold> holds{};
  bool can_write = true;
  StoredHold kept{};            // the last one, after its action
  std::vector<HoldKey> gone{};  // of other rules

 private:
  SystemClock clock_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string done_;
};

TEST(ActionPerformer, SecondOnlyWhereTheFirstFailed) {
  ActionPlan plan;
  using enum ActionPlan::Kind;
  const auto failing = plan.add_step({.id = 0, .verb = "shell", .text = "false"});
  const auto instead = plan.add_step({.id = 1, .verb = "shell", .text = "true"});
  const auto either = plan.join(until_one, failing, instead);
  const auto unneeded = plan.add_step({.id = 2, .verb = "print", .text = "unneeded"});
  const auto none = plan.join(until_one, either, unneeded);
  const auto last = plan.add_step({.id = 3, .verb = "print", .text = "last"});
  (void)plan.join(in_turn, none, last);
  Doing doing;
  doing.run(plan);
  EXPECT_EQ(doing.done(), "false=failed true=ok last=ok ");
}

TEST(ActionPerformer, AJobMayHaveSeveralPlans) {
  ActionPlan begins, ends;
  (void)begins.add_step({.id = 0, .verb = "print", .text = "begins"});
  (void)ends.add_step({.id = 1, .verb = "print", .text = "last"});
  Doing doing;
  doing.run(std::vector<ActionPlan>{begins, ends});
  EXPECT_EQ(doing.done(), "begins=ok last=ok ");
}

TEST(ActionPerformer, AHoldOffOutlivesARestart) {
  ActionPlan plan{.steps = {}, .nodes = {}, .when = 100};
  const auto held = plan.add_step({.id = 7, .verb = "print", .text = "held", .hold_off = 60});
  const auto last = plan.add_step({.id = 8, .verb = "print", .text = "last"});
  (void)plan.join(ActionPlan::Kind::in_turn, held, last);
  Doing doing;
  doing.holds = {{.key = {"r", "h", 7}, .when = 50, .succeeded = true},
                 {.key = {"no rule any more", "h", 7}, .when = 50, .succeeded = true}};
  doing.run(plan);
  EXPECT_EQ(doing.done(), "last=ok ");
  EXPECT_EQ(doing.gone, std::vector<HoldKey>({{"no rule any more", "h", 7}}));
}

TEST(ActionPerformer, TheResultOfAnActionIsKept) {
  ActionPlan plan{.steps = {}, .nodes = {}, .when = 100};
  (void)plan.add_step({.id = 7, .verb = "print", .text = "last", .hold_off = 60});
  Doing doing;
  doing.run(plan);
  EXPECT_EQ(doing.kept.key, (HoldKey{"r", "h", 7}));
  EXPECT_EQ(doing.kept.when, 100);
  EXPECT_TRUE(doing.kept.succeeded);
}

TEST(ActionPerformer, WithoutADiskAHeldActionFails) {
  ActionPlan plan{.steps = {}, .nodes = {}, .when = 100};
  const auto held = plan.add_step({.id = 7, .verb = "print", .text = "held", .hold_off = 60});
  const auto last = plan.add_step({.id = 8, .verb = "print", .text = "last"});
  (void)plan.join(ActionPlan::Kind::in_turn, held, last);
  Doing doing;
  doing.can_write = false;
  doing.run(plan);
  EXPECT_EQ(doing.done(), "held=failed last=ok ");
}

TEST(ActionPerformer, ALoggerThatTakesNothingHoldsUpNoTick) {
  const SystemClock clock;
  std::promise<void> logging, goes_on;
  ActionPerformer performer(
      {.concurrency = 1},
      {.print = [](const ActionJob&, const PlannedAction&) {},
       .syslog = [&](const PlannedAction&) { logging.set_value(), goes_on.get_future().wait(); },
       .hold = [](const StoredHold&) { return true; },
       .held = [](const StoredHold&) {},
       .done = [](const ActionJob&, const PlannedAction&, ActionOutcome, const std::string&) {}},
      clock, {});
  ActionPlan plan;
  (void)plan.add_step({.id = 0, .verb = "syslog", .text = "x"});
  performer.post({.rule = "r", .host = "h", .plans = {plan}});
  logging.get_future().wait();
  const auto tick = std::async(std::launch::async, [&] {
    performer.post({.rule = "other", .host = "h", .plans = {ActionPlan()}});
  });
  EXPECT_EQ(tick.wait_for(2s), std::future_status::ready);
  goes_on.set_value();
}

TEST(ChildProcess, GetsInputAndIsBounded) {
  const SystemClock clock;
  const ProgramEnd cat = run_program({.argv = {"/bin/cat"}, .input = "hello"}, clock);
  EXPECT_TRUE(cat.ok()) << cat.text();
  EXPECT_EQ(cat.output, "hello");
  const ProgramEnd slow = run_program({.argv = {"/bin/sleep", "60"}, .time = 100ms}, clock);
  EXPECT_TRUE(slow.timed_out);
  EXPECT_FALSE(slow.ok());
  EXPECT_FALSE(run_program({.argv = {"/usr/no/such/program"}}, clock).error.empty());
}

TEST(ChildProcess, HasNoDescriptorsOfOurs) {
  const SystemClock clock;
  const int open = ::socket(AF_INET, SOCK_STREAM, 0);  // not closed on exec
  const std::string look = "test -e /proc/self/fd/" + std::to_string(open);
  const ProgramEnd end = run_program({.argv = {"/bin/sh", "-c", look}}, clock);
  ::close(open);
  EXPECT_EQ(end.exit_code, 1) << end.text();
}

TEST(ShellSafe, LeavesNoCommands) {
  EXPECT_EQ(shell_safe("sda1 $(reboot);'x'"), "sda1 __reboot___x_");
}

}  // namespace
}  // namespace pmjit
