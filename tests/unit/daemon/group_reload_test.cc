// A reload of rules, while the group goes on: what stays, what begins anew, and on which
// connections.
#include "tests/unit/daemon/rule_group_fixture.h"

namespace pmjit {
namespace {

class GroupReload : public RuleGroupTest {
 protected:
  Generation generation_of(const std::string& text) {
    Generation out{.config = nullptr, .problems = {}, .blocks = {read_block(interval, text)}};
    out.config = std::make_shared<DaemonConfig>(config);
    return out;
  }
  // As the daemon does it. What is wrong with the rules; nothing has changed then.
  std::string reload(const std::string& text, std::chrono::seconds time = 2s) {
    const Generation next = generation_of(text);
    const GroupPlan plan = plan_groups(next, {setup()}, {group.get()});
    EXPECT_EQ(plan.parts.size(), 1u);
    EXPECT_EQ(plan.parts[0].group, group.get());
    group->prepare(plan.parts[0].setup, plan.parts[0].rules);
    run_for(time);
    if (const auto prepared = group->prepared(); !prepared) {
      group->forget();
      group->run_round();
      return prepared.error().text();
    }
    group->adopt(plan.parts[0].setup, plan.parts[0].rules);
    group->run_round();
    for (StoredAlert& state : group->given_up()) states.insert_or_assign(state.key, state);
    group->receive(states);
    group->run_round();
    return "";
  }
  static std::string strict(const std::string& rules, int seconds = 1) {
    return fmt::format("// pmjit: dialect=strict\ndelta = {} sec;\n{}", seconds, rules);
  }
  static void expect_in(const std::string& part, const std::string& text) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }

