// Rules of the dialect pmie over a host whose collector is restarted with other metrics behind the
// same identifiers, as `pmjit run` and the daemon have it: values are those of the names in the
// rules. The drop-in pmie keeps the identifiers, as pmie does.
#include "tests/unit/live_rules/host_rules.h"

namespace pmjit::test {
namespace {

constexpr PmId kFirst = 0x0f000011, kSecond = 0x0f000012, kThird = 0x0f000013;

class RestartedHost : public HostRules {
 protected:
  RestartedHost() : RestartedHost(true) {}
  explicit RestartedHost(bool follows) : HostRules({.retries = false, .follows = follows}) {
    offer("x", kFirst, 10);
    offer("y", kSecond, 100);
  }

  void offer(const std::string& name, PmId pmid, uint32_t value) {
    network.collector.metrics[name] = {
        .desc = {.pmid = pmid, .pm_type = pm_type::u32, .semantics = Semantics::instant},
        .values = {{kSingular, value}}};
  }
  void swap_identifiers() {
    offer("x", kSecond, 10);
    offer("y", kFirst, 100);
  }
};

class RestartedHostOfPmie : public RestartedHost {
 protected:
  RestartedHostOfPmie() : RestartedHost(false) {}
};

TEST_F(RestartedHost, GivesTheValuesOfTheNames) {
  begin("a = x; b = y; c = x @0..1;");
  EXPECT_EQ(tick(), "0sa: 10 b: 100 c: 10 ?");
  network.hang_up();
  swap_identifiers();
  EXPECT_EQ(tick(), "20sa: ? b: ? c: ? ?") << "the loss";
  EXPECT_EQ(tick(), "40sa: 10 b: 100 c: 10 ?");
  EXPECT_EQ(tick(), "60sa: 10 b: 100 c: 10 10");
}

TEST_F(RestartedHost, GivesThemWhereAllHostsAreAskedAtOnce) {
  begin("a = x; b = y;");
  EXPECT_EQ(ask(), "0s a: 10 b: 100 at 0.00s");
  network.hang_up();
  swap_identifiers();
  EXPECT_EQ(ask(), "20s a: ? b: ? at 20.00s") << "the loss";
  EXPECT_EQ(ask(), "40s a: 10 b: 100 at 40.00s");
}

TEST_F(RestartedHostOfPmie, GivesThoseOfTheIdentifiers) {
  begin("a = x; b = y;");
  EXPECT_EQ(tick(), "0sa: 10 b: 100");
  network.hang_up();
  swap_identifiers();
  EXPECT_EQ(tick(), "20sa: ? b: ?");
  EXPECT_EQ(tick(), "40sa: 100 b: 10") << "as pmie 6.0.3";
}

TEST_F(RestartedHost, IsAskedAgainWhereAnAnswerTellsOfOtherNames) {
  begin("a = x; b = y;");
  EXPECT_EQ(tick(), "0sa: 10 b: 100");
  swap_identifiers();
  network.collector.changes = wire::kNamesChanged;
  EXPECT_EQ(tick(), "20sa: 10 b: 100");
  network.collector.log.clear();
  EXPECT_EQ(tick(), "40sa: 10 b: 100");
  EXPECT_EQ(network.collector.log, std::vector<std::string>{"HIGHRES_FETCH"});
}

TEST_F(RestartedHost, TellsOfAMetricThatItLacksUntilItIsThere) {
  begin("a = x; b = y;");
  EXPECT_EQ(tick(), "0sa: 10 b: 100");
  network.collector.metrics.erase("y");
  offer("z", kSecond, 7);
  network.collector.changes = wire::kNamesChanged;
  EXPECT_EQ(tick(), "20sa: 10 b: ?") << "not that of z";
  EXPECT_EQ(told, "web1 y Unknown metric name; ");
  offer("y", kThird, 101);
  network.collector.changes = wire::kNamesChanged;
  EXPECT_EQ(tick(), "40sa: 10 b: 101");
  EXPECT_EQ(told, "web1 y Unknown metric name; web1 y there again; ");
}

TEST_F(RestartedHost, KeepsTheHistoryOfDerivedMetrics) {
  ASSERT_FALSE(derived->define("twice", "x + x"));
  ASSERT_FALSE(derived->define("pace", "delta(y)"));
  begin("a = twice; b = pace;");
  EXPECT_EQ(tick(), "0sa: 20 b: ?");
  swap_identifiers();
  network.collector.metrics["y"].values[0].second = 107;
  network.collector.changes = wire::kNamesChanged;
  EXPECT_EQ(tick(), "20sa: 20 b: 7");
}

TEST_F(RestartedHost, BeginsAnewWithAMetricThatIsAnother) {
  ASSERT_FALSE(derived->define("twice", "x + x"));
  begin("a = x; b = y @0..1; c = twice;");
  EXPECT_EQ(tick(), "0sa: 10 b: 100 ? c: 20");
  network.collector.metrics["x"].desc.pm_type = pm_type::i32;
  network.collector.metrics["x"].values[0].second = static_cast<uint32_t>(-3);
  network.collector.changes = wire::kAgentRestarted;
  EXPECT_EQ(tick(), "20sa: ? b: 100 100 c: ?");
  EXPECT_EQ(tick(), "40sa: -3 b: 100 100 c: -6");
  EXPECT_EQ(told, "");
}

TEST_F(RestartedHost, GivesInstancesByTheirNames) {
  begin("a = disk #sdb; b = match_inst \"sda\" (disk > 4); c = disk;");
  EXPECT_EQ(tick(), "0sa: 5 b: false false c: 3 5");
  network.collector.instances[kDisks] = {{0, "sdb"}, {1, "sda"}};
  network.collector.metrics["disk"].values = {{0, 5}, {1, 3}};
  network.collector.changes = wire::kAgentRestarted;
  EXPECT_EQ(tick(), "20sa: ? b: ? c: ?");
  EXPECT_EQ(tick(), "40sa: 5 b: false false c: 5 3");
  EXPECT_EQ(tick(), "60sa: 5 b: false false c: 5 3");
}

TEST_F(RestartedHost, GivesNewRulesNoIdentifierThatStandsForAnother) {
  begin("a = x; b = later;");
  EXPECT_EQ(tick(), "0sa: 10 b: ?");
  offer("x", kThird, 10);
  offer("later", kFirst, 55);
  network.collector.changes = wire::kNamesChanged;
  EXPECT_EQ(tick(), "20sa: 10 b: 55");
  EXPECT_EQ(tick(), "40sa: 10 b: 55");
  EXPECT_EQ(told, "");
}

TEST_F(RestartedHost, WaitsForAnAgentThatDescribesNothingYet) {
  begin("a = x; b = y;");
  EXPECT_EQ(tick(), "0sa: 10 b: 100");
  network.collector.metrics["y"].agent_status = pm_err::E_NOAGENT;
  network.collector.changes = wire::kAgentDropped;
  EXPECT_EQ(tick(), "20sa: 10 b: ?");
  network.collector.metrics["y"].agent_status = 0;
  EXPECT_EQ(tick(), "40sa: 10 b: 100") << "though nothing said that it is back";
}

}  // namespace
}  // namespace pmjit::test
