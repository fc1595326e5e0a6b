// Temperature, voltage, current and power: checks, descriptors and values of 7.2.1, and that 6.0.3
// does not see them. Source: spec derived-metrics.md §10 checks 6 to 10, §11.3.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/compat_definitions/world.h"

namespace pmjit::test {
namespace {

class PcpExtraUnits : public testing::Test {
 protected:
  PcpExtraUnits() {
    world.metric("c", "double instant temperature_(C)").metric("i", "32 instant temperature_(C)");
    world.metric("f", "double instant temperature_(F)").metric("v", "double instant voltage_(V)");
    world.metric("mv", "u32 instant voltage_(mV)").metric("ctr", "u64 counter count");
    world.metric("n", "double instant none").metric("set1", "double instant voltage_(V) 1.1");
    world.metric("set2", "double instant voltage_(mV) 1.2");
  }
  void says(const std::string& expression, const std::string& in_7, const std::string& in_6 = "") {
    EXPECT_EQ(said(world, expression, k7), in_7) << expression;
    if (in_6.empty()) return;
    EXPECT_EQ(said(world, expression, k6), in_6) << expression;
  }
  World world;
};

TEST_F(PcpExtraUnits, SumsAndRelationsWantOneUnitAndScale) {
  says("c + c", "DOUBLE instant temperature (C)", "DOUBLE instant none");
  says("c + f", "c + f: Operands have incompatible extra units or scale", "DOUBLE instant none");
  says("c - v", "c - v: Dimensions are not the same", "DOUBLE instant none");
  says("c + n", "c + n: Dimensions are not the same", "DOUBLE instant none");
  says("c > f", "c > f: Operands have incompatible extra units or scale", "U32 instant none");
  says("c > 1", "U32 instant none", "U32 instant none");
  says("c > 1.5", "c > 1.5: Dimensions are not the same", "U32 instant none");
  says("c > mv", "c > mv: Operands have incompatible extra units or scale", "U32 instant none");
  says("c && n", "c && n: Dimensions are not the same", "U32 instant none");
}

TEST_F(PcpExtraUnits, ProductsHaveOneAndQuotientsMayCancel) {
  says("c * v", "c * v: Extra units not allowed for both operands of *", "DOUBLE instant none");
  says("c * c", "c * c: Extra units not allowed for both operands of *");
  says("c / v", "c / v: Different extra units not allowed for both operands of /");
  says("v / mv", "v / mv: Different extra units not allowed for both operands of /");
  says("v / v", "DOUBLE instant none");
  says("n * mv", "DOUBLE instant voltage (mV)");
  says("2 * v / n", "DOUBLE instant voltage (V)", "DOUBLE instant none");
  says("n / v", "DOUBLE instant / voltage (V)", "DOUBLE instant none");
  says("ctr * v", "ctr * v: Non-counter and not dimensionless for right operand",
       "DOUBLE counter count");
}

TEST_F(PcpExtraUnits, DomainsAfterUnits) {
  says("set1 + set2", "set1 + set2: Operands have incompatible extra units or scale",
       "set1 + set2: Operands should have the same instance domain");
}

TEST_F(PcpExtraUnits, ArmsAndFunctions) {
  says("n > 0.5 ? c : f", "c : f: Different units or scale (extra) for ternary operands",
       "DOUBLE instant none");
  says("n > 0.5 ? c : c", "DOUBLE instant temperature (C)");
  says("rate(c)", "DOUBLE instant temperature (C) / sec", "DOUBLE instant / sec");
  says("count(c)", "U32 instant count");
  says("avg(c)", "FLOAT instant temperature (C)", "FLOAT instant none");
  says("rescale(c, \"count\")", "c RESCALE count: Incompatible dimensions", "DOUBLE instant count");
  says("rescale(c, \"temperature (F)\")", "DOUBLE instant temperature (F)");
}

TEST_F(PcpExtraUnits, TheirWordsAreOf7) {
  const std::string constant = "mkconst(1, units=\"power (kW)\")";
  EXPECT_EQ(said(world, constant, k7), "U32 discrete power (kW)");
  bool in_pattern = false;
  const auto refused = pcp::parse(constant, k6, in_pattern);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "Illegal units: 'unrecognized or duplicate base unit'");
  EXPECT_EQ(said(world, "mkconst(1, meta=c)", k7), "DOUBLE instant temperature (C)");
}

TEST_F(PcpExtraUnits, Values) {
  EXPECT_EQ(value_of(world, "rescale(c, \"temperature (F)\")", {{"c", "37"}}, k7),
            "98.599999999999994");
  EXPECT_EQ(value_of(world, "rescale(i, \"temperature (F)\")", {{"i", "-40"}}, k7), "-40");
  EXPECT_EQ(value_of(world, "rescale(i, \"temperature (F)\")", {{"i", "37"}}, k7), "99");
  EXPECT_EQ(value_of(world, "rescale(v, \"voltage (uV)\")", {{"v", "1.5"}}, k7), "1500000");
  EXPECT_EQ(value_of(world, "rescale(mv, \"voltage (V)\")", {{"mv", "1500"}}, k7), "2");
}

}  // namespace
}  // namespace pmjit::test
