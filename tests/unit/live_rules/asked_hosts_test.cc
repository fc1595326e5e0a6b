// Rules over hosts that are asked at once and waited for by the caller, as `pmjit run -h` does: a
// host that hangs costs itself alone. Times are those of a clock that moves by what happens.
#include <algorithm>
#include <cmath>

#include "tests/unit/live_rules/host_rules.h"

namespace pmjit::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class AskedHosts : public HostRules {
 protected:
  AskedHosts() : HostRules({.retries = false}) {
    network.others["web2"].metrics["load"] = network.collector.metrics["load"];
    network.others["web2"].metrics["load"].values[0].second = 9;
  }

  ScriptedCollector& web2() { return network.others["web2"]; }
};

TEST_F(AskedHosts, OneThatHangsCostsItself) {
  begin("delta = 5 sec; a = load; b = load :web2;");
  web2().delay = milliseconds(300);
  EXPECT_EQ(ask(), "0s a: 7 b: 9 at 0.30s");
  web2().delay = seconds(17);
  EXPECT_EQ(ask(), "5s a: 7 b: ? at 10.00s") << "until the next one is due";
  EXPECT_EQ(told, "web2 lost; ");
  network.collector.metrics["load"].values[0].second = 8;
  EXPECT_EQ(ask(), "10s a: 8 b: ? at 10.25s") << "a twentieth of the interval";
  EXPECT_EQ(ask(), "15s a: 8 b: ? at 15.25s");
  EXPECT_EQ(ask(), "20s a: 8 b: ? at 20.25s");
  web2().delay = {};
  web2().metrics["load"].values[0].second = 10;
  EXPECT_EQ(ask(), "25s a: 8 b: 9 at 25.00s") << "what comes later is of the next time";
  EXPECT_EQ(told, "web2 lost; web2 back; ");
  EXPECT_EQ(ask(), "30s a: 8 b: 10 at 30.00s");
  EXPECT_EQ(sources.tally(0).missed, 0U);
  EXPECT_EQ(sources.tally(1).missed, 4U);
  EXPECT_EQ(sources.tally(1).times, 7U);
  EXPECT_EQ(network.attempts.size(), 2U) << "the connection goes on";
}

TEST_F(AskedHosts, TasksThatAreDueTogetherShareTheTime) {
  begin("delta = 5 sec; a = load; delta = 10 sec; b = load :web2; delta = 20 sec; c = load;");
  web2().silent = true;
  EXPECT_EQ(ask(), "0s a: 7 at 0.00s");
  EXPECT_EQ(ask(), "0s b: ? at 5.00s") << "the shortest interval";
  network.collector.metrics["load"].values[0].second = 8;
  EXPECT_EQ(ask(), "0s c: 7 at 5.00s") << "it was asked with the others";
  EXPECT_EQ(ask(), "5s a: 8 at 5.00s");
  EXPECT_EQ(run->skip_missed(now(), now()), 0U);
}

TEST_F(AskedHosts, OneThatDoesNotConnectHoldsUpNobody) {
  web2().silent = true;
  begin("delta = 5 sec; a = load; b = load :web2;");
  EXPECT_EQ(told, "web2 unreachable; ");
  EXPECT_NEAR(now() - static_cast<double>(kStart), 10, 0.01) << "the greeting is waited for";
  EXPECT_EQ(ask(), "10s a: 7 b: ? at 10.00s");
  EXPECT_EQ(ask(), "15s a: 7 b: ? at 15.25s") << "a twentieth of the interval";
  for (int i = 0; i < 4; ++i) {
    const double due = run->due().value_or(0);
    EXPECT_NE(ask().find("a: 7 b: ?"), std::string::npos);
    EXPECT_LT(now() - due, 0.3);
  }
  web2().silent = false;
  std::string last;
  for (int i = 0; i < 4; ++i) last = ask();
  EXPECT_NE(last.find("a: 7 b: 9"), std::string::npos) << last;
  EXPECT_EQ(told, "web2 unreachable; web2 back; ");
  EXPECT_EQ(sources.tally(1).times, 10U);
  EXPECT_GE(sources.tally(1).missed, 6U);
}

TEST_F(AskedHosts, AMetricThatIsGoneIsToldOnce) {
  begin("delta = 5 sec; a = load; b = disk #sda;");
  EXPECT_EQ(ask(), "0s a: 7 b: 3 at 0.00s");
  const auto disk = network.collector.metrics["disk"];
  network.collector.metrics.erase("disk");
  EXPECT_EQ(ask(), "5s a: 7 b: ? at 5.00s");
  EXPECT_EQ(told, "web1 disk Unknown or illegal metric identifier; ");
  EXPECT_EQ(ask(), "10s a: 7 b: ? at 10.00s");
  network.collector.metrics["disk"] = disk;
  EXPECT_EQ(ask(), "15s a: 7 b: 3 at 15.00s");
  EXPECT_EQ(ask(), "20s a: 7 b: 3 at 20.00s");
  EXPECT_EQ(told, "web1 disk Unknown or illegal metric identifier; web1 disk there again; ");
}

TEST_F(AskedHosts, AnInterruptSaysNothingOfHosts) {
  begin("delta = 5 sec; a = load; b = more; ");
  EXPECT_EQ(ask(), "0s a: 7 b: ? at 0.00s");
  network.collector.silent = true;
  pass(run->due().value_or(0));
  stops = true;
  run->ask(std::max(run->due().value_or(0), now()));
  EXPECT_TRUE(run->waits_until(now()));
  EXPECT_TRUE(reader.read("c = load :web2;", "more"));
  EXPECT_EQ(told, "");
  EXPECT_EQ(sources.tally(0).times, 1U);
}

TEST_F(AskedHosts, TimesThatWereMissedAreCountedToTheEnd) {
  begin("delta = 5 sec; a = load;");
  EXPECT_EQ(ask(), "0s a: 7 at 0.00s");
  pass(static_cast<double>(kStart) + 42);
  EXPECT_EQ(run->skip_missed(now(), static_cast<double>(kStart) + 20), 4U) << "5, 10, 15, 20";
  EXPECT_EQ(run->skip_missed(now(), HUGE_VAL), 3U) << "25, 30, 35";
  EXPECT_EQ(ask(), "40s a: 7 at 42.00s");
}

// The answer to what was asked before is thrown away.
TEST_F(AskedHosts, AFetchOfOtherMetricsFollowsTheOneThatIsUnderWay) {
  HostClient client(network, *parse_host_spec("web1"), settings);
  HostContext context(client);
  ASSERT_TRUE(context.connect());
  network.collector.delay = seconds(7);
  const PmId before[] = {kLoad}, behind[] = {kDisk};
  Fetched fetched;
  context.begin_fetch(before, {});
  EXPECT_FALSE(context.settled());
  EXPECT_FALSE(context.fetch(before, {}, fetched)) << "it does not wait";
  context.begin_fetch(behind, {});
  clock.advance(seconds(8));
  EXPECT_FALSE(context.settled()) << "its own is asked only now";
  clock.advance(seconds(8));
  EXPECT_TRUE(context.settled());
  ASSERT_TRUE(context.fetch(behind, {}, fetched));
  ASSERT_EQ(fetched.sets.size(), 1U);
  EXPECT_EQ(fetched.sets[0].pmid, kDisk);
  EXPECT_EQ(fetched.sets[0].count, 2);
}

}  // namespace
}  // namespace pmjit::test