  std::chrono::seconds interval = 1s;
  std::map<AlertKey, StoredAlert> states;  // of rules that are no more
};

// Windows of what is the same go on; what fires of the other rule goes on with the new one.
TEST_F(GroupReload, KeepsRulesThatHaveNotChanged) {
  interval = 10s;
  for (const char* const host : {"web1", "web2"}) add_host(host);
  const std::string mean = "mean = avg_sample load @0..4 > 5 -> print \"x\";\n";
  open_text(10s, strict(mean + "high = load > 5 -> print \"y\";\n", 10));
  set_load("web1", 9);
  run_for(35s);
  const std::string fires = history();
  expect_in("firing high web1", fires);
  EXPECT_EQ(fires.find("mean"), std::string::npos) << "it has no five samples: " << fires;
  EXPECT_EQ(reload(strict(mean + "high = load > 6 -> print \"y\";\n", 10)), "");
  EXPECT_TRUE(states.empty());
  run_for(15s);
  const std::string goes_on = history();
  expect_in("firing mean web1", goes_on);
  EXPECT_EQ(goes_on.find("high"), std::string::npos) << "it fires on: " << goes_on;
  set_load("web1", 6);
  run_for(20s);
  expect_in("resolved high web1", history());
}

TEST_F(GroupReload, ARuleThatIsChangedBackGoesOnAsBefore) {
  interval = 10s;
  add_host("web1");
  const std::string before =
      strict("high = load > 5 -> print \"y\";\nlow = load < 1 -> print \"x\";\n", 10);
  open_text(10s, before);
  set_load("web1", 9);
  run_for(15s);
  expect_in("firing high web1", history());
  EXPECT_EQ(reload(strict("high = load > 6 -> print \"y\";\nlow = load < 1 -> print \"x\";\n", 10)),
            "");
  EXPECT_EQ(reload(before), "");
  run_for(20s);
  EXPECT_EQ(history(), "") << "it fires as before";
  set_load("web1", 1);
  run_for(20s);
  expect_in("resolved high web1", history());
}

// Whatever was added, each host has one connection, and is asked once a time.
TEST_F(GroupReload, AsksEachHostOnce) {
  for (int i = 1; i <= 3; ++i) add_host(fmt::format("web{}", i));
  add_disks("web1");
  add_disks("web2");
  second_file = "delta = 1 sec;\nof_pmie = load > 7 -> print \"x\";\n";
  open_text(1s,
            strict("own = load > 5 -> print \"x\";\nall = sum_host(load) > 20 -> print \"x\";\n"));
  run_for(5s);
  const size_t connections = network->attempts.size();
  second_file = "delta = 1 sec;\nof_pmie = load > 8 -> print \"x\";\n";
  EXPECT_EQ(reload(strict("own = load > 5 -> print \"x\";\n"
                          "full = some_inst(used > 50) -> print \"x\";\n"
                          "all = sum_host(load) > 30 -> print \"x\";\n")),
            "");
  run_for(3s);
  EXPECT_EQ(network->attempts.size(), connections);
  expect_fetches(20, 20s);
  (void)history();
  set_load("web1", 6);
  set_load("web2", 9);
  set_load("web3", 8);
  set_used("web1", {{0, 10}, {1, 90}});
  run_for(4s);
  const std::string fired = history();
  for (const char* const one : {"own web1", "own web2", "of_pmie web2", "full web1"}) {
    expect_in(fmt::format("firing {}", one), fired);
  }
  EXPECT_EQ(fired.find("of_pmie web3"), std::string::npos) << fired;
  EXPECT_EQ(fired.find("firing all"), std::string::npos) << "23: " << fired;
  set_load("web1", 20);
  run_for(4s);
  expect_in("firing all", history());
}

// Each of the dialects beside the other one.
TEST_F(GroupReload, AddsTheFirstRulesOfADialect) {
  for (const char* const host : {"web1", "web2"}) add_host(host);
  open_text(1s, "delta = 1 sec;\nof_pmie = load > 7 -> print \"x\";\n");
  run_for(3s);
  second_file = strict("own = load > 5 -> print \"x\";\n");
  EXPECT_EQ(reload("delta = 1 sec;\nof_pmie = load > 7 -> print \"x\";\n"), "");
  run_for(3s);
  expect_fetches(20, 20s);
  (void)history();
  set_load("web2", 9);
  run_for(3s);
  const std::string fired = history();
  expect_in("firing own web2", fired);
  expect_in("firing of_pmie web2", fired);
}

TEST_F(GroupReload, WhatCannotRunChangesNothing) {
  add_host("web1");
  const std::string good = "high = load > 5 -> print \"x\";\n";
  open_text(1s, strict(good));
  run_for(3s);
  const std::string wrong = reload(strict(good + "bad = load > 5 sec -> print \"x\";\n"));
  EXPECT_NE(wrong, "");
  set_load("web1", 9);
  run_for(3s);
  expect_in("firing high web1", history());
  expect_fetches(20, 20s);
  EXPECT_EQ(reload(strict(good + "more = load > 8 -> print \"x\";\n")), "");
  run_for(3s);
  expect_in("firing more web1", history());
}

// A host that says nothing is not waited for: the others miss no time meanwhile.
TEST_F(GroupReload, AMuteHostMakesNobodyLate) {
  for (const char* const host : {"web1", "web2", "web3"}) add_host(host);
  const std::string high = "high = load > 5 -> print \"x\";\n";
  open_text(1s, strict(high));
  run_for(5s);
  (void)ticks();
  network->of("web1").silent = true;
  EXPECT_EQ(reload(strict(high + "more = load > 8 -> print \"x\";\n"), 8s), "");
  const auto [all, on_time] = ticks();
  EXPECT_GE(on_time, 15) << "two hosts, eight seconds";
  network->of("web1").silent = false;
  run_for(20s);
  (void)history();
  for (const char* const host : {"web1", "web3"}) set_load(host, 9);
  run_for(3s);
  const std::string fired = history();
  expect_in("firing more web1", fired);
  expect_in("firing more web3", fired);
}

// A host that says nothing while rules are opened has its metrics all the same.
TEST_F(GroupReload, ReductionsKeepAHostThatIsDownMeanwhile) {
  for (const char* const host : {"web1", "web2", "web3"}) add_host(host);
  const auto rules = [](int limit) {
    return strict(fmt::format("all = sum_host(load) > {} -> print \"x\";\n", limit));
  };
  for (const bool was_down : {true, false}) {
    SCOPED_TRACE(was_down);
    open_text(1s, rules(100));
    run_for(5s);
    if (was_down) network->of("web2").silent = true;
    run_for(5s);
    network->of("web2").silent = true;
    EXPECT_EQ(reload(rules(25), 20s), "");
    network->of("web2").silent = false;
    run_for(20s);
    EXPECT_EQ(history().find("firing all"), std::string::npos);
    for (const char* const host : {"web1", "web2", "web3"}) set_load(host, 10);
    run_for(4s);
    expect_in("firing all", history());
    for (StoredAlert& state : group->stop()) board.drop(state.key);
  }
}

// A metric that came with the reload: who is down then is taken to have it, as others.
TEST_F(GroupReload, ReductionsTakeAHostThatIsDownToBeLikeOthers) {
  for (const char* const host : {"web1", "web2", "web3"}) {
    add_host(host);
    scripted(host).metrics["more"] = scripted(host).metrics["load"];
    scripted(host).metrics["more"].desc.pmid = 7;
  }
  open_text(1s, strict("high = sum_host(load) > 100 -> print \"x\";\n"));
  run_for(5s);
  network->of("web1").silent = true;
  run_for(5s);
  EXPECT_EQ(reload(strict("all = sum_host(more) > 25 -> print \"x\";\n"), 20s), "");
  network->of("web1").silent = false;
  run_for(20s);
  for (const char* const host : {"web1", "web2", "web3"}) {
    network->of(host).metrics["more"].values[0].second = 10;
  }
  run_for(4s);
  expect_in("firing all", history());
}

TEST_F(GroupReload, WhileAllHostsAreDownRulesWaitAndAreUnknown) {
  config.alerts.stale = 5s;
  config.host_down.severity = HostDownSeverity::none;
  for (const char* const host : {"web1", "web2"}) add_host(host);
  open_text(1s, strict("high = load > 5 -> print \"x\";\n"));
  run_for(5s);
  for (const char* const host : {"web1", "web2"}) network->of(host).silent = true;
  run_for(5s);
  EXPECT_EQ(reload(strict("low = load < 0 -> print \"x\";\n"), 10s), "");
  run_for(10s);
  expect_in("unknown low web1", history());
  for (const char* const host : {"web1", "web2"}) network->of(host).silent = false;
  run_for(20s);
  expect_in("known low web1", history());
}

TEST_F(GroupReload, TheMendOfRulesThatCannotRunIsTriedAtOnce) {
  add_host("web1");
  config.fetch.connect_timeout = 1s;
  config.host_down = {.hold_for = 3s, .severity = HostDownSeverity::critical};
  all_down = true;
  open_text(1s, strict("bad = load >= 3 sec -> print \"x\";\n"));
  const RuleBlock next = read_block(1s, strict("good = load >= 3 -> print \"x\";\n"));
  std::string told_before;
  run_in_its_thread(1min, {{20s, [&] { all_down = false; }}, {50s, [&] {
                                                                told_before = log;
                                                                group->prepare(setup(), next);
                                                                group->adopt(setup(), next);
                                                              }}});
  expect_in("rules cannot run", told_before);
  EXPECT_EQ(told_before.find("a host is there"), std::string::npos) << told_before;
  expect_in("a host is there", log);
  const std::string told = history();
  expect_in("firing pmjit.host_down web1", told);
  expect_in("resolved pmjit.host_down web1", told);
}

TEST_F(GroupReload, WhileNoHostIsThereRulesAreReplaced) {
  add_host("web1");
  all_down = true;
  open_text(1s, strict("high = load > 5 -> print \"x\";\n"));
  const RuleBlock next = read_block(1s, strict("higher = load > 6 -> print \"x\";\n"));
  group->prepare(setup(), next);
  group->adopt(setup(), next);
  all_down = false;
  run_in_its_thread(10s);
  expect_in("a host is there", log);
  EXPECT_TRUE(group->given_up().empty());
  group->receive(states);
  run_for(3s);
  set_load("web1", 9);
  run_for(3s);
  const std::string fired = history();
  expect_in("firing higher web1", fired);
  EXPECT_EQ(fired.find("high "), std::string::npos) << fired;
}

// The second one begins before the thread has seen the end of the first.
TEST_F(GroupReload, MayComeOneBehindTheOther) {
  add_host("web1");
  open(10s, "a = load > 5 -> print \"x\";\nb = load > 6 -> print \"x\";\n");
  const RuleBlock both = group->latest();
  set_load("web1", 9);
  run_for(15s);
  (void)history();
  for (const RuleBlock& rules : {both, both.with({"a"}), both, both.with({"b"}), both}) {
    group->adopt(setup(), rules);
    group->run_round();
    for (StoredAlert& state : group->given_up()) states.emplace(state.key, std::move(state));
    group->receive(states);
  }
  run_for(20s);
  EXPECT_TRUE(states.empty());
  EXPECT_EQ(group->remembered(), 2u);
  EXPECT_EQ(history(), "") << "both fire as before";
}

// Another interval, other hosts, or the first rule over all hosts: a new group, which is open
// before the old one ends.
TEST_F(GroupReload, ABlockThatHasOtherTimesOrHostsHasANewGroup) {
  for (const char* const host : {"web1", "web2"}) add_host(host);
  open(10s, "high = load > 5 -> print \"x\";\n");
  const RuleGroup* const own = group.get();
  Generation next{.config = std::make_shared<DaemonConfig>(config),
                  .problems = {},
                  .blocks = {group->latest()}};
  const auto plan = [&] { return plan_groups(next, {setup()}, {group.get()}); };
  EXPECT_EQ(plan().parts[0].group, own);
  EXPECT_EQ(plan().connections, 2u);
  next.blocks.front().rules.front().joins_hosts = true;
  EXPECT_EQ(plan().parts[0].group, nullptr) << "its hosts are to be asked earlier";
  EXPECT_EQ(plan().connections, 4u);
  next.blocks = {group->latest()};
  next.blocks.front().shortest_interval = 1;
  EXPECT_EQ(plan().parts[0].group, nullptr);
  next.blocks = {group->latest()};
  next.blocks.front().engine_key += "x";
  EXPECT_EQ(plan().parts[0].group, nullptr);
  EXPECT_TRUE(check_connections(config, 4));
  const auto enough = check_connections(config, (uint64_t{1} << 40) + 2);
  ASSERT_FALSE(enough);
  expect_in("2 connections to hosts, 1099511627776 that are open until", enough.error().text());
}

// Of two blocks with the same hosts each keeps the group with its rules.
TEST_F(GroupReload, BlocksKeepTheGroupsOfTheirRules) {
  add_host("web1");
  open(10s, "a = load > 5 -> print \"x\";\nb = load > 6 -> print \"x\";\n");
  const RuleBlock both = group->latest();
  RuleGroup other(both.with({"a"}), setup(), {.board = board, .metrics = metrics}, clock);
  RuleGroup one(both.with({"b"}), setup(), {.board = board, .metrics = metrics}, clock);
  Generation next{.config = std::make_shared<DaemonConfig>(config),
                  .problems = {},
                  .blocks = {both.with({"b"}), both.with({"a"})}};
  const GroupPlan plan = plan_groups(next, {setup(), setup()}, {&other, &one});
  ASSERT_EQ(plan.parts.size(), 2u);
  EXPECT_EQ(plan.parts[0].group, &one);
  EXPECT_EQ(plan.parts[1].group, &other);
}

}  // namespace
}  // namespace pmjit
