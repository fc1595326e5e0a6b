// Every message of the semantic checks, in their order: what is wrong twice is called by the first.
// Source: spec derived-metrics.md §10.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/compat_definitions/world.h"

namespace pmjit::test {
namespace {

class PcpChecks : public testing::Test {
 protected:
  PcpChecks() {
    world.metric("ctr", "u64 counter count").metric("kctr", "u64 counter Kbyte");
    world.metric("gauge", "u64 instant none").metric("kb", "u64 instant Kbyte");
    world.metric("cnt", "u64 instant count").metric("cnt2", "u64 instant count^2");
    world.metric("sec", "u64 instant sec").metric("i32", "32 instant none");
    world.metric("u32kb", "u32 instant Kbyte").metric("text", "string instant none");
    world.metric("sctr", "string counter none").metric("ev", "event discrete none");
    world.metric("set1", "u64 instant none 1.1").metric("set2", "u64 instant none 1.2");
    world.metric("kset1", "u64 instant Kbyte 1.1").metric("kset2", "u64 instant Kbyte 1.2");
    world.metric("mb", "u64 instant Mbyte").metric("ms", "u64 instant millisec");
    world.metric("dc", "u64 discrete none").metric("tset", "string instant none 1.1");
    world.metric("persec", "u64 counter byte/sec").metric("sec2", "u64 counter sec^2");
  }
  void wrong(const std::string& expression, const std::string& what, Dialect dialect = k6) {
    EXPECT_EQ(said(world, expression, dialect), what) << expression;
  }
  World world;
};

TEST_F(PcpChecks, CountersInSumsAndProducts) {
  wrong("ctr * ctr", "ctr * ctr: Illegal operator for counters");
  wrong("ctr / kctr", "ctr / kctr: Illegal operator for counters");
  wrong("ctr + gauge", "ctr + gauge: Illegal operator for counter and non-counter");
  wrong("ctr - 1", "ctr - 1: Illegal operator for counter and non-counter");
  wrong("gauge + ctr", "gauge + ctr: Illegal operator for non-counter and counter");
  wrong("gauge - ctr", "gauge - ctr: Illegal operator for non-counter and counter");
  wrong("gauge / ctr", "gauge / ctr: Illegal operator for non-counter and counter");
  wrong("ctr + ctr", "U64 counter count");
  wrong("ctr / gauge", "DOUBLE counter count");
}

TEST_F(PcpChecks, CountersComeBeforeTypes) {
  wrong("sctr * ctr", "sctr * ctr: Illegal operator for counters");
  wrong("sctr + text", "sctr + text: Illegal operator for counter and non-counter");
  wrong("text / sctr", "text / sctr: Illegal operator for non-counter and counter");
}

TEST_F(PcpChecks, TypesComeBeforeDimensionsTheLeftFirst) {
  wrong("text + ev", "text + ev: Non-arithmetic type for left operand");
  wrong("kb + text", "kb + text: Non-arithmetic type for right operand");
  wrong("text * kset1", "text * kset1: Non-arithmetic type for left operand");
  wrong("kb > ev", "kb > ev: Non-arithmetic type for right operand");
  wrong("ev && kb", "ev && kb: Non-arithmetic type for left operand");
  wrong("sctr == ctr", "sctr == ctr: Non-arithmetic type for left operand");
}

TEST_F(PcpChecks, DimensionsOfSums) {
  wrong("kb + sec", "kb + sec: Dimensions are not the same");
  wrong("kb - gauge", "kb - gauge: Dimensions are not the same");
  wrong("cnt + cnt2", "cnt + cnt2: Dimensions are not the same");
  wrong("gauge + cnt2", "gauge + cnt2: Dimensions are not the same");
  wrong("cnt + gauge", "U64 instant count");
  wrong("gauge + cnt", "U64 instant none");
  wrong("kset1 + set2", "kset1 + set2: Dimensions are not the same");
}

TEST_F(PcpChecks, ACounterMeetsOnlyWhatHasNoDimension) {
  wrong("ctr * kb", "ctr * kb: Non-counter and not dimensionless for right operand");
  wrong("ctr / sec", "ctr / sec: Non-counter and not dimensionless for right operand");
  wrong("kb * ctr", "kb * ctr: Non-counter and not dimensionless for left operand");
  wrong("mkconst(1, units=sec) * ctr",
        "1 * ctr: Non-counter and not dimensionless for left operand");
}

TEST_F(PcpChecks, DomainsAtLast) {
  wrong("set1 + set2", "set1 + set2: Operands should have the same instance domain");
  wrong("kset1 * set2", "kset1 * set2: Operands should have the same instance domain");
  wrong("set1 > set2", "set1 > set2: Operands should have the same instance domain");
  wrong("set1 && set2", "set1 && set2: Operands should have the same instance domain");
  wrong("set1[x] - set2[y]", "<expr> - <expr>: Operands should have the same instance domain");
  wrong("scalar(set1) + scalar(set2)", "U64 instant none");
}

// What was meant for constants is asked of U32.
TEST_F(PcpChecks, RelationsOfU32HaveNoDimensions) {
  wrong("kb > 1", "U32 instant none");
  wrong("kb > 1.5", "kb > 1.5: Dimensions are not the same");
  wrong("u32kb > 1.5", "U32 instant none");
  wrong("u32kb > sec", "U32 instant none");
  wrong("kb > sec", "kb > sec: Dimensions are not the same");
  wrong("cnt == gauge", "U32 instant none");
  wrong("kb > mb", "U32 instant none");
}

TEST_F(PcpChecks, RelationsOfCounters) {
  wrong("ctr > ctr", "U32 counter none");
  wrong("ctr > gauge", "U32 counter none");
  wrong("kctr > kb", "kctr > kb: Non-counter and not dimensionless for right operand");
  wrong("kb > kctr", "kb > kctr: Non-counter and not dimensionless for left operand");
  wrong("kctr > u32kb", "kctr > u32kb: Non-counter and not dimensionless for right operand");
}

TEST_F(PcpChecks, LogicHasNoDimensionsAtAll) {
  wrong("kb && 1", "kb && 1: Dimensions are not the same");
  wrong("1 || cnt", "1 || cnt: Dimensions are not the same");
  wrong("gauge || dc", "U32 instant none");
  wrong("!kb", "U64 instant Kbyte");
}

TEST_F(PcpChecks, Ternaries) {
  wrong("gauge ? i32 : gauge", "i32 : gauge: Different types for ternary operands");
  wrong("gauge ? set1 : set2", "set1 : set2: Different instance domains for ternary operands");
  wrong("gauge ? dc : gauge", "dc : gauge: Different semantics for ternary operands");
  wrong("gauge ? kb : gauge", "kb : gauge: Different units or scale (space) for ternary operands");
  wrong("gauge ? kb : mb", "kb : mb: Different units or scale (space) for ternary operands");
  wrong("gauge ? ms : sec", "ms : sec: Different units or scale (time) for ternary operands");
  wrong("gauge ? cnt : gauge",
        "cnt : gauge: Different units or scale (count) for ternary operands");
  wrong("text ? gauge : gauge", "text ? gauge : gauge: Non-arithmetic operand for ternary guard");
  wrong("set1 ? gauge : gauge + 1",
        "set1 ? gauge : <expr>: Non-scalar ternary guard with scalar expressions");
  wrong("1 ? 2 : 2.5", "2 : 2.5: Different types for ternary operands");
  wrong("gauge > 1 ? -i32 : (i32)[x]", "32 instant none");
}

TEST_F(PcpChecks, TernariesInTheirOrder) {
  wrong("text ? kset1 : i32", "kset1 : i32: Different types for ternary operands");
  wrong("text ? kset1 : set2", "kset1 : set2: Different instance domains for ternary operands");
  wrong("text ? dc : kb", "dc : kb: Different semantics for ternary operands");
  wrong("text ? kb : sec", "kb : sec: Different units or scale (space) for ternary operands");
  wrong("text ? sec : cnt", "sec : cnt: Different units or scale (time) for ternary operands");
  wrong("tset ? gauge : gauge", "tset ? gauge : gauge: Non-arithmetic operand for ternary guard");
}

TEST_F(PcpChecks, Functions) {
  for (const std::string name : {"avg", "max", "min", "sum", "delta", "rate"}) {
    std::string title = name;
    for (char& c : title) c = static_cast<char>(std::toupper(c));
    wrong(name + "(text)", title + "(text): Non-arithmetic operand for function");
    wrong(name + "(ev)", title + "(ev): Non-arithmetic operand for function");
  }
  wrong("rate(persec)", "RATE(persec): Incorrect time dimension for operand");
  wrong("rate(sec2)", "RATE(sec2): Incorrect time dimension for operand");
  wrong("-text", "- text: Non-arithmetic operand for unary negation");
  wrong("-(text)[x]", "- <expr>: Non-arithmetic operand for unary negation");
  wrong("rescale(text, \"Kbyte\")", "text RESCALE Kbyte: Non-arithmetic operand for function");
  wrong("rescale(kb, \"sec\")", "kb RESCALE sec: Incompatible dimensions");
  wrong("rescale(kb, \"\")", "kb RESCALE none: Incompatible dimensions");
  wrong("rescale(kb + kb, \"sec\")", "<expr> RESCALE sec: Incompatible dimensions");
}

TEST_F(PcpChecks, SomeAskNothing) {
  wrong("!text", "STRING instant none");
  wrong("count(text)", "U32 instant count");
  wrong("instant(text)", "STRING instant none");
  wrong("scalar(tset)", "STRING instant none");
  wrong("tset[x]", "STRING instant none 1.1");
  wrong("matchinst(/x/, tset)", "STRING instant none 1.1");
  wrong("defined(text)", "U32 discrete none");
}

TEST_F(PcpChecks, TheFirstMistakeOfTheTextIsTold) {
  wrong("(kb + sec) * (text + 1)", "kb + sec: Dimensions are not the same");
  wrong("(text + 1) * (kb + sec)", "text + 1: Non-arithmetic type for left operand");
  wrong("gauge + mkconst(7, units=Kbyte)", "gauge + 7: Dimensions are not the same");
  wrong("kb + 1.50", "kb + 1.50: Dimensions are not the same");
  wrong("rate(kb + 1)", "kb + 1: Dimensions are not the same", k7);
  wrong("rate(text[x])", "RATE((null)): Non-arithmetic operand for function", k7);
}

}  // namespace
}  // namespace pmjit::test
