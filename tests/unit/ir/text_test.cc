// The text form: it is what the header promises, it reads back to the same, and what it cannot read
// has a place.
#include <gtest/gtest.h>

#include "compiler/ir/print.h"
#include "compiler/ir/read.h"
#include "compiler/ir/verify.h"

namespace pmjit {
namespace {

constexpr std::string_view kEverything =
    R"(operand disk.dev.read : 60.0.4 type 3 counter count over 60.1
operand "odd name\x22" : #80000400 type 5 instant
derived "my.rate" pcp6 "rate(disk.dev.read) + 1" disk.dev.read "odd name\x22"
%0 = fetch disk.dev.read : u64 counter count over 60.1
%1 = rate %0 wrap : f64 instant count / sec over 60.1
%2 = constant 0.5 : f64 discrete
%3 = gt %1 %2 : truth instant over 60.1
%4 = select "sda \x5c 1" %0 : u64 counter count
%5 = delta %4 : i64 instant count
%6 = scale_up %5 by 1000 : i64 instant
%7 = fetch "odd name\x22" : f64 instant
%8 = scale_down %7 by 1.5 : f64 instant
%9 = constant true : truth discrete
%10 = and %3 %9 : truth instant over 60.1
%11 = count %10 : i64 instant
%12 = constant -9223372036854775808 : i64 discrete
%13 = constant 18446744073709551615 : u64 discrete
%14 = constant -inf : f64 discrete
%15 = constant nan : f64 discrete
%16 = constant #7ff8000000000001 : f64 discrete
%17 = constant 5e-324 : f64 discrete Kbyte / sec
%18 = constant -0 : f64 discrete
%19 = constant 1 : f64 discrete #3000
%20 = derived "my.rate" : f64 instant count / sec over 60.1
root %11
root %8
)";

TEST(IrText, ReadsBackToTheSame) {
  const auto ir = read_ir(kEverything);
  ASSERT_TRUE(ir) << ir.error().text();
  EXPECT_EQ(print(*ir), kEverything);
  const auto verified = verify(*ir);
  EXPECT_TRUE(verified) << verified.error().text();
  EXPECT_EQ(ir->nodes.size(), 21u);
  EXPECT_EQ(ir->roots.size(), 2u);
  EXPECT_EQ(ir->texts.at(0), "sda \\ 1");
  EXPECT_EQ(ir->operands[OperandId{{1}}].metric, "odd name\"");
  EXPECT_EQ(ir->operands[OperandId{{1}}].desc.pmid, 0x80000400u);
}

TEST(IrText, AxesOfEveryKind) {
  Ir ir;
  Type type{
      .elem = Elem::i64, .semantics = Semantics::instant, .units = {}, .axes = {3, 0x8f000001, 7}};
  ir.add({.op = Op::constant, .type_id = ir.intern(type), .payload = 4}, {});
  ir.roots.push_back(NodeId{{0}});
  const std::string text = print(ir);
  EXPECT_EQ(text, "%0 = constant 4 : i64 instant over #8f000001 hosts 3 window 7\nroot %0\n");
  const auto again = read_ir(text);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->type_of(NodeId{{0}}), type);
}

// Every unit there is, printable or not.
TEST(IrText, UnitsAreExact) {
  for (int space = -2; space <= 2; ++space) {
    for (int time = -2; time <= 2; ++time) {
      for (int scale = 0; scale <= 3; ++scale) {
        Ir ir;
        Type type{.elem = Elem::f64};
        type.units.dim_space = static_cast<int8_t>(space);
        type.units.dim_time = static_cast<int8_t>(time);
        type.units.scale_space = static_cast<uint8_t>(scale);
        type.units.scale_time = static_cast<uint8_t>(scale);
        type.units.scale_count = static_cast<int8_t>(scale - 2);
        type.units.dim_count = static_cast<int8_t>(scale % 2);
        ir.add({.op = Op::constant, .type_id = ir.intern(type)}, {});
        const auto again = read_ir(print(ir));
        ASSERT_TRUE(again) << print(ir) << again.error().text();
        EXPECT_EQ(again->type_of(NodeId{{0}}), type) << print(ir);
      }
    }
  }
}

struct Broken {
  std::string_view text, place, expected;
};

TEST(IrText, WhatIsWrongHasAPlace) {
  const Broken kBroken[] = {
      {"%1 = constant 1 : i64 discrete", "line 1, column 1", "`%0 = `"},
      {"%0 = nonsense 1 : i64 discrete", "line 1, column 14", "an operator"},
      {"%0 = constant x : i64 discrete", "line 1, column 31", "a constant of i64, not `x`"},
      {"%0 = constant 1 : i65 discrete", "line 1, column 22", "an element type"},
      {"%0 = constant 1 : i64 often", "line 1, column 28", "counter, instant or discrete"},
      {"%0 = constant 1 : i64 instant furlong", "line 1, column 38", "units"},
      {"%0 = constant 1 : i64 instant over 1.2.3", "line 1, column 39", "the end of the line"},
      {"\n\n%0 = neg %0 : i64 instant", "line 3, column 12", "the number of an earlier node"},
      {"%0 = fetch a.b : i64 instant", "line 1, column 15", "a metric of an `operand` line"},
      {"operand a : 1.2.3 type 1 instant\noperand a : 1.2.3 type 1 instant", "line 2, column 10",
       "a metric not named before"},
      {"operand \"a : 1.2.3 type 1 instant", "line 1, column 9", "a metric name"},
      {"operand a : 512.0.0 type 1 instant", "line 1, column 16", "an identifier"},
      {"derived a pcp6", "line 1, column 15", "` `"},
      {"derived a pcp6 \"1\" b", "line 1, column 21", "a metric of an `operand` line"},
      {"%0 = derived a : f64 instant", "line 1, column 15", "a name of a `derived` line"},
      {"root %0", "line 1, column 8", "the number of an earlier node"},
      {"what", "line 1, column 1", "`operand`, `derived`, `%N =` or `root`"},
  };
  for (const Broken& broken : kBroken) {
    const auto ir = read_ir(broken.text);
    ASSERT_FALSE(ir) << broken.text;
    EXPECT_EQ(ir.error().place(), broken.place) << broken.text;
    EXPECT_EQ(ir.error().what(), "expected " + std::string(broken.expected)) << broken.text;
  }
}

TEST(IrText, EveryPrefixIsReadOrRefused) {
  for (size_t size = 0; size <= kEverything.size(); ++size) {
    const auto ir = read_ir(kEverything.substr(0, size));
    EXPECT_TRUE(ir || !ir.error().what().empty());
  }
}

}  // namespace
}  // namespace pmjit
