// What alerts are told and done, where several things happen at once or nobody can evaluate them.
#include "tests/unit/daemon/rule_group_fixture.h"

namespace pmjit {
namespace {

void expect_in(const std::string& part, const std::string& text) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST_F(RuleGroupTest, WhatBeginsAndWhatEndsAtOneTimeIsOneJob) {
  add_host("web1");
  add_disks("web1");
  open(10s, "full = alert used > 90 -> print \"%i is full\" otherwise -> print \"%i has room\";\n");
  set_used("web1", {{0, 95}, {1, 10}});
  run_for(20s);
  expect_in("full web1 print!: sda is full\n", take_acts());
  set_used("web1", {{0, 10}, {1, 95}});
  run_for(10s);
  // The fixture expects one job of both.
  EXPECT_EQ(take_acts(), "20 full web1 print!: sdb is full\n20 full web1 print!: sda has room\n");
}

TEST_F(RuleGroupTest, AnExpressionThatNobodyAsksForHasNoAlertAfterAReload) {
  add_host("web1");
  for (const std::string dialect : {"strict", "pmie"}) {
    SCOPED_TRACE(dialect);
    open_text(10s, "// pmjit: dialect=" + dialect +
                       "\nhot = load > 5;\nacts = load > 5 -> print \"x\";\n");
    set_load("web1", 9);
    run_for(20s);
    expect_in("\"hot\"", board.json());
    config.rules.front().alerts.clear();
    group->adopt(setup(), group->latest());
    run_for(10s);
    const auto given_up = group->given_up();
    ASSERT_EQ(given_up.size(), 1u);  // the daemon resolves it
    EXPECT_EQ(given_up.front().key.rule, "hot");
    std::map<AlertKey, StoredAlert> states{{given_up.front().key, given_up.front()}};
    group->receive(states);
    group->run_round();
    EXPECT_EQ(states.size(), 1u);
    EXPECT_EQ(group->remembered(), 1u);
    for (StoredAlert& state : group->stop()) EXPECT_EQ(state.key.rule, "acts");
    open_text(10s, "// pmjit: dialect=" + dialect + "\nhot = load > 5;\n");
    config.rules.front().alerts.clear();
    group->adopt(setup(), group->latest());
    group->run_round();
    group->restore(states);
    EXPECT_EQ(states.size(), 1u) << "nor after a restart";
    board.drop(given_up.front().key);
  }
}

TEST_F(RuleGroupTest, AnUntilThatIsUnknownIsNothingToWhatIsFalse) {
  add_host("web1");
  open(10s,
       "low = alert load < 0 until (load - load) / (load - load) > 1 stale 20 sec unknown critical "
       "unknown -> print \"dark\";\n");
  run_for(1min);
  EXPECT_EQ(history(), "");
  EXPECT_EQ(take_acts(), "");
  EXPECT_EQ(group->remembered(), 0u);
}

TEST_F(RuleGroupTest, AMistakeThatShowsWhenHostsComeIsNoHostThatIsDown) {
  add_host("web1");
  config.alerts.stale = 20s;
  config.host_down = {.hold_for = 30s, .severity = HostDownSeverity::critical};
  all_down = true;
  open(10s, "bad = load >= 3 sec -> print \"x\";\n", {.unknown = AlertSeverity::critical});
  all_down = false;
  run_in_its_thread(1min);
  expect_in("rules cannot run", log);
  const std::string told = history();
  expect_in("unknown bad web1 (error PM_ERR_CONV)\n", told);
  EXPECT_EQ(told.find("firing pmjit.host_down"), std::string::npos) << told;
}

TEST_F(RuleGroupTest, RulesAreUnknownOnHostsThatWereNeverThere) {
  for (const char* const host : {"web1", "web2"}) add_host(host);
  config.host_down.severity = HostDownSeverity::none;
  config.alerts.stale = 20s;
  all_down = true;
  open(10s, "each = load > 5 -> print \"x\";\nall = sum_host(load) > 5 -> print \"x\";\n",
       {.unknown = AlertSeverity::critical});
  run_in_its_thread(1min);
  const std::string told = history();
  expect_in("unknown each web1 (host down)\n", told);
  expect_in("unknown each web2 (host down)\n", told);
  expect_in("unknown all  (host down)\n", told);
  EXPECT_EQ(group->unknown().at("host down"), 3u);
  EXPECT_GT(counted("rule_evaluations_total"), 0);
  bool is_critical = false;
  for (const StoredAlert& alert : posted.alerts) {
    is_critical = is_critical || alert.labels.at("severity") == "critical";
  }
  EXPECT_TRUE(is_critical);
}

TEST_F(RuleGroupTest, AMissingMetricIsTheReasonOfARuleOfPmie) {
  add_host("web1");
  config.alerts.stale = 20s;
  open_text(10s, "low = late > 5 -> print \"x\";\n");
  run_for(1min);
  expect_in("unknown low web1 (no metric)\n", history());
}

}  // namespace
}  // namespace pmjit
