// The choice of an evaluator made again while a program runs: what has much work is compiled after
// all, what has little is not.
#include "compiler/driver/adaptive_choice.h"

#include "compiler/codegen/load.h"
#include "compiler/driver/kernels.h"
#include "tests/unit/driver/plans.h"

namespace pmjit::tests {
namespace {

constexpr uint64_t kLittle = 1'000, kMuch = 200'000'000;

// Kernels of the plan of three sums, of whose work nothing is expected unless that is said.
PlanKernels made_of(const CompileOptions& options) {
  const Plan plan = plan_of(kThree);
  auto made = make_kernels(plan, choose(plan, options), options);
  EXPECT_TRUE(made) << made.error().text();
  return *std::move(made);
}

// What a run of so many lanes a step is to the kernels; the result of the last, a sum.
double run(const PlanKernels& made, uint64_t lanes) {
  for (const auto& slot : made.of_steps) slot->count(lanes);
  made.adapting->look();
  while (made.compiling->compile_next()) {
  }
  return sum_by(made.of_steps.back()->now());
}

size_t compiled(const PlanKernels& made) {
  size_t out = 0;
  for (const auto& slot : made.of_steps) out += slot->now().compiled ? 1 : 0;
  return out;
}

TEST(Adapting, LittleWorkIsInterpretedHoweverOftenItIsLookedAt) {
  const PlanKernels made = made_of({});
  for (int blocks = 0; blocks < 1'000; ++blocks) EXPECT_EQ(run(made, kLittle), 8.0);
  EXPECT_EQ(compiled(made), 0u);
  EXPECT_EQ(made.compiling->figures().ms, 0.0);
}

TEST(Adapting, KernelsTakeOverWhereMoreComesThanWasExpected) {
  if (!load_codegen()) GTEST_SKIP() << "no code generation in this build";
  const PlanKernels made = made_of({});
  EXPECT_EQ(made.evaluator, "interpreter: too little work to compile for");
  EXPECT_EQ(run(made, kLittle), 8.0);
  EXPECT_EQ(compiled(made), 0u);
  EXPECT_EQ(run(made, kMuch), 8.0);
  EXPECT_EQ(compiled(made), made.of_steps.size());
  const Compiling::Figures once = made.compiling->figures();
  EXPECT_EQ(once.kernels, 4u);
  EXPECT_EQ(once.adapted, 4u);
  EXPECT_EQ(run(made, kLittle), 8.0);
  EXPECT_EQ(made.compiling->figures().adapted, 4u);  // there is nothing left to do
}

// What opening the compiler costs is shared by all that gain by it.
TEST(Adapting, OneShapeAloneOpensTheCompilerLaterThanFour) {
  if (!load_codegen()) GTEST_SKIP() << "no code generation in this build";
  const auto steps_of_work = [](bool all) {
    const PlanKernels made = made_of({});
    size_t steps = 0;
    for (; compiled(made) == 0 && steps < 1'000; ++steps) {
      if (!all) made.of_steps.back()->count(kMuch / 100);
      run(made, all ? kMuch / 100 : 0);
    }
    return steps;
  };
  const size_t four = steps_of_work(true);
  EXPECT_GT(four, 1u);
  EXPECT_GT(steps_of_work(false), 2 * four);
}

TEST(Adapting, QuicklySelectedCodeGivesWayToBetterCode) {
  if (!load_codegen()) GTEST_SKIP() << "no code generation in this build";
  CompileOptions options;
  options.expected.values_most = 7.5e6;
  options.expected.of_metrics = [](std::span<const PmId> metrics) {
    return std::vector<MetricWork>(metrics.size(), {.rows = 15'000, .lanes = 500});
  };
  const PlanKernels made = made_of(options);
  const Compiling::Figures before = made.compiling->figures();
  EXPECT_EQ(before.kernels, 4u);
  EXPECT_EQ(before.adapted, 0u);
  EXPECT_EQ(run(made, kLittle), 8.0);
  EXPECT_EQ(made.compiling->figures().adapted, 0u);
  EXPECT_EQ(run(made, kMuch), 8.0);
  EXPECT_GT(made.compiling->figures().adapted, 0u);
  EXPECT_EQ(made.compiling->figures().kernels, 4u);
}

TEST(Adapting, NothingIsAdaptedWhereAnEvaluatorIsAskedFor) {
  EXPECT_EQ(made_of({.evaluator = EvaluatorChoice::interpreter}).compiling, nullptr);
  EXPECT_EQ(made_of({.evaluator = EvaluatorChoice::interpreter}).adapting, nullptr);
  EXPECT_EQ(made_of({.evaluator = EvaluatorChoice::kernels}).adapting, nullptr);
}

TEST(Adapting, ALevelThatIsAskedForIsKept) {
  if (!load_codegen()) GTEST_SKIP() << "no code generation in this build";
  const PlanKernels made = made_of({.level = OptLevel::O0});
  EXPECT_EQ(run(made, kMuch), 8.0);
  const size_t adapted = made.compiling->figures().adapted;
  EXPECT_EQ(adapted, 4u);
  EXPECT_EQ(run(made, kMuch), 8.0);
  EXPECT_EQ(made.compiling->figures().adapted, adapted);
}

}  // namespace
}  // namespace pmjit::tests
