// A [[rules]] block at work over scripted hosts and a clock that moves by what happens: what
// becomes of its alerts while hosts are late, lack metrics, or the clock is set.
#include "rules/daemon/generation.h"
#include "rules/daemon/overflow_watch.h"
#include "tests/unit/daemon/rule_group_fixture.h"
#include "tests/unit/turns.h"

namespace pmjit {
namespace {

TEST_F(RuleGroupTest, OfWhatIsFalseNothingIsRemembered) {
  for (const char* const host : {"web1", "web2", "web3"}) add_host(host);
  open(10s, "high = load > 5 -> print \"x\";\nlow = load < 0 -> print \"x\";\n");
  run_for(60s);
  EXPECT_EQ(group->remembered(), 0u);
  set_load("web2", 9);
  run_for(10s);
  EXPECT_EQ(group->remembered(), 1u);
  ASSERT_FALSE(posted.alerts.empty());
  EXPECT_EQ(posted.alerts.back().shape.size(), 16u);
  network->of("web3").silent = true;
  run_for(20s);
  EXPECT_EQ(group->remembered(), 3u) << "two rules of web3 are unknown";
  set_load("web2", 1);
  network->of("web3").silent = false;
  run_for(120s);
  EXPECT_EQ(group->remembered(), 0u);
}

// The interval was 10 s before: of that two ticks of a minute are too far apart to count.
TEST_F(RuleGroupTest, AnAlertThatWasKeptGoesOnWithTheIntervalOfItsRule) {
  add_host("web1");
  open(60s, "high = load > 5 -> print \"x\";\n", {.keep = 60s});
  const AlertKey key{.rule = "high", .host = "web1"};
  const WallTime began(std::chrono::seconds(kStart - 600));
  StoredAlert stored{.key = key, .interval_ms = 10'000};
  stored.life = {.phase = Phase::firing, .said = Says::holds, .since = began, .at = began};
  std::map<AlertKey, StoredAlert> kept;
  kept.emplace(key, std::move(stored));
  group->restore(kept);
  EXPECT_TRUE(kept.empty());
  run_for(5min);
  EXPECT_EQ(history(), "100 resolved high web1\n") << "the second minute at which it is false";
}

TEST_F(RuleGroupTest, OneLateAnswerIsNoHostThatIsDown) {
  for (const char* const host : {"web1", "web2"}) add_host(host);
  open(60s, "high = load > 5 -> print \"x\";\n");
  run_for(60s);
  network->of("web1").delay = 70s;
  run_for(60s);
  network->of("web1").delay = 0s;
  run_for(5min);
  const std::string late = history();
  EXPECT_EQ(late.find("firing"), std::string::npos) << late;
  EXPECT_NE(late.find("pending pmjit.host_down web1"), std::string::npos) << late;
  network->of("web1").silent = true;
  run_for(5min);
  const std::string dead = history();
  EXPECT_NE(dead.find("firing pmjit.host_down web1"), std::string::npos) << dead;
  EXPECT_EQ(dead.find("web2"), std::string::npos) << dead;
}

// One host has not answered yet then.
TEST_F(RuleGroupTest, RulesGoOnWhenTheClockIsSetBack) {
  for (const char* const host : {"web1", "web2"}) add_host(host);
  open(10s, "high = load > 5 -> print \"x\";\n");
  run_for(50s);
  network->of("web2").delay = 3s;
  run_for(11s);
  set_load("web2", 9);
  clock.set_wall(clock.wall() - 1h);
  set_load("web1", 9);
  run_for(30s);
  const std::string back = history();
  EXPECT_NE(back.find("firing high web1"), std::string::npos) << back;
  EXPECT_NE(back.find("firing high web2"), std::string::npos) << back;
  EXPECT_NE(log.find("the clock was set back by 3600 s"), std::string::npos) << log;
}

TEST_F(RuleGroupTest, AShortStepBackIsWaitedFor) {
  add_host("web1");
  open(10s, "high = load > 5 -> print \"x\";\n");
  run_for(60s);
  clock.set_wall(clock.wall() - 40s);
  set_load("web1", 9);
  run_for(30s);
  EXPECT_EQ(history(), "");
  run_for(30s);
  EXPECT_NE(history().find("firing high web1"), std::string::npos);
  EXPECT_EQ(log.find("set back"), std::string::npos) << log;
}

TEST_F(RuleGroupTest, ARuleWithoutItsMetricIsUnknownUntilAnAgentComes) {
  for (const char* const host : {"web1", "web2"}) add_host(host);
  open(10s,
       "high = load > 5 -> print \"x\";\nlow = late < 5 -> print \"x\";\n"
       "all = sum_host late > 5 -> print \"x\";\n",
       {.stale = 20s, .unknown = AlertSeverity::warning});
  set_load("web1", 9);
  run_for(40s);
  const std::string without = history();
  EXPECT_NE(without.find("firing high web1"), std::string::npos) << without;
  EXPECT_NE(without.find("unknown low web1"), std::string::npos) << without;
  EXPECT_NE(without.find("unknown low web2"), std::string::npos) << without;
  EXPECT_NE(without.find("unknown all  ("), std::string::npos) << without;
  EXPECT_NE(log.find("late"), std::string::npos) << log;
  network->of("web2").metrics["late"] = network->of("web2").metrics["load"];
  network->of("web2").metrics["late"].desc.pmid = 2;
  run_for(2min);
  const std::string with = history();
  EXPECT_NE(with.find("known low web2"), std::string::npos) << with;
  EXPECT_NE(with.find("firing low web2"), std::string::npos) << with;
  EXPECT_EQ(with.find("low web1"), std::string::npos) << with;
}

// One host lacks a metric, one hangs, and one answers slowly: nobody else waits for them, neither
// while metrics are looked for again, nor when rules are compiled again.
TEST_F(RuleGroupTest, AHostThatLacksAMetricMakesNobodyLate) {
  for (const char* const host : {"web1", "web2", "web3", "web4", "web5"}) {
    add_host(host);
    if (host == std::string("web2")) continue;
    scripted(host).metrics["late"] = scripted(host).metrics["load"];
    scripted(host).metrics["late"].desc.pmid = 2;
  }
  open(1s, "high = load > 5 -> print \"x\";\nlow = late > 5 -> print \"x\";\n");
  run_for(3s);
  network->of("web3").silent = true;
  network->of("web5").delay = 400ms;
  run_for(17s);
  (void)ticks();
  run_for(180s);
  EXPECT_EQ(counted("ticks_missed"), 0);
  EXPECT_GE(ticks().second, 3 * 178) << "web1, web2 and web4";
  network->of("web2").metrics["late"] = network->of("web1").metrics["late"];
  for (const char* const host : {"web1", "web2", "web4"}) {
    network->of(host).metrics["late"].values[0].second = 9;
  }
  run_for(120s);
  EXPECT_EQ(counted("ticks_missed"), 0);
  EXPECT_GE(ticks().second, 3 * 116);
  const std::string come = history();
  for (const char* const host : {"web1", "web2", "web4"}) {
    EXPECT_NE(come.find(fmt::format("firing low {}", host)), std::string::npos) << come;
  }
}

// It is told when the host is back, and the rule still unknown; not for a rate that is only new.
// It is looked for while the hosts are down, and nobody could say.
TEST_F(RuleGroupTest, HostsThatAreDownLackNoMetric) {
  for (const char* const host : {"web1", "web2"}) add_host(host);
  scripted("web1").metrics["late"] = scripted("web1").metrics["load"];
  scripted("web1").metrics["late"].desc.pmid = 2;
  open(10s, "high = load > 5 -> print \"x\";\nlow = late > 5 -> print \"x\";\n");
  run_for(20s);
  for (const char* const host : {"web1", "web2"}) {
    network->refused.insert(host);
    network->hang_up(host);
  }
  run_for(60s);
  network->refused.clear();
  for (const char* const host : {"web1", "web2"}) set_load(host, 9);
  network->of("web1").metrics["late"].values[0].second = 9;
  run_for(80s);
  const std::string back = history();
  EXPECT_NE(back.find("firing high web1"), std::string::npos) << back << log;
  EXPECT_NE(back.find("firing high web2"), std::string::npos) << back << log;
  EXPECT_NE(back.find("firing low web1"), std::string::npos) << back << log;
}

TEST_F(RuleGroupTest, AnUnknownThatWasHeldBackIsToldWhenTheHostIsBack) {
  for (const char* const host : {"web1", "web2"}) add_host(host);
  open(10s, "high = load > 5 -> print \"x\";\n", {.stale = 60s});
  set_load("web1", 9);
  set_load("web2", 9);
  run_for(20s);
  (void)history();
  for (const char* const host : {"web1", "web2"}) {
    network->refused.insert(host);
    network->hang_up(host);
  }
  run_for(5min);
  const std::string down = history();
  EXPECT_EQ(down.find("unknown"), std::string::npos) << down;
  network->refused.clear();
  network->of("web1").metrics["load"].status = pm_err::E_VALUE;
  run_for(3min);
  const std::string back = history();
  EXPECT_NE(back.find("unknown high web1"), std::string::npos) << back;
  EXPECT_EQ(back.find("high web2"), std::string::npos) << back;
  EXPECT_EQ(back.find("unknown high web1"), back.rfind("unknown high web1")) << back;
}

TEST_F(RuleGroupTest, AnAlertThatFiresHasNewTextsAfterAReload) {
  add_host("web1");
  open(10s, "high = load > 5 -> print \"x\";\n", {.annotations = {{"summary", "%v on %h"}}});
  set_load("web1", 9);
  run_for(20s);
  ASSERT_FALSE(posted.alerts.empty());
  EXPECT_EQ(posted.alerts.back().notes.at("summary"), "9 on web1");
  posted = {};
  config.rules.front().alerts.front().annotations = {{"summary", "%h has %v"}};
  group->adopt(setup(), group->latest());
  run_for(1s);
  ASSERT_FALSE(posted.alerts.empty());
  EXPECT_EQ(posted.alerts.front().notes.at("summary"), "web1 has 9");
  EXPECT_TRUE(posted.messages.empty()) << "it is no event";
}

std::vector<std::string> whole(const RuleBlock& block) {
  std::vector<std::string> out;
  for (const BlockRule& rule : block.rules) out.push_back(rule.keys.whole);
  return out;
}

// Comments and layout are no change, in either dialect; nor are names of macros to what is counted.
TEST_F(RuleGroupTest, AReloadComparesRulesNotTheirText) {
  add_host("web1");
  for (const std::string dialect : {"strict", "pmie"}) {
    SCOPED_TRACE(dialect);
    const std::string head = fmt::format("// pmjit: dialect={}\n", dialect);
    const auto read = [&](const std::string& rules) { return read_block(10s, head + rules); };
    const RuleBlock before =
        read("a = load > 5 -> print \"x  // y\";\nm = 8;\nb = load > $m -> print \"z\";\n");
    const RuleBlock laid_out = read(
        "// why\na =\n  load > 5  /* much */\n  -> print \"x  // y\";  // so\n"
        "m = 8;\nb = load > $m -> print \"z\";\n");
    EXPECT_EQ(laid_out.engine_key, before.engine_key);
    EXPECT_EQ(whole(laid_out), whole(before));
    const RuleBlock action =
        read("a = load > 5 -> print \"x\";\nn = 8;\nb = load > $n -> print \"z\";\n");
    EXPECT_NE(whole(action), whole(before));
    EXPECT_EQ(action.shapes, before.shapes);
    const RuleBlock threshold =
        read("a = load > 6 -> print \"x  // y\";\nm = 8;\nb = load > $m -> print \"z\";\n");
    EXPECT_NE(threshold.shapes.at("a"), before.shapes.at("a"));
    EXPECT_EQ(threshold.shapes.at("b"), before.shapes.at("b"));
    const RuleBlock macro =
        read("a = load > 5 -> print \"x  // y\";\nm = 9;\nb = load > $m -> print \"z\";\n");
    EXPECT_EQ(macro.shapes.at("a"), before.shapes.at("a"));
    EXPECT_NE(macro.shapes.at("b"), before.shapes.at("b"));
    const RuleBlock blanks =
        read("a = load > 5 -> print \"x // y\";\nm = 8;\nb = load > $m -> print \"z\";\n");
    EXPECT_NE(whole(blanks), whole(before)) << "within a text they are";
    EXPECT_NE(read("delta = 20 sec;\na = load > 5 -> print \"x  // y\";\n").shapes.at("a"),
              before.shapes.at("a"));
  }
}

// With the place, and what to write; macros of the file before it count.
TEST_F(RuleGroupTest, AnErrorInAFileOfPmieIsShownAsCheckShowsIt) {
  add_host("web1");
  const RuleBlock good = read_block(10s, "most = 5;\na = load > $most -> print \"x\";\n");
  const std::string path = config.rules.front().files.front();
  config.rules.front().files.push_back(path + "2");
  std::ofstream(path + "2") << "b = load > $most -> print \"y\";\nc = load > -> print \"z\";\n";
  ConfigProblems problems;
  (void)read_rule_blocks(config, problems);
  ASSERT_TRUE(problems.has_errors());
  const std::string text = problems.all().front().detail;
  EXPECT_NE(text.find("rules.pmie2:2:10\n"), std::string::npos) << text;
  EXPECT_NE(text.find("2 | c = load > -> print \"z\";\n"), std::string::npos) << text;
  EXPECT_NE(text.find("^"), std::string::npos) << text;
  EXPECT_EQ(text.find("undefined macro"), std::string::npos) << text;
}

// Their first answers come late: names and types are looked up before.
TEST_F(RuleGroupTest, AHostThatIsSlowAtFirstIsNotDown) {
  for (const char* const host : {"web1", "web2"}) add_host(host);
  open(1s, "high = load > 5 -> print \"x\";\n");
  network->of("web1").delay = 1500ms;
  network->of("web2").silent = true;
  run_for(3s);
  EXPECT_EQ(group->hosts().at("web1"), HostCondition::connecting);
  network->of("web1").delay = 0s;
  run_for(10s);
  EXPECT_EQ(log.find("host is back"), std::string::npos) << log;
  EXPECT_EQ(group->hosts().at("web1"), HostCondition::up);
  EXPECT_EQ(group->hosts().at("web2"), HostCondition::late);
  EXPECT_EQ(log.find("host is down"), log.rfind("host is down")) << log;
  EXPECT_NE(log.find("host is down"), std::string::npos) << log;
}

TEST_F(RuleGroupTest, AStopIsSeenWhileHostsAreOpened) {
  add_host("web1");
  scripted("web1").silent = true;
  stops = true;
  open(10s, "high = load > 5 -> print \"x\";\n");
  EXPECT_LT(clock.now() - Instant(), 1s);
}

// A rule behind a true one is passed over; `otherwise` is no alert, and neither is an action by
// itself. Both dialects.
TEST_F(RuleGroupTest, EachRuleOfARulesetHasAnAlertOfItsOwn) {
  constexpr const char* kRules =
      "delta = 10 sec;\n"
      "rs = ruleset load > 8 -> print \"a\" else load > 5 -> print \"b\"\n"
      "     else load > 2 -> print \"c\" unknown -> print \"d\" otherwise -> print \"e\";\n"
      "done = print \"f\";\n";
  for (const char* const dialect : {"strict", "pmie"}) {
    SCOPED_TRACE(dialect);
    posted = {}, config.hosts.clear();
    add_host("web1");
    open_text(10s, fmt::format("// pmjit: dialect={}\n{}", dialect, kRules), {.stale = 40s});
    run_for(15s);
    EXPECT_EQ(history(), "");
    set_load("web1", 6);
    run_for(10s);
    const std::string second = history();
    EXPECT_NE(second.find("firing rs#2 web1"), std::string::npos) << second;
    EXPECT_EQ(second.find("#1"), std::string::npos) << second;
    EXPECT_EQ(second.find("#3"), std::string::npos) << second;
    EXPECT_NE(board.json().find("\"alertname\":\"rs#2\""), std::string::npos) << board.json();
    set_load("web1", 9);
    run_for(10s);
    const std::string first = history();
    EXPECT_NE(first.find("firing rs#1 web1"), std::string::npos) << first;
    EXPECT_NE(first.find("resolved rs#2 web1"), std::string::npos) << first;
    const StoredAlert* stored = nullptr;
    for (const StoredAlert& alert : posted.alerts) {
      if (alert.key.rule == "rs#1") stored = &alert;
    }
    ASSERT_NE(stored, nullptr);
    EXPECT_EQ(stored->value, "9");
    set_load("web1", 1);
    run_for(60s);
    const std::string none = history();
    EXPECT_NE(none.find("resolved rs#1 web1"), std::string::npos) << none;
    EXPECT_EQ(none.find("firing"), std::string::npos) << none;
    EXPECT_EQ(none.find("unknown"), std::string::npos) << none;
    EXPECT_EQ(group->remembered(), 0u);
  }
}

// 200 hosts are four batches, which have their places all over the interval.
TEST_F(RuleGroupTest, APlaceInTheIntervalIsNotLate) {
  constexpr int kHosts = test::turns(200);
  for (int i = 0; i < kHosts; ++i) add_host(fmt::format("web{}", i));
  open(10s, "high = load > 5 -> print \"x\";\n");
  run_for(60s);
  EXPECT_GE(counted("ticks_total"), kHosts * 5);
  EXPECT_EQ(counted("tick_late_seconds_count"), counted("ticks_total"));
  EXPECT_LT(counted("tick_late_seconds_sum"), 0.1 * counted("ticks_total"));
  EXPECT_EQ(counted("ticks_missed_total"), 0);
}

TEST_F(RuleGroupTest, TimesThatAreMissedAreCountedForEachHost) {
  constexpr int kHosts = test::turns(200);
  for (int i = 0; i < kHosts; ++i) add_host(fmt::format("web{}", i));
  open(10s, "high = load > 5 -> print \"x\";\nall = sum_host load > 5 -> print \"x\";\n");
  run_for(65s);
  const double before = counted("ticks_total");
  clock.advance(60s);  // nobody runs
  run_for(61s);
  const double missed = counted("ticks_missed_total");
  EXPECT_NEAR(missed + counted("ticks_total") - before, 12 * (kHosts + 1), kHosts + 10);
  EXPECT_NEAR(missed, 5.5 * (kHosts + 1), kHosts + 1);
}

// Each of two hosts has one value of one metric.
TEST_F(RuleGroupTest, FetchesAndWhatIsUnknownAreCounted) {
  for (const char* const host : {"web1", "web2", "web3"}) add_host(host);
  open(10s, "high = load > 5 -> print \"x\";\nlow = late < 5 -> print \"x\";\n");
  run_for(15s);
  network->of("web3").silent = true;
  run_for(50s);
  const double fetches = counted("fetches_total");
  EXPECT_NE(metrics.text().find("fetches_total{result=\"ok\"}"), std::string::npos);
  EXPECT_NE(metrics.text().find("fetches_total{result=\"late\"}"), std::string::npos)
      << metrics.text();
  EXPECT_GE(fetches, 2 * 6);
  EXPECT_GE(counted("values_total"), 2 * 6);
  EXPECT_LE(counted("values_total"), fetches);
  EXPECT_GT(counted("bytes_received_total"), 40 * counted("values_total"));
  EXPECT_EQ(counted("fetch_seconds_count"), counted("values_total"));
  EXPECT_GT(counted("tick_seconds_count"), 0);
  EXPECT_NE(metrics.text().find("rule_seconds_total{rule=\"high\"}"), std::string::npos);
  const auto unknown = group->unknown();
  EXPECT_EQ(unknown.at("no metric"), 3u);
  size_t all = 0;
  for (const auto& [reason, count] : unknown) all += count;
  EXPECT_EQ(all, 4u) << "high of web3";
}

TEST_F(RuleGroupTest, AsManyAlertsAsThereMayBeAreAnAlert) {
  for (const char* const host : {"web1", "web2", "web3", "web4"}) add_host(host);
  config.alerts.max = 3;
  open(10s, "high = load > 5 -> print \"x\";\n");
  OverflowWatch watch(board, metrics, "");
  (void)watch.change(std::make_shared<DaemonConfig>(config), clock.wall());
  for (const char* const host : {"web1", "web2", "web3", "web4"}) set_load(host, 9);
  run_for(20s);
  EXPECT_EQ(board.size(), 3u);
  const StateBatch full = watch.look(clock.wall());
  ASSERT_EQ(full.history.size(), 1u);
  EXPECT_EQ(full.history[0].event, "firing");
  EXPECT_EQ(full.alerts[0].labels.at("alertname"), "pmjit.overflow");
  EXPECT_TRUE(watch.is_full());
  for (const char* const host : {"web1", "web2", "web3"}) set_load(host, 1);
  run_for(20s);
  ASSERT_EQ(board.size(), 2u) << "that of web4, and the one about the others";
  EXPECT_EQ(watch.look(clock.wall()).history.at(0).event, "resolved");
  EXPECT_FALSE(watch.is_full());
}

constexpr const char* kFull =
    "full = alert critical used > 90 until used < 80 for 20 sec label team \"storage\" "
    "note summary \"%i on %h: %v%\" note of \"%{rule} %{severity} %{label.team} %{label.no}\" "
    "-> print \"%i %v;\" & print 30 sec \"still\" "
    "otherwise -> print \"%i has room\";\n";

TEST_F(RuleGroupTest, EachInstanceOfAStrictAlertHasItsOwn) {
  add_host("web1");
  add_disks("web1");
  open(10s, kFull);
  run_for(20s);
  EXPECT_EQ(group->remembered(), 0u);
  set_used("web1", {{0, 95}, {1, 10}});
  run_for(40s);
  EXPECT_EQ(history(), "20 pending full web1[sda]\n40 firing full web1[sda]\n");
  EXPECT_EQ(take_acts(),
            "40 full web1 print!: sda 95;\n40 full web1 print!: still\n"
            "50 full web1 print: still\n");
  ASSERT_FALSE(posted.alerts.empty());
  const StoredAlert fires = posted.alerts.back();
  EXPECT_EQ(fires.key.instance, "sda");
  EXPECT_EQ(fires.labels.at("instname"), "sda");
  EXPECT_EQ(fires.labels.at("severity"), "critical");
  EXPECT_EQ(fires.labels.at("team"), "storage");
  EXPECT_EQ(fires.notes.at("summary"), "sda on web1: 95%");
  EXPECT_EQ(fires.notes.at("of"), "full critical storage ");
  EXPECT_FALSE(fires.notes.contains("bindings"));
  EXPECT_EQ(fires.sinks, std::vector<std::string>{"am"});
  EXPECT_NE(board.json().find("\"instname\":\"sda\""), std::string::npos) << board.json();
  set_used("web1", {{0, 85}, {1, 95}});  // one between, another one
  run_for(30s);
  EXPECT_EQ(history(), "60 pending full web1[sdb]\n80 firing full web1[sdb]\n");
  set_used("web1", {{0, 70}, {1, 95}});
  run_for(10s);
  EXPECT_EQ(history(), "90 resolved full web1[sda]\n");
  EXPECT_NE(take_acts().find("90 full web1 print!: sda has room\n"), std::string::npos);
  set_used("web1", {{0, 70}});
  run_for(10s);
  EXPECT_EQ(history(), "100 resolved full web1[sdb] (gone)\n");
  EXPECT_EQ(group->remembered(), 0u);
}

TEST_F(RuleGroupTest, NotesSayMoreThanTheValue) {
  add_host("web1");
  add_disks("web1");
  config.daemon.zone = "UTC";
  config.host_down.severity = HostDownSeverity::none;
  open(10s,
       "limit = 90; other = \"load\"; text = \"a b\"; twice = 2 * used;\n"
       "full = alert critical used > $limit for 20 sec stale 30 sec "
       "note since \"%{since}\" note held \"%{held}\" note reason \"%{reason}\" "
       "note values \"%{v:1} %{value.limit} %{value.twice:2} %{value.other} %{value.text}\";\n");
  run_for(20s);
  set_used("web1", {{0, 95}, {1, 10}});
  run_for(40s);
  EXPECT_EQ(history(), "20 pending full web1[sda]\n40 firing full web1[sda]\n");
  ASSERT_FALSE(posted.alerts.empty());
  const AlertLabels fires = posted.alerts.back().notes;
  Zone zone("UTC");
  EXPECT_EQ(fires.at("since"), event_time_text(kStart + 20, zone));
  EXPECT_EQ(fires.at("held"), "20s");
  EXPECT_EQ(fires.at("reason"), "");
  EXPECT_EQ(fires.at("values"), "95.0 90 190.00 1 a b");
  network->of("web1").metrics["used"].status = pm_err::E_VALUE;
  run_for(50s);
  const std::string dark = history();
  EXPECT_NE(dark.find("unknown full web1[sda]"), std::string::npos) << dark;
  EXPECT_NE(posted.alerts.back().notes.at("reason"), "");
  network->of("web1").metrics["used"].status = 0;
  set_used("web1", {{0, 10}, {1, 10}});
  run_for(10s);
  const StoredAlert over = posted.alerts.back();
  ASSERT_TRUE(over.ended);
  EXPECT_EQ(over.notes.at("since"), fires.at("since"));
  EXPECT_EQ(over.notes.at("held"),
            duration_text(
                whole_micros(static_cast<double>((*over.ended - over.life.since).count()) / 1e9)));
  EXPECT_EQ(over.notes.at("reason"), "");
}

TEST_F(RuleGroupTest, AStrictAlertGoesOnAfterARestart) {
  add_host("web1");
  add_disks("web1");
  open(10s, kFull);
  set_used("web1", {{0, 95}, {1, 10}});
  run_for(30s);
  set_used("web1", {{0, 95}, {1, 95}});
  run_for(10s);
  (void)history();
  (void)take_acts();
  std::map<AlertKey, StoredAlert> kept;
  for (StoredAlert& state : group->stop()) kept.emplace(state.key, std::move(state));
  ASSERT_EQ(kept.size(), 2u);
  open(10s, kFull);
  set_used("web1", {{0, 95}, {1, 95}});
  group->restore(kept);
  EXPECT_TRUE(kept.empty());
  run_for(30s);
  EXPECT_EQ(history(), "50 firing full web1[sdb]\n") << "what fired is not told again";
  const std::string acts = take_acts();
  EXPECT_NE(acts.find("50 full web1 print!: sdb 95;\n"), std::string::npos) << acts;
  EXPECT_EQ(acts.find("sda"), std::string::npos) << acts;
}

TEST_F(RuleGroupTest, AStrictAlertThatIsUnknownFiresOn) {
  add_host("web1");
  config.host_down.severity = HostDownSeverity::none;
  open(10s,
       "high = alert load > 5 stale 30 sec unknown info unknown -> print \"dark\";\n"
       "low = alert load < 1 stale 30 sec unknown info unknown -> print \"dark, too\";\n");
  set_load("web1", 9);
  run_for(20s);
  EXPECT_EQ(history(), "0 firing high web1\n");
  network->of("web1").metrics["load"].status = pm_err::E_VALUE;
  run_for(50s);
  const std::string dark = history();
  EXPECT_NE(dark.find("unknown high web1 ("), std::string::npos) << dark;
  EXPECT_NE(dark.find("unknown low web1 ("), std::string::npos) << dark;
  const std::string acts = take_acts();
  EXPECT_NE(acts.find("high web1 print!: dark\n"), std::string::npos) << acts;
  EXPECT_NE(acts.find("low web1 print!: dark, too\n"), std::string::npos) << acts;
  network->of("web1").metrics["load"].status = 0;
  run_for(10s);
  const std::string known = history();
  EXPECT_NE(known.find("known high web1\n"), std::string::npos) << known;
  EXPECT_NE(known.find("known low web1\n"), std::string::npos) << known;
  EXPECT_EQ(known.find("firing"), std::string::npos) << known;
}

TEST_F(RuleGroupTest, AStrictAlertWithoutItsMetricIsUnknown) {
  for (const char* const host : {"web1", "web2"}) add_host(host);
  open(10s, "low = alert late > 5 stale 20 sec unknown critical;\n");
  run_for(40s);
  const std::string without = history();
  EXPECT_NE(without.find("unknown low web1 (no metric)"), std::string::npos) << without;
  EXPECT_NE(without.find("unknown low web2 (no metric)"), std::string::npos) << without;
  ASSERT_FALSE(posted.alerts.empty());
  EXPECT_EQ(posted.alerts.back().labels.at("severity"), "critical");
  EXPECT_EQ(posted.alerts.back().labels.at("unknown"), "true");
}

}  // namespace
}  // namespace pmjit
