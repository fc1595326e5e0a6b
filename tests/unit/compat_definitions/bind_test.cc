// What names become: operands to fetch, what is missing, nested or not described, and how pcp7
// leaves out the arms that a guard decides. Source: spec derived-metrics.md §9.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/compat_definitions/world.h"

namespace pmjit::test {
namespace {

class PcpBind : public testing::Test {
 protected:
  PcpBind() {
    world.metric("a", "u64 counter Kbyte 1.1").metric("b", "u32 instant none");
    world.metric("c", "32 discrete none").metric("s", "string discrete none");
    world.derived("d", "double instant sec 1.2");
    world.undescribed("ghost");
  }
  std::string operands(const std::string& expression, Dialect dialect = k6) {
    const auto tree = bound(world, expression, {.dialect = dialect});
    if (!tree) return tree.error().message;
    std::string out;
    for (const PmId pmid : tree->operands) {
      for (const char* name : {"a", "b", "c", "s", "d"}) {
        if (world.find(name)->pmid == pmid) out += name;
      }
    }
    return out;
  }
  World world;
};

TEST_F(PcpBind, MissingMetricsAreToldOnlyByTheNewer) {
  EXPECT_EQ(said(world, "no.such"), "silent: operand no.such");
  EXPECT_EQ(said(world, "b + no.such"), "silent: operand no.such");
  EXPECT_EQ(said(world, "ghost"), "silent: operand ghost");
  EXPECT_EQ(said(world, "no.such", k7), "operand no.such: Unknown operand metric");
  EXPECT_EQ(said(world, "b + a.b. * no.such", k7), "operand a.b.: Unknown operand metric");
  EXPECT_EQ(said(world, "count(no.such)", k7), "operand no.such: Unknown operand metric");
  EXPECT_EQ(said(world, "ghost", k7), "operand ghost: Metadata for operand metric not available");
}

TEST_F(PcpBind, NestedOnesAreTakenBySixAndRefusedBySeven) {
  EXPECT_EQ(said(world, "d"), "DOUBLE instant sec 1.2");
  EXPECT_EQ(said(world, "d * 2"), "DOUBLE instant sec 1.2");
  EXPECT_EQ(said(world, "d * 2", k7), "operand d: Illegal nested derived metric");
  EXPECT_EQ(said(world, "avg(d)", k7), "operand d: Illegal nested derived metric");
  EXPECT_EQ(said(world, "1 ? b : d", k7), "operand d: Illegal nested derived metric");
  EXPECT_EQ(said(world, "defined(d)", k7), "operand d: Illegal nested derived metric");
  EXPECT_EQ(said(world, "d", k7), "DOUBLE instant sec 1.2");
  EXPECT_EQ(said(world, "mkconst(1, meta=d)", k7), "DOUBLE instant sec 1.2");
  EXPECT_EQ(operands("d"), "");
  EXPECT_EQ(operands("d + b"), "Dimensions are not the same");
  EXPECT_EQ(operands("d * b"), "b");
}

TEST_F(PcpBind, AFetchBringsEachOperandOnce) {
  EXPECT_EQ(operands("b + c * b - 1"), "bc");
  EXPECT_EQ(operands("c + b"), "cb");
  EXPECT_EQ(operands("defined(b)"), "");
  EXPECT_EQ(operands("defined(b) + b"), "b");
  EXPECT_EQ(operands("1 + 2"), "");
  EXPECT_EQ(operands("1 ? b : b + 0", k6), "b");
  EXPECT_EQ(operands("1 ? b : mkconst(1, meta=c)", k7), "b");
  EXPECT_EQ(operands("0 ? b : c", k7), "c");
}

TEST_F(PcpBind, DefinedAsksOnly) {
  EXPECT_EQ(said(world, "defined(no.such)"), "U32 discrete none");
  EXPECT_EQ(said(world, "defined(no.such)", k7), "U32 discrete none");
  EXPECT_EQ(said(world, "defined(b) ? b : b"), "U32 instant none");
  EXPECT_EQ(said(world, "defined(no.such) ? no.such : b"), "silent: operand no.such");
}

TEST_F(PcpBind, AStaticGuardLeavesOneArm) {
  for (const std::string guard :
       {"defined(b)", "1", "!0", "!defined(no.such)", "defined(b) && 2", "0 || 3", "1 || no.such",
        "mkconst(7, type=32)", "(1)", "!(0 && no.such)", "000001"}) {
    EXPECT_EQ(said(world, guard + " ? b : no.such", k7), "U32 instant none") << guard;
    EXPECT_EQ(said(world, guard + " ? no.such : b", k7),
              "operand no.such: Unknown metric for ternary expression")
        << guard;
    EXPECT_EQ(operands(guard + " ? b : c", k7), "b") << guard;
  }
  for (const std::string guard : {"0", "defined(no.such)", "!1", "0 && b", "!defined(b)",
                                  "0 || defined(no.such)", "mkconst(0, type=64)", "000"}) {
    EXPECT_EQ(said(world, guard + " ? no.such : b", k7), "U32 instant none") << guard;
    EXPECT_EQ(operands(guard + " ? b : c", k7), guard == "0 && b" ? "bc" : "c") << guard;
  }
}

TEST_F(PcpBind, OtherGuardsLeaveBoth) {
  for (const std::string guard :
       {"b", "1 > 0", "1.5", "b && 1", "1 + 0", "-1", "0 || b", "mkconst(1.0, type=float)"}) {
    EXPECT_EQ(said(world, guard + " ? no.such : b", k7),
              "operand no.such: Unknown metric for ternary expression")
        << guard;
    EXPECT_EQ(said(world, guard + " ? b : no.such", k7),
              "operand no.such: Unknown metric for ternary expression")
        << guard;
  }
  EXPECT_EQ(said(world, "b ? no.one : no.other", k7),
            "operand no.one: Unknown metric for ternary expression");
  EXPECT_EQ(said(world, "b ? c : rate(no.such) * no.other", k7),
            "operand no.such: Unknown metric for ternary expression");
}

TEST_F(PcpBind, AnArmThatDoesNotCountIsNotChecked) {
  EXPECT_EQ(said(world, "1 ? b : a + s", k7), "U32 instant none");
  EXPECT_EQ(said(world, "0 ? s * 2 : c", k7), "32 discrete none");
  EXPECT_EQ(said(world, "1 ? b : a + s"), "a + s: Illegal operator for counter and non-counter");
  EXPECT_EQ(said(world, "1 ? (0 ? no.such : c) : no.other", k7), "32 discrete none");
  EXPECT_EQ(said(world, "0 ? (b ? no.such : c) : b", k7), "U32 instant none");
  // The arms need not go together.
  EXPECT_EQ(said(world, "1 ? a : c", k7), "U64 counter Kbyte 1.1");
  EXPECT_EQ(said(world, "0 ? a : s", k7), "STRING discrete none");
}

// All of its descriptor is zero.
TEST_F(PcpBind, AGuardThatIsMissing) {
  EXPECT_EQ(said(world, "no.such ? b : b", k7),
            "no.such ? b : b: Non-scalar ternary guard with scalar expressions");
  EXPECT_EQ(said(world, "no.such ? a : a", k7), "U64 counter Kbyte 1.1");
}

TEST_F(PcpBind, ConstantsLikeAMetric) {
  EXPECT_EQ(said(world, "mkconst(1, meta=a)", k7), "U64 counter Kbyte 1.1");
  EXPECT_EQ(said(world, "mkconst(1.5, meta=a)", k7), "U64 counter Kbyte 1.1");
  EXPECT_EQ(said(world, "mkconst(1, type=float, meta=a, units=byte)", k7),
            "FLOAT counter byte 1.1");
  EXPECT_EQ(said(world, "mkconst(1, meta=a, indom=null, semantics=instant)", k7),
            "U64 instant Kbyte");
  EXPECT_EQ(said(world, "mkconst(1, meta=no.such)", k7), "operand no.such: Unknown operand metric");
  EXPECT_EQ(said(world, "mkconst(1, meta=ghost)", k7),
            "operand ghost: Metadata for operand metric not available");
  EXPECT_EQ(said(world, "mkconst(1, indom=60.1)", k7), "U32 discrete none 60.1");
  EXPECT_EQ(said(world, "mkconst(1, type=32, type=64)"), "64 discrete none");
  EXPECT_EQ(said(world, "mkconst(1.5, semantics=instant, units=\"Kbyte/sec\")"),
            "DOUBLE instant Kbyte / sec");
}

TEST_F(PcpBind, NoValue) {
  EXPECT_EQ(said(world, "b ? novalue() : a", k7), "U64 counter Kbyte 1.1");
  EXPECT_EQ(said(world, "b ? a : novalue()", k7), "U64 counter Kbyte 1.1");
  EXPECT_EQ(said(world, "b ? s : novalue(type=float)", k7), "STRING discrete none");
  EXPECT_EQ(said(world, "0 ? a : novalue()", k7), "32 discrete none");
  EXPECT_EQ(
      said(world, "defined(x) ? x : novalue(type=float, semantics=instant, units=\"Kbyte/sec\")",
           k7),
      "FLOAT instant Kbyte / sec");
  EXPECT_EQ(said(world, "0 ? b : novalue(meta=a)", k7), "U64 counter Kbyte 1.1");
}

TEST_F(PcpBind, MissingOnesMayCountAsNoValue) {
  const BindHow how{.dialect = k7, .missing_are_novalue = true};
  EXPECT_EQ(described(bound(world, "no.such", how)->desc()), "32 discrete none");
  EXPECT_EQ(described(bound(world, "no.such + c", how)->desc()), "32 discrete none");
  EXPECT_EQ(bound(world, "no.such + a", how).error().message,
            "Illegal operator for non-counter and counter");
  EXPECT_EQ(bound(world, "no.such + c", how)->operands.size(), 1u);
  EXPECT_EQ(bound(world, "ghost", how).error().message,
            "Metadata for operand metric not available");
  // Not in 6.x.
  EXPECT_FALSE(bound(world, "no.such", {.missing_are_novalue = true}));
}

TEST_F(PcpBind, AMistakeSaysWhereItStands) {
  const auto wrong = bound(world, "1 + (b - s) * 2", {});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().span.begin, 4u);
  EXPECT_EQ(wrong.error().span.end, 11u);
}

}  // namespace
}  // namespace pmjit::test
