// Alerts that fire when a new configuration tells others of them.
#include <gtest/gtest.h>

#include "rules/daemon/alert_binding.h"

namespace pmjit {
namespace {

using namespace std::chrono_literals;

constexpr WallTime kFirst(1'000s), kLater(1'010s);

class ReroutedAlerts : public testing::Test {
 protected:
  static AlertTable table(std::vector<std::string> sinks, std::string team = "web") {
    AlertTable out{.is_wanted = true};
    out.rule.levels = {{.severity = AlertSeverity::warning, .hold_for = 0ms}};
    out.labels = {{"alertname", "busy"}, {"team", std::move(team)}};
    out.sinks = std::move(sinks);
    return out;
  }
  static AlertBinding binding(AlertTable table) {
    return {{.rule = "busy", .host = "web1"}, std::move(table), "shape", 10s, "web1"};
  }
  // "sink event …" of the messages since the last call.
  std::string told() {
    std::string text;
    for (const OutboxMessage& message : out_.batch.messages) {
      text += message.sink + ' ' + message.event + ' ';
    }
    out_.batch = {};
    return text;
  }

  AlertBoard board_;
  MetricSheet metrics_;
  std::vector<SinkBlock> sinks_{{.name = "mail", .type = SinkType::exec},
                                {.name = "chat", .type = SinkType::webhook}};
  AlertOutput out_{.sinks = &sinks_, .board = board_, .metrics = metrics_, .most = 10};
};

TEST_F(ReroutedAlerts, EndWhereTheyWereAndFireWhereTheyAre) {
  AlertBinding alert = binding(table({"mail"}));
  alert.step({.truth = RuleTruth::yes, .at = kFirst, .interval = 10s}, out_);
  EXPECT_EQ(told(), "mail firing ");
  alert.change(table({"chat"}), kLater, out_);
  ASSERT_EQ(out_.batch.alerts.size(), 1U);
  EXPECT_EQ(out_.batch.alerts.front().sinks, std::vector<std::string>{"chat"});
  EXPECT_FALSE(out_.batch.alerts.front().ended);
  EXPECT_EQ(told(), "mail resolved chat firing ");
  alert.change(table({"chat"}), kLater, out_);
  EXPECT_EQ(out_.batch.size(), 0U);
  // And again: its key is another one, or the outbox would drop it.
  alert.change(table({}), kLater + 1s, out_);
  alert.change(table({"mail"}), kLater + 2s, out_);
  EXPECT_NE(out_.batch.messages.back().dedup.find("/firing-"), std::string::npos);
  EXPECT_EQ(told(), "chat resolved mail firing ");
}

TEST_F(ReroutedAlerts, AStartComparesWithTheState) {
  AlertBinding before = binding(table({"mail"}));
  before.step({.truth = RuleTruth::yes, .at = kFirst, .interval = 10s}, out_);
  (void)told();
  AlertBinding after = binding(table({"chat"}));
  for (const StoredAlert& state : before.states()) after.restore(state);
  after.change(after.table(), kLater, out_);
  EXPECT_EQ(told(), "mail resolved chat firing ");
}

TEST_F(ReroutedAlerts, OtherLabelsEndAtTheSinksThatHadThem) {
  AlertBinding alert = binding(table({"mail"}));
  alert.step({.truth = RuleTruth::yes, .at = kFirst, .interval = 10s}, out_);
  (void)told();
  alert.change(table({"chat"}, "db"), kLater, out_);
  EXPECT_EQ(told(), "mail resolved chat firing ");
}

// A round that is late steps several ticks, and posts them as one batch.
TEST_F(ReroutedAlerts, OneThatEndsAndWaitsAgainInOneRoundIsThere) {
  AlertTable waits = table({"mail"});
  waits.rule.levels.front().hold_for = 60s;
  AlertBinding alert = binding(std::move(waits));
  const auto step = [&](RuleTruth truth, WallTime at) {
    alert.step({.truth = truth, .at = at, .interval = 10s}, out_);
  };
  step(RuleTruth::yes, kFirst);
  ASSERT_EQ(out_.batch.alerts.size(), 1U);
  (void)told();
  step(RuleTruth::no, kLater);
  EXPECT_EQ(out_.batch.gone.size(), 1U);
  step(RuleTruth::yes, kLater + 10s);
  EXPECT_EQ(out_.batch.gone.size(), 0U);
  ASSERT_EQ(out_.batch.alerts.size(), 1U);
  EXPECT_EQ(out_.batch.alerts.front().life.phase, Phase::pending);
  // And the other way round: what is gone is dropped behind what was there.
  step(RuleTruth::no, kLater + 20s);
  EXPECT_EQ(out_.batch.gone.size(), 1U);
}

TEST_F(ReroutedAlerts, WhatIsKeptIsNotTold) {
  AlertBinding alert = binding(table({"mail"}));
  alert.step({.truth = RuleTruth::yes, .at = kFirst, .interval = 10s}, out_);
  (void)told();
  alert.keep(out_);
  EXPECT_EQ(out_.batch.kept.size(), 1U);
  EXPECT_EQ(out_.batch.size(), 1U);
}

}  // namespace
}  // namespace pmjit
