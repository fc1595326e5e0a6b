// The interpreter against a table made by hand from the language's definition: the cases where a
// plausible implementation goes wrong. Kernels are held to the interpreter elsewhere; this is what
// holds the interpreter.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compiler/interp/interp.h"
#include "tests/unit/evaluators/builder.h"
#include "tests/unit/evaluators/subject.h"

namespace pmjit::tests {
namespace {

constexpr int64_t kMin = INT64_MIN, kMax = INT64_MAX;
constexpr uint64_t kTop = UINT64_MAX, kHalf = uint64_t{1} << 63;
constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

// A value of any element, or none: i(-1), u(1), d(0.5), t(true), gone(Elem::i64).
struct Val {
  Elem elem;
  std::optional<uint64_t> bits;
};
Val i(int64_t v) { return {Elem::i64, bits_of(v)}; }
Val u(uint64_t v) { return {Elem::u64, v}; }
Val d(double v) { return {Elem::f64, bits_of(v)}; }
Val t(bool v) { return {Elem::truth, v}; }
Val i32(int32_t v) { return {Elem::i32, static_cast<uint32_t>(v)}; }
Val u32(uint32_t v) { return {Elem::u32, v}; }
Val f32(float v) { return {Elem::f32, std::bit_cast<uint32_t>(v)}; }
Val gone(Elem elem) { return {elem, std::nullopt}; }

struct Options {
  Semantics semantics = Semantics::instant;
  uint64_t payload = 0;
};

// One operator on one lane; for past operators: now, before and the seconds.
std::optional<uint64_t> eval(Op op, std::vector<Val> in, Options options = {}) {
  Builder b;
  const bool past = info(op).shape == Shape::past;
  std::vector<NodeId> args;
  for (size_t k = 0; k < info(op).arity; ++k) args.push_back(b.leaf(in[k].elem, options.semantics));
  const NodeId node = b.add(op, args, options.payload);
  Subject subject{.spec = {.nodes = {node}, .inputs = {}, .constants = {}}};
  Data data{.rows = 1, .lanes = 1, .inputs = {}, .no_bitmap = {}, .args = {}};
  for (const NodeId arg : args) {
    subject.spec.inputs.push_back({KernelInput::Kind::now, arg, b.ir.type_of(arg).elem});
  }
  if (past) add_past_inputs(b.ir, node, subject.spec);
  for (const Val& val : in) {
    data.inputs.push_back({{val.bits.value_or(0x55), val.bits.has_value()}});
    data.no_bitmap.push_back(false);
  }
  const OwnedKernel kernel = interpret(b.ir, subject.spec);
  Bench bench(b.ir, subject, data);
  const RunResult result = bench.run(kernel.kernel);
  EXPECT_EQ(result.problem, "");
  return result.outcome.at(0);
}

// One row.
std::optional<uint64_t> reduce(Op op, Elem elem, std::vector<Val> row) {
  Builder b;
  const NodeId leaf = b.leaf(elem);
  const NodeId node = b.add(op, {leaf});
  Subject subject{.spec = {.nodes = {node}, .inputs = {}, .constants = {}}};
  add_input(b.ir, leaf, subject.spec);
  Data data{.rows = 1, .lanes = row.size(), .inputs = {{}}, .no_bitmap = {false}, .args = {}};
  for (const Val& val : row)
    data.inputs[0].push_back({val.bits.value_or(0x55), val.bits.has_value()});
  Bench bench(b.ir, subject, data);
  const OwnedKernel kernel = interpret(b.ir, subject.spec);
  return bench.run(kernel.kernel).outcome.at(0);
}

constexpr std::nullopt_t kAbsent = std::nullopt;
std::optional<uint64_t> is(Val v) { return v.bits; }

TEST(Meaning, IntegersAreExactOrAbsent) {
  EXPECT_EQ(eval(Op::add, {i(kMax), i(0)}), is(i(kMax)));
  EXPECT_EQ(eval(Op::add, {i(kMax), i(1)}), kAbsent);
  EXPECT_EQ(eval(Op::add, {i(kMin), i(-1)}), kAbsent);
  EXPECT_EQ(eval(Op::add, {u(kTop), u(1)}), kAbsent);
  EXPECT_EQ(eval(Op::add, {i(kMin), u(kTop)}), is(i(kMax)));
  EXPECT_EQ(eval(Op::add, {u(kHalf), i(-1)}), is(i(kMax)));
  EXPECT_EQ(eval(Op::add, {u(kHalf), i(0)}), kAbsent);
  EXPECT_EQ(eval(Op::sub, {u(3), u(5)}), is(i(-2)));
  EXPECT_EQ(eval(Op::sub, {u(0), u(kHalf)}), is(i(kMin)));
  EXPECT_EQ(eval(Op::sub, {u(0), u(kHalf + 1)}), kAbsent);
  EXPECT_EQ(eval(Op::sub, {u(kTop), u(kHalf)}), is(i(kMax)));
  EXPECT_EQ(eval(Op::sub, {u(kTop), u(0)}), kAbsent);
  EXPECT_EQ(eval(Op::sub, {i(-1), u(kMax)}), is(i(kMin)));
  EXPECT_EQ(eval(Op::sub, {u(kTop), i(-1)}), kAbsent);
  EXPECT_EQ(eval(Op::mul, {i(kMin), i(-1)}), kAbsent);
  EXPECT_EQ(eval(Op::mul, {i(-2), u(uint64_t{1} << 62)}), is(i(kMin)));
  EXPECT_EQ(eval(Op::mul, {u(uint64_t{1} << 62), u(3)}), is(u(uint64_t{3} << 62)));
  EXPECT_EQ(eval(Op::mul, {u(uint64_t{1} << 32), u(uint64_t{1} << 32)}), kAbsent);
  EXPECT_EQ(eval(Op::neg, {i(kMin)}), kAbsent);
  EXPECT_EQ(eval(Op::neg, {u(kHalf)}), is(i(kMin)));
  EXPECT_EQ(eval(Op::neg, {u(kHalf + 1)}), kAbsent);
  EXPECT_EQ(eval(Op::scale_up, {i(kMax / 1024 + 1)}, {.payload = 1024}), kAbsent);
}

TEST(Meaning, RealsAreIeee) {
  EXPECT_EQ(eval(Op::div, {d(1), d(0)}), is(d(kInf)));
  EXPECT_EQ(eval(Op::div, {d(-1), d(0)}), is(d(-kInf)));
  EXPECT_EQ(eval(Op::div, {d(0), d(0)}), is(d(kNan)));
  EXPECT_EQ(eval(Op::div_or_0, {d(1), d(0)}), is(d(kInf)));
  EXPECT_EQ(eval(Op::div_or_0, {d(-0.0), d(0)}), is(d(0)));
  EXPECT_EQ(eval(Op::div_or_0, {d(0), d(kNan)}), is(d(0)));
  EXPECT_EQ(eval(Op::div_or_0, {d(kNan), d(2)}), is(d(kNan)));
  EXPECT_EQ(eval(Op::neg, {d(0)}), is(d(-0.0)));
  EXPECT_EQ(eval(Op::add, {d(0.1), d(0.2)}), is(d(0.30000000000000004)));
  EXPECT_EQ(eval(Op::to_f64, {i((int64_t{1} << 53) + 1)}), is(d(9007199254740992.0)));
  EXPECT_EQ(eval(Op::to_f64, {u(kHalf + 1024)}), is(d(9223372036854775808.0)));
  EXPECT_EQ(eval(Op::to_f64, {u(kHalf + 1025)}), is(d(9223372036854777856.0)));
  EXPECT_EQ(eval(Op::to_f64, {u(kTop)}), is(d(18446744073709551616.0)));
  EXPECT_EQ(eval(Op::to_f64, {f32(0.1F)}), is(d(0.10000000149011612)));
  EXPECT_EQ(eval(Op::to_i64, {u32(UINT32_MAX)}), is(i(UINT32_MAX)));
  EXPECT_EQ(eval(Op::to_i64, {i32(-1)}), is(i(-1)));
}

TEST(Meaning, RelationsCompareNumbersNotBits) {
  EXPECT_EQ(eval(Op::lt, {i(-2), u(1)}), is(t(true)));
  EXPECT_EQ(eval(Op::gt, {u(kTop), i(-1)}), is(t(true)));
  EXPECT_EQ(eval(Op::eq, {i(-1), u(kTop)}), is(t(false)));
  EXPECT_EQ(eval(Op::ne, {u(kTop), i(-1)}), is(t(true)));
  EXPECT_EQ(eval(Op::eq, {d(0), d(-0.0)}), is(t(true)));
}

TEST(Meaning, NanStandsInNoRelation) {
  for (const Op op : {Op::lt, Op::le, Op::eq, Op::ge, Op::gt, Op::ne}) {
    EXPECT_EQ(eval(op, {d(kNan), d(1)}), kAbsent) << info(op).name;
    EXPECT_EQ(eval(op, {d(1), d(kNan)}), kAbsent) << info(op).name;
    EXPECT_EQ(eval(op, {d(kNan), d(kNan)}), kAbsent) << info(op).name;
    EXPECT_TRUE(eval(op, {d(kInf), d(kInf)})) << info(op).name;
  }
}

TEST(Meaning, LogicIsKleenes) {
  const Val F = t(false), T = t(true), U = gone(Elem::truth);
  const Val all[] = {F, U, T};
  // Rows: the left operand is F, U, T; columns: the right one.
  const std::optional<uint64_t> no = 0, yes = 1, unknown;
  const std::optional<uint64_t> conjunction[3][3] = {
      {no, no, no}, {no, unknown, unknown}, {no, unknown, yes}};
  const std::optional<uint64_t> disjunction[3][3] = {
      {no, unknown, yes}, {unknown, unknown, yes}, {yes, yes, yes}};
  for (size_t a = 0; a < 3; ++a) {
    for (size_t b = 0; b < 3; ++b) {
      EXPECT_EQ(eval(Op::and_, {all[a], all[b]}), conjunction[a][b]) << a << b;
      EXPECT_EQ(eval(Op::or_, {all[a], all[b]}), disjunction[a][b]) << a << b;
    }
  }
  EXPECT_EQ(eval(Op::not_, {T}), no);
  EXPECT_EQ(eval(Op::not_, {U}), unknown);
}

TEST(Meaning, PickNeedsOnlyThePickedArm) {
  EXPECT_EQ(eval(Op::pick, {t(true), i(5), gone(Elem::i64)}), is(i(5)));
  EXPECT_EQ(eval(Op::pick, {t(false), i(5), gone(Elem::i64)}), kAbsent);
  EXPECT_EQ(eval(Op::pick, {t(false), gone(Elem::f64), d(2)}), is(d(2)));
  EXPECT_EQ(eval(Op::pick, {gone(Elem::truth), i(5), i(5)}), kAbsent);
  EXPECT_EQ(eval(Op::pick, {t(false), t(false), t(true)}), is(t(true)));
}

TEST(Meaning, CountersThatFallAreResetUnlessTheyWrap) {
  const Options counter{.semantics = Semantics::counter};
  const Options wraps{.semantics = Semantics::counter, .payload = 1};
  EXPECT_EQ(eval(Op::delta, {u32(5), u32(10)}), is(i(-5)));
  EXPECT_EQ(eval(Op::delta, {u32(5), u32(10)}, counter), kAbsent);
  EXPECT_EQ(eval(Op::delta, {u32(5), u32(UINT32_MAX)}, wraps), is(i(6)));
  EXPECT_EQ(eval(Op::delta, {i32(INT32_MIN), i32(INT32_MAX)}, wraps), is(i(1)));
  EXPECT_EQ(eval(Op::delta, {u(5), u(kTop)}, wraps), is(i(6)));
  EXPECT_EQ(eval(Op::delta, {u(0), u(1)}, wraps), kAbsent);  // 2^64 - 1 is no int64
  EXPECT_EQ(eval(Op::delta, {i(kMin), i(kMax)}, wraps), is(i(1)));
  EXPECT_EQ(eval(Op::delta, {u(kTop), u(0)}, counter), kAbsent);
  EXPECT_EQ(eval(Op::delta, {i(kMax), i(kMin)}), kAbsent);
  EXPECT_EQ(eval(Op::delta, {d(1), d(2)}, wraps), kAbsent);
  EXPECT_EQ(eval(Op::delta, {d(1), d(2)}), is(d(-1)));
  EXPECT_EQ(eval(Op::delta, {d(kNan), d(2)}, counter), is(d(kNan)));
}

TEST(Meaning, RateIsTheExactDifferenceByTime) {
  const Options counter{.semantics = Semantics::counter};
  const Options wraps{.semantics = Semantics::counter, .payload = 1};
  EXPECT_EQ(eval(Op::rate, {u(kTop), u(kTop - 10), d(4)}, counter), is(d(2.5)));
  EXPECT_EQ(eval(Op::rate, {u(kTop), u(0), d(1)}, counter), is(d(18446744073709551616.0)));
  EXPECT_EQ(eval(Op::rate, {i(kMin), i(kMax), d(2)}), is(d(-9223372036854775808.0)));
  EXPECT_EQ(eval(Op::rate, {u(0), u(1), d(1)}, wraps), is(d(18446744073709551616.0)));
  EXPECT_EQ(eval(Op::rate, {u32(0), u32(UINT32_MAX), d(0.5)}, wraps), is(d(2)));
  // No time passed (spec dialects.md, row 122).
  EXPECT_EQ(eval(Op::rate, {u(5), u(4), d(0)}, counter), kAbsent);
  EXPECT_EQ(eval(Op::rate, {u(5), u(4), d(-0.0)}, counter), kAbsent);
  EXPECT_EQ(eval(Op::rate, {u(3), u(4), d(1)}, counter), kAbsent);
  EXPECT_EQ(eval(Op::rate, {u(5), gone(Elem::u64), d(1)}, counter), kAbsent);
}

TEST(Meaning, ReductionsNeedEveryElement) {
  EXPECT_EQ(reduce(Op::sum, Elem::i64, {i(kMax), i(1), i(-1)}), is(i(kMax)));
  EXPECT_EQ(reduce(Op::sum, Elem::i64, {i(kMax), i(1)}), kAbsent);
  EXPECT_EQ(reduce(Op::sum, Elem::u64, {u(kTop), u(1)}), kAbsent);
  EXPECT_EQ(reduce(Op::sum, Elem::f64, {d(-0.0)}), is(d(-0.0)));
  EXPECT_EQ(reduce(Op::sum, Elem::f64, {d(1e16), d(1), d(1), d(-1e16)}), is(d(0)));
  EXPECT_EQ(reduce(Op::sum, Elem::f64, {d(1), gone(Elem::f64)}), kAbsent);
  EXPECT_EQ(reduce(Op::sum, Elem::f64, {}), kAbsent);
  EXPECT_EQ(reduce(Op::min, Elem::i64, {}), kAbsent);
  EXPECT_EQ(reduce(Op::max, Elem::f64, {d(1), d(kNan), d(2)}), is(d(kNan)));
  EXPECT_EQ(reduce(Op::min, Elem::f64, {d(0), d(-0.0)}), is(d(0)));
  EXPECT_EQ(reduce(Op::max, Elem::u64, {u(1), u(kHalf), u(2)}), is(u(kHalf)));
  EXPECT_EQ(reduce(Op::count, Elem::truth, {t(true), t(false), t(true)}), is(i(2)));
  EXPECT_EQ(reduce(Op::count, Elem::truth, {t(true), gone(Elem::truth)}), kAbsent);
  EXPECT_EQ(reduce(Op::count, Elem::u32, {u32(0), u32(0)}), is(i(2)));
  EXPECT_EQ(reduce(Op::count, Elem::f64, {}), is(i(0)));
}

}  // namespace
}  // namespace pmjit::tests
