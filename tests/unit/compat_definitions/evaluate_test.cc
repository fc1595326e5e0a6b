// Leaves, numbers, functions and ternaries over fetches. Source: spec derived-metrics.md §12–§14.
#include <gtest/gtest.h>

#include <string>

#include "runtime/model/pm_codes.h"
#include "tests/unit/compat_definitions/world.h"

namespace pmjit::test {
namespace {

class PcpEvaluate : public testing::Test {
 protected:
  PcpEvaluate() {
    world.metric("x", "32 instant none 1.1").metric("y", "32 instant none 1.1");
    world.metric("g", "32 instant none 1.1").metric("s", "32 instant none");
    world.metric("t", "32 instant none").metric("text", "string instant none 1.1");
    world.metric("f", "float instant none 1.1").metric("u64", "u64 instant none 1.1");
    world.metric("kb", "u32 instant Kbyte 1.1").metric("dkb", "double instant Kbyte");
    world.metric("n", "u32 instant count");
    world.derived("d", "u32 instant none");
  }
  std::string of(const std::string& expression, const std::string& x,
                 const std::string& name = "x") {
    return value_of(world, expression, {{name, x}});
  }
  World world;
};

TEST_F(PcpEvaluate, ALeafIsItsValueSet) {
  EXPECT_EQ(of("x", "3:1 1:-5"), "3:1 1:-5");
  EXPECT_EQ(of("x", ""), "");
  EXPECT_EQ(of("x", "!-12350"), "!-12350");
  EXPECT_EQ(value_of(world, "x", {}), "");  // nobody fetched it
  EXPECT_EQ(of("text", "1:one 2:two", "text"), "1:one 2:two");
  EXPECT_EQ(value_of(world, "d", {}), "");
  EXPECT_EQ(value_of(world, "d + 1", {}), "");
  EXPECT_EQ(value_of(world, "count(d)", {}), "0");
}

TEST_F(PcpEvaluate, AValueInAnotherFormatIsABadRecord) {
  Running run(world, "u64");
  const PmId pmid = run.tree().operands.at(0);
  const FetchedSet set{.pmid = pmid,
                       .count = 1,
                       .format = ValueFormat::in_place,
                       .values = {{.instance = 1, .word = 7}}};
  pcp::PcpEvaluation evaluation(std::make_shared<pcp::PcpTree>(run.tree()));
  EXPECT_EQ(evaluation.run({.stamp = {}, .sets = {&set, 1}, .domains = world}).count,
            pm_err::E_LOGREC);
}

TEST_F(PcpEvaluate, Numbers) {
  EXPECT_EQ(value_of(world, "007"), "7");
  EXPECT_EQ(value_of(world, "4294967295"), "4294967295");
  EXPECT_EQ(value_of(world, "."), "0");
  EXPECT_EQ(value_of(world, ".25"), "0.25");
  EXPECT_EQ(value_of(world, "mkconst(4294967295, type=32)"), "-1");
  EXPECT_EQ(value_of(world, "mkconst(4294967295, type=64)"), "4294967295");
  EXPECT_EQ(value_of(world, "mkconst(16777217, type=float)"), "1.67772e+07");
  EXPECT_EQ(value_of(world, "mkconst(1.5, meta=x, indom=null)", {}, k7), "1");
}

TEST_F(PcpEvaluate, NumbersOverADomainAreReadAgainEachTime) {
  Running run(world, "mkconst(7, indom=1.1)", k7);
  world.all_instances = std::vector<int32_t>{3, 1, 2};
  EXPECT_EQ(run.at(0, {}), "3:7 1:7 2:7");
  world.all_instances = std::vector<int32_t>{4};
  EXPECT_EQ(run.at(1, {}), "4:7");
  world.all_instances = pm_fail(pm_err::E_INDOM_LOG);
  EXPECT_EQ(run.at(2, {}), "!" + std::to_string(pm_err::E_INDOM_LOG));
  world.all_instances = std::vector<int32_t>{};
  EXPECT_EQ(run.at(3, {}), "");
  world.all_instances = std::vector<int32_t>{1, 2};
  EXPECT_EQ(value_of(world, "x + mkconst(1, type=32, indom=1.1)", {{"x", "2:5 9:9"}}, k7), "2:6");
}

TEST_F(PcpEvaluate, Aggregates) {
  EXPECT_EQ(of("avg(x)", "1:1 2:2"), "1.5");
  EXPECT_EQ(of("sum(x)", "1:2147483647 2:1"), "-2147483648");
  EXPECT_EQ(of("max(x)", "1:-5 2:-3 3:-9"), "-3");
  EXPECT_EQ(of("min(x)", "1:-5 2:-3 3:-9"), "-9");
  EXPECT_EQ(of("count(x)", "1:-5 2:-3 3:-9"), "3");
  EXPECT_EQ(of("scalar(x)", "9:4 1:5"), "4");
  EXPECT_EQ(of("instant(x)", "9:4 1:5"), "9:4 1:5");
  EXPECT_EQ(of("avg(u64)", "1:18446744073709551615", "u64"), "1.84467e+19");
  EXPECT_EQ(of("sum(u64)", "1:18446744073709551615 2:2", "u64"), "1");
  EXPECT_EQ(of("max(u64)", "1:18446744073709551615 2:2", "u64"), "18446744073709551615");
  // In single precision, one after the other.
  EXPECT_EQ(of("sum(f)", "1:16777216 2:1 3:1", "f"), "1.67772e+07");
  EXPECT_EQ(of("max(f)", "1:1 2:nan 3:2", "f"), "2");
  EXPECT_EQ(of("scalar(text)", "5:five 6:six", "text"), "five");
}

TEST_F(PcpEvaluate, AggregatesOfNothing) {
  EXPECT_EQ(of("avg(x)", ""), "0");
  EXPECT_EQ(of("sum(x)", ""), "0");
  EXPECT_EQ(of("count(x)", ""), "0");
  EXPECT_EQ(of("max(x)", ""), "");
  EXPECT_EQ(of("min(x)", ""), "");
  EXPECT_EQ(of("scalar(x)", ""), "");
  Running run(world, "max(x)");
  EXPECT_EQ(run.at(0, {{"x", "1:5"}}), "5");
  EXPECT_EQ(run.at(1, {{"x", ""}}), "");
}

TEST_F(PcpEvaluate, CountTakesAnErrorForNone) {
  EXPECT_EQ(of("count(x)", "!-12350"), "0");
  EXPECT_EQ(of("avg(x)", "!-12350"), "!-12350");
  Running run(world, "count(x) + sum(y)");
  EXPECT_EQ(run.at(0, {{"x", "1:1 2:1"}, {"y", "1:10"}}), "12");
  EXPECT_EQ(run.at(1, {{"x", "!-12350"}, {"y", "1:10"}}), "10");
  EXPECT_EQ(run.at(2, {{"x", "1:1 2:1"}, {"y", "!-12351"}}), "!-12351");
  EXPECT_EQ(run.at(3, {{"x", "1:1 2:1"}, {"y", "1:10"}}), "12");
}

TEST_F(PcpEvaluate, DefinedIsConstant) {
  EXPECT_EQ(value_of(world, "defined(x)"), "1");
  EXPECT_EQ(value_of(world, "defined(no.such)"), "0");
  EXPECT_EQ(value_of(world, "defined(d)"), "1");
}

class PcpTernary : public PcpEvaluate {
 protected:
  std::string pick(const std::string& expression, const std::string& g, const std::string& x,
                   const std::string& y, Dialect dialect = Dialect::pcp6) {
    return value_of(world, expression, {{"g", g}, {"x", x}, {"y", y}, {"s", "7"}, {"t", "8"}},
                    dialect);
  }
};

TEST_F(PcpTernary, ASingularGuardDecidesOnce) {
  EXPECT_EQ(pick("s ? x : y", "", "1:1 2:2", "1:10 2:20"), "1:1 2:2");
  EXPECT_EQ(pick("s - 7 ? x : y", "", "1:1 2:2", "1:10 2:20"), "1:10 2:20");
  EXPECT_EQ(pick("s ? t : 1 - t", "", "", ""), "unbound: Different types for ternary operands");
  EXPECT_EQ(pick("s > 7 ? s : t", "", "", ""), "8");
}

TEST_F(PcpTernary, ValuesArePickedByPosition) {
  EXPECT_EQ(pick("g ? x : y", "5:1 6:0", "1:1 2:2", "3:30 4:40"), "1:1 2:40");
  EXPECT_EQ(pick("g ? x : s", "5:1 6:0", "1:1 2:2", ""), "1:1 2:7");
  EXPECT_EQ(pick("g ? s : x", "5:1 6:0", "1:1 2:2", ""), "1:7 2:2");
}

TEST_F(PcpTernary, BeyondTheGuardItsLastDecisionStays) {
  EXPECT_EQ(pick("g ? x : y", "5:0 6:1", "1:1 2:2 3:3", "1:10 2:20 3:30"), "1:10 2:2 3:3");
  EXPECT_EQ(pick("g ? x : y", "5:1 6:0", "1:1 2:2 3:3", "1:10 2:20 3:30"), "1:1 2:20 3:30");
}

// The instances are the left arm's, and nothing is read beyond them (defect 3); a shorter other arm
// gives its first value.
TEST_F(PcpTernary, ArmsOfDifferentLength) {
  EXPECT_EQ(pick("g ? x : y", "5:1 6:1 7:1", "1:1", "1:10 2:20 3:30"), "1:1");
  EXPECT_EQ(pick("g ? x : y", "5:1 6:0 7:0", "1:1 2:2 3:3", "1:10 2:20"), "1:1 2:20 3:10");
  EXPECT_EQ(pick("g ? s : y", "5:0 6:0 7:1", "", "1:10 2:20 3:30"), "1:10 2:20 3:7");
}

TEST_F(PcpTernary, WhatHasNoValuesEmptiesAll) {
  EXPECT_EQ(pick("g ? x : y", "", "1:1", "1:10"), "");
  EXPECT_EQ(pick("g ? x : y", "1:1", "1:1", ""), "");
  EXPECT_EQ(pick("g ? x : y", "1:0", "", "1:10"), "");
  EXPECT_EQ(pick("g ? x : y", "!-12350", "1:1", "1:10"), "!-12350");
  EXPECT_EQ(pick("g ? x : y", "1:1", "1:1", "!-12350"), "!-12350");
}

TEST_F(PcpTernary, NoValueLeavesHoles) {
  EXPECT_EQ(pick("g ? x : novalue()", "1:1 2:0 3:1", "1:1 2:2 3:3", "", k7), "1:1 3:3");
  EXPECT_EQ(pick("g ? novalue() : x", "1:1 2:0 3:1", "1:1 2:2 3:3", "", k7), "2:2");
  EXPECT_EQ(pick("g ? x : novalue()", "1:0", "1:1 2:2", "", k7), "");
  EXPECT_EQ(pick("s ? t : novalue()", "", "", "", k7), "8");
  EXPECT_EQ(pick("s ? novalue() : t", "", "", "", k7), "");
  EXPECT_EQ(pick("s - 7 ? novalue() : t", "", "", "", k7), "8");
}

TEST_F(PcpTernary, AStaticGuardPassesItsArmOn) {
  EXPECT_EQ(pick("1 ? x : no.such", "", "3:1 1:2", "!-12350", k7), "3:1 1:2");
  EXPECT_EQ(pick("1 ? x : y", "", "3:1 1:2", "!-12350", k7), "3:1 1:2");
  EXPECT_EQ(pick("0 ? x : novalue()", "", "3:1 1:2", "", k7), "");
  EXPECT_EQ(pick("defined(no.such) ? no.such : novalue(type=float)", "", "", "", k7), "");
  EXPECT_EQ(pick("1 ? x : y", "", "3:1 1:2", "!-12350"), "!-12350");
}

}  // namespace
}  // namespace pmjit::test
