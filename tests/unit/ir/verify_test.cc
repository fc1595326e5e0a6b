// What verify() refuses: one small mistake at a time, in a text or where a text cannot say it.
#include <gtest/gtest.h>

#include "compiler/ir/read.h"
#include "compiler/ir/verify.h"

namespace pmjit {
namespace {

struct Refused {
  std::string_view text, complaint;
};

constexpr std::string_view kLeaves = R"(operand a : 1.0.1 type 3 counter count over 1.1
operand b : 1.0.2 type 3 instant over 1.2
operand s : 1.0.3 type 6 instant
%0 = fetch a : u64 counter count over 1.1
%1 = fetch b : u64 instant over 1.2
%2 = constant 0.5 : f64 discrete
%3 = constant true : truth discrete
)";

TEST(IrVerify, RefusesOneMistake) {
  const Refused kRefused[] = {
      {"%4 = add %0 %2 : f64 instant over 1.1", "%4 add: does not take operands of these elements"},
      {"%4 = add %0 %0 : i64 instant over 1.1", "%4 add: the result is u64"},
      {"%4 = add %0 %1 : u64 instant over 1.1", "%4 add: operands have different axes"},
      {"%4 = add %0 %0 : u64 instant", "%4 add: axes are not those of the operands"},
      {"%4 = sum %0 : u64 counter count over 1.1", "%4 sum: axes are not those of the operands"},
      {"%4 = neg %2 : f64 discrete count", "%4 neg: units are not the operand's"},
      {"%4 = lt %2 %2 : truth instant count", "%4 lt: a truth value has no units"},
      {"%4 = scale_up %2 by 0 : f64 instant", "%4 scale_up: factor is not positive"},
      {"%4 = scale_up %2 by inf : f64 instant", "%4 scale_up: factor is not positive"},
      {"%4 = scale_down %2 by nan : f64 instant", "%4 scale_down: divisor is not positive"},
      {"%4 = constant #2 : truth discrete", "%4 constant: truth is 0 or 1"},
      {"%4 = constant #0 : i32 discrete", "%4 constant: constant of a storage element"},
      {"%4 = constant 1 : i64 discrete over 1.1", "%4 constant: constant with an axis"},
      {"%4 = fetch a : i64 counter count over 1.1", "%4 fetch: element is not the metric's"},
      {"%4 = fetch a : u64 instant count over 1.1", "%4 fetch: semantics are not the metric's"},
      {"%4 = fetch a : u64 counter over 1.1", "%4 fetch: units are not the metric's"},
      {"%4 = fetch a : u64 counter count", "%4 fetch: instance domain is not the metric's"},
      {"%4 = and %3 %2 : truth instant", "%4 and: does not take operands of these elements"},
  };
  for (const Refused& refused : kRefused) {
    const auto ir = read_ir(std::string(kLeaves) + std::string(refused.text) + "\nroot %0\n");
    ASSERT_TRUE(ir) << refused.text << ": " << ir.error().text();
    const auto verified = verify(*ir);
    ASSERT_FALSE(verified) << refused.text;
    EXPECT_EQ(verified.error().what(), refused.complaint);
  }
}

Ir small() {
  auto ir = read_ir(std::string(kLeaves) + "%4 = neg %2 : f64 discrete\nroot %4\n");
  EXPECT_TRUE(ir && verify(*ir));
  return std::move(*ir);
}

std::string complaint(const Ir& ir) {
  const auto verified = verify(ir);
  return verified ? "" : verified.error().what();
}

TEST(IrVerify, RefusesWhatNoTextSays) {
  const NodeId neg{{4}};
  Ir ir = small();
  ir.args[0] = neg;
  EXPECT_EQ(complaint(ir), "%4 neg: operand %4 is not an earlier node");
  ir = small();
  ir.nodes[neg].first_arg = 1;
  EXPECT_EQ(complaint(ir), "%4 neg: operands beyond the list of operands");
  ir = small();
  ir.nodes[neg].type_id = TypeId{{99}};
  EXPECT_EQ(complaint(ir), "%4 neg: no such type");
  ir = small();
  ir.nodes[neg].payload = 1;
  EXPECT_EQ(complaint(ir), "%4 neg: payload without meaning");
  ir = small();
  ir.nodes[neg].op = static_cast<Op>(200);
  EXPECT_EQ(complaint(ir), "%4 ?: no such operator");
  ir = small();
  ir.nodes[NodeId{{0}}].payload = 3;
  EXPECT_EQ(complaint(ir), "%0 fetch: no such metric");
  ir = small();
  ir.roots[0] = NodeId{{5}};
  EXPECT_EQ(complaint(ir), "root %5: no such node");
  ir.roots.clear();
  EXPECT_EQ(complaint(ir), "no root");
  ir = small();
  ir.operands[OperandId{{1}}].metric = "a";
  EXPECT_EQ(complaint(ir), "operand a twice");
}

}  // namespace
}  // namespace pmjit
