// Which evaluator a kernel gets, from the work that is expected of it.
#include "compiler/driver/evaluator_choice.h"

#include "tests/unit/driver/plans.h"

namespace pmjit::tests {
namespace {

CompileOptions expecting(double rows, double lanes) {
  CompileOptions out;
  out.expected.values_most = rows * lanes;
  out.expected.of_metrics = [=](std::span<const PmId> metrics) {
    return std::vector<MetricWork>(metrics.size(), {.rows = rows, .lanes = lanes});
  };
  return out;
}

std::vector<Tier> tiers(const Choice& choice) {
  std::vector<Tier> out;
  for (const ChosenShape& shape : choice.shapes) out.push_back(shape.tier);
  return out;
}

TEST(Choice, StepsOfOneShapeShareAKernel) {
  CompileOptions options = expecting(10, 4);
  options.dumps = true;  // or nobody would ask for so little
  const Choice choice = choose(plan_of(kThree), options);
  ASSERT_EQ(choice.shapes.size(), 4u);  // rate, add, mul, sum
  EXPECT_EQ(choice.shape_of.size(), 7u);
  uint32_t steps = 0;
  for (const ChosenShape& shape : choice.shapes) {
    steps += shape.steps;
    EXPECT_EQ(shape.lanes, shape.steps * 40.0) << shape.text;
  }
  EXPECT_EQ(steps, 7u);
}

TEST(Choice, LittleWorkIsInterpreted) {
  const Choice choice = choose(plan_of(kThree), expecting(1000, 10));
  EXPECT_FALSE(choice.pays);
  EXPECT_EQ(tiers(choice), std::vector<Tier>(4, Tier::interpreter));
}

TEST(Choice, UnknownWorkIsInterpreted) {
  EXPECT_EQ(tiers(choose(plan_of(kThree), {})), std::vector<Tier>(4, Tier::interpreter));
}

TEST(Choice, MuchWorkIsCompiledAndMoreOfItBetter) {
  const Choice some = choose(plan_of(kThree), expecting(15'000, 500));
  EXPECT_TRUE(some.pays);
  for (const ChosenShape& shape : some.shapes) {
    EXPECT_NE(shape.tier, Tier::interpreter) << shape.text;
    if (shape.text == "mul") {
      EXPECT_EQ(shape.tier, Tier::o0);
    }
  }
  const Choice more = choose(plan_of(kThree), expecting(1e6, 500));
  EXPECT_EQ(tiers(more), std::vector<Tier>(4, Tier::o2));
}

TEST(Choice, WhatIsAskedForIsDone) {
  CompileOptions options = expecting(10, 4);
  options.evaluator = EvaluatorChoice::kernels;
  EXPECT_EQ(tiers(choose(plan_of(kThree), options)), std::vector<Tier>(4, Tier::o0));
  options.level = OptLevel::O2;
  EXPECT_EQ(tiers(choose(plan_of(kThree), options)), std::vector<Tier>(4, Tier::o2));
  options = expecting(1e6, 500);
  options.level = OptLevel::O0;
  EXPECT_EQ(tiers(choose(plan_of(kThree), options)), std::vector<Tier>(4, Tier::o0));
  options.evaluator = EvaluatorChoice::interpreter;
  EXPECT_EQ(tiers(choose(plan_of(kThree), options)), std::vector<Tier>(4, Tier::interpreter));
}

TEST(Choice, SaysHowManyKernelsAndSteps) {
  CompileOptions options = expecting(10, 4);
  options.evaluator = EvaluatorChoice::kernels;
  EXPECT_EQ(summary(choose(plan_of(kThree), options), "avx2"),
            "kernels (avx2): 4 in O0 for 7 steps");
}

}  // namespace
}  // namespace pmjit::tests
