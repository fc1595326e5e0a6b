// delta() and rate(): what the history is, and what wraps. Source: spec derived-metrics.md §14.1,
// §15 E8.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/compat_definitions/world.h"

namespace pmjit::test {
namespace {

class PcpChange : public testing::Test {
 protected:
  PcpChange() {
    for (const std::string type : {"32", "u32", "64", "u64", "float", "double"}) {
      world.metric("c" + type, type + " counter none");
      world.metric("g" + type, type + " instant none");
    }
    world.metric("x", "u32 counter none 1.1").metric("ms", "u64 counter millisec");
    world.metric("ns", "u64 counter nanosec").metric("hours", "u64 counter hour");
    world.metric("us", "u64 counter microsec").metric("min", "u64 counter min");
    world.metric("secs", "u64 counter sec");
  }
  // FUNCTION(name) after two samples, ten seconds apart.
  std::string change(const std::string& function, const std::string& name,
                     const std::string& before, const std::string& now, Dialect dialect = k6,
                     double seconds = 10) {
    Running run(world, function + "(" + name + ")", dialect);
    EXPECT_EQ(run.at(100, {{name, before}}), "");
    return run.at(100 + seconds, {{name, now}});
  }
  World world;
};

TEST_F(PcpChange, TheFirstSampleHasNoPast) {
  EXPECT_EQ(change("delta", "cu32", "5", "7"), "2");
  EXPECT_EQ(change("rate", "cu32", "5", "7"), "0.20000000000000001");
}

TEST_F(PcpChange, DeltaOfEveryType) {
  EXPECT_EQ(change("delta", "c32", "2147483647", "-2147483647"), "2");
  EXPECT_EQ(change("delta", "cu32", "4294967295", "1"), "-4294967294");
  EXPECT_EQ(change("delta", "cu32", "0", "4294967295"), "4294967295");
  EXPECT_EQ(change("delta", "c64", "9223372036854775807", "-9223372036854775808"), "1");
  EXPECT_EQ(change("delta", "cu64", "7", "5"), "-2");
  EXPECT_EQ(change("delta", "cu64", "9007199254740992", "9007199254740993"), "0");
  EXPECT_EQ(change("delta", "cfloat", "1.5", "4"), "2.5");
  EXPECT_EQ(change("delta", "cdouble", "1.5", "1.25"), "-0.25");
}

TEST_F(PcpChange, RateInSixWrapsWhatever) {
  EXPECT_EQ(change("rate", "c32", "2147483647", "-2147483648"), "0.10000000000000001");
  EXPECT_EQ(change("rate", "c32", "10", "0"), "-1");
  EXPECT_EQ(change("rate", "cu32", "4294967295", "9"), "1");
  EXPECT_EQ(change("rate", "gu32", "10", "0"), "429496728.60000002");
  EXPECT_EQ(change("rate", "c64", "10", "0"), "-1");
  EXPECT_EQ(change("rate", "cu64", "18446744073709551615", "9"), "1");
  EXPECT_EQ(change("rate", "cu64", "1", "0"), "1.8446744073709553e+18");
  EXPECT_EQ(change("rate", "cfloat", "10", "0"), "-1");
  EXPECT_EQ(change("rate", "cdouble", "10", "0"), "-1");
}

TEST_F(PcpChange, RateInSevenLeavesOutCountersThatFell) {
  for (const std::string type : {"u32", "64", "u64", "float", "double"}) {
    EXPECT_EQ(change("rate", "c" + type, "10", "9", k7), "") << type;
    EXPECT_EQ(change("rate", "c" + type, "10", "20", k7), "1") << type;
    EXPECT_NE(change("rate", "g" + type, "10", "9", k7), "") << type;
    EXPECT_NE(change("delta", "c" + type, "10", "9", k7), "") << type;
  }
  EXPECT_EQ(change("rate", "c32", "10", "0", k7), "-1");
  Running run(world, "rate(x)", k7);
  EXPECT_EQ(run.at(0, {{"x", "1:10 2:10"}}), "");
  EXPECT_EQ(run.at(1, {{"x", "1:5 2:20"}}), "2:10");
  EXPECT_EQ(run.at(2, {{"x", "1:6 2:21"}}), "1:1 2:1");
}

TEST_F(PcpChange, ARateOfTimeIsUtilisation) {
  EXPECT_EQ(change("rate", "secs", "0", "5"), "0.5");
  EXPECT_EQ(change("rate", "ms", "0", "5000"), "0.5");
  EXPECT_EQ(change("rate", "us", "0", "5000000"), "0.5");
  EXPECT_EQ(change("rate", "ns", "0", "5000000000"), "0.49999999999999994");
  EXPECT_EQ(change("rate", "min", "0", "1"), "6");
  EXPECT_EQ(change("rate", "hours", "0", "1"), "360");
}

TEST_F(PcpChange, TwoSamplesOfOneTimeAndTimeThatGoesBack) {
  EXPECT_EQ(change("rate", "cu32", "5", "7", k6, 0), "inf");
  EXPECT_EQ(change("rate", "cu32", "5", "5", k6, 0), "-nan");
  EXPECT_EQ(change("rate", "cu64", "11", "1", k6, -10), "-1.8446744073709553e+18");
  EXPECT_EQ(change("rate", "cu64", "11", "1", k7, -10), "");
  EXPECT_EQ(change("delta", "cu64", "11", "10", k6, -10), "-1");
  EXPECT_EQ(change("rate", "c32", "11", "1", k6, -10), "1");
}

TEST_F(PcpChange, InstancesComeAndGo) {
  Running run(world, "delta(x)");
  EXPECT_EQ(run.at(0, {{"x", "0:0 1:0"}}), "");
  EXPECT_EQ(run.at(1, {{"x", "0:1 1:1"}}), "0:1 1:1");
  EXPECT_EQ(run.at(2, {{"x", "0:2 1:2 2:2 3:2"}}), "0:1 1:1");
  EXPECT_EQ(run.at(3, {{"x", "0:3 1:3 2:3 3:3"}}), "0:1 1:1 2:1 3:1");
  EXPECT_EQ(run.at(4, {{"x", "1:4 3:4"}}), "1:1 3:1");
  EXPECT_EQ(run.at(6, {{"x", "3:7 1:6 4:6"}}), "3:3 1:2");
  EXPECT_EQ(run.at(8, {{"x", "5:1"}}), "");
}

TEST_F(PcpChange, AnEmptySampleIsHistory) {
  Running run(world, "delta(x)");
  EXPECT_EQ(run.at(0, {{"x", "0:0"}}), "");
  EXPECT_EQ(run.at(1, {{"x", "0:5"}}), "0:5");
  EXPECT_EQ(run.at(2, {{"x", ""}}), "");
  EXPECT_EQ(run.at(3, {{"x", "0:9"}}), "");
  EXPECT_EQ(run.at(4, {{"x", "0:10"}}), "0:1");
}

TEST_F(PcpChange, AnErrorIsHistoryAndComesOnceMore) {
  Running run(world, "rate(x)");
  EXPECT_EQ(run.at(0, {{"x", "0:0"}}), "");
  EXPECT_EQ(run.at(1, {{"x", "!-12350"}}), "!-12350");
  EXPECT_EQ(run.at(2, {{"x", "0:9"}}), "!-12350");
  EXPECT_EQ(run.at(3, {{"x", "0:10"}}), "0:1");
  EXPECT_EQ(run.at(4, {{"x", "!-12350"}}), "!-12350");
  EXPECT_EQ(run.at(5, {{"x", ""}}), "!-12350");
  EXPECT_EQ(run.at(6, {{"x", "0:10"}}), "");
}

// Behind an error nothing is visited: what stands there keeps what it had.
TEST_F(PcpChange, WhatIsNotVisitedKeepsItsHistory) {
  Running run(world, "gu32 + delta(cu32)");
  EXPECT_EQ(run.at(0, {{"gu32", "0"}, {"cu32", "1"}}), "");
  EXPECT_EQ(run.at(10, {{"gu32", "!-12350"}, {"cu32", "100"}}), "!-12350");
  EXPECT_EQ(run.at(20, {{"gu32", "0"}, {"cu32", "101"}}), "100");
}

TEST_F(PcpChange, EachUseHasItsOwnHistory) {
  Running run(world, "delta(cu32) - delta(cu32) + delta(cu32) * 0");
  EXPECT_EQ(run.at(0, {{"cu32", "1"}}), "");
  EXPECT_EQ(run.at(1, {{"cu32", "5"}}), "0");
  Running guarded(world, "gu32 ? delta(cu32) : delta(cu32)");
  EXPECT_EQ(guarded.at(0, {{"gu32", "1"}, {"cu32", "1"}}), "");
  EXPECT_EQ(guarded.at(1, {{"gu32", "0"}, {"cu32", "3"}}), "2");
}

TEST_F(PcpChange, OfExpressionsInSeven) {
  Running run(world, "delta(x * 2)", k7);
  EXPECT_EQ(run.at(0, {{"x", "0:1 1:1"}}), "");
  EXPECT_EQ(run.at(1, {{"x", "1:5 0:2"}}), "1:8 0:2");
  Running twice(world, "delta(delta(cu32))", k7);
  EXPECT_EQ(twice.at(0, {{"cu32", "1"}}), "");
  EXPECT_EQ(twice.at(1, {{"cu32", "2"}}), "");
  EXPECT_EQ(twice.at(2, {{"cu32", "5"}}), "2");
  Running number(world, "delta(5)", k7);
  EXPECT_EQ(number.at(0, {}), "");
  EXPECT_EQ(number.at(1, {}), "0");
  world.instance_ids = {{"one", 1}};
  Running one(world, "delta(x[one])", k7);
  EXPECT_EQ(one.at(0, {{"x", "0:1 1:1"}}), "");
  EXPECT_EQ(one.at(1, {{"x", "0:1 1:7"}}), "1:6");
}

TEST_F(PcpChange, ScalarOfARateThatHasNoValueYet) {
  Running run(world, "scalar(rate(x))", k7);
  EXPECT_EQ(run.at(0, {{"x", "0:0"}}), "");
  EXPECT_EQ(run.at(1, {{"x", "0:4"}}), "4");
}

}  // namespace
}  // namespace pmjit::test
