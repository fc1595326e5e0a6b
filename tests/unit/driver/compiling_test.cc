// Kernels that take their slots while somebody runs them, and what is compiled by several threads.
#include "compiler/driver/compiling.h"

#include <thread>

#include "compiler/codegen/load.h"
#include "compiler/driver/kernels.h"
#include "tests/unit/driver/plans.h"

namespace pmjit::tests {
namespace {

struct Made {
  explicit Made(CompileOptions options) {
    const Plan plan = plan_of(kThree);
    options.evaluator = EvaluatorChoice::automatic;
    Choice choice = choose(plan, options);
    for (ChosenShape& shape : choice.shapes) shape.tier = Tier::o0;
    auto made = make_kernels(plan, choice, options);
    EXPECT_TRUE(made) << made.error().text();
    kernels = *std::move(made);
  }
  const KernelSlot& last() const { return *kernels.of_steps.back(); }  // a sum
  PlanKernels kernels;
};

TEST(Compiling, KernelsThatFollowTakeTheirSlotsWhileTheyAreRun) {
  if (!load_codegen()) GTEST_SKIP() << "no code generation in this build";
  const Made made({.kernels_may_follow = true});
  ASSERT_TRUE(made.kernels.follows);
  EXPECT_FALSE(made.last().now().compiled);
  std::jthread compiling([&] {
    while (made.kernels.compiling->compile_next()) {
    }
  });
  while (!made.last().now().compiled) ASSERT_EQ(sum_by(made.last().now()), 8.0);
  EXPECT_EQ(sum_by(made.last().now()), 8.0);
  compiling.join();
  const Compiling::Figures figures = made.kernels.compiling->figures();
  EXPECT_EQ(figures.kernels, 4u);
  EXPECT_GT(figures.code_bytes, 0u);
}

TEST(Compiling, ABatchACall) {
  if (!load_codegen()) GTEST_SKIP() << "no code generation in this build";
  const Made made({.kernels_may_follow = true});
  Compiling& compiling = *made.kernels.compiling;
  EXPECT_EQ(compiling.figures().kernels, 0u);
  EXPECT_TRUE(compiling.waits());
  EXPECT_TRUE(compiling.compile_next());
  EXPECT_EQ(compiling.figures().kernels, 4u);
  EXPECT_FALSE(compiling.waits());
  EXPECT_FALSE(compiling.compile_next());
}

TEST(Compiling, BatchesGoToWhoeverRunsJobs) {
  if (!load_codegen()) GTEST_SKIP() << "no code generation in this build";
  const Plan plan = plan_of(kThree);
  const KernelShape shape = shape_of(plan.ir, plan.steps.back().spec);
  const Choice choice = choose(plan, {});
  std::vector<Compiling::Batch> batches;
  std::vector<std::shared_ptr<KernelSlot>> slots;
  for (int i = 0; i < 6; ++i) {
    slots.push_back(std::make_shared<KernelSlot>(Kernel{}, nullptr));
    batches.push_back({.level = OptLevel::O0, .shapes = {shape}, .slots = {slots.back()}});
  }
  Compiling compiling(std::move(batches), {});
  size_t jobs_seen = 0;
  compiling.run([&](std::span<const std::function<void()>> jobs) {
    jobs_seen = jobs.size();
    std::vector<std::jthread> threads;
    for (const auto& job : jobs) threads.emplace_back(job);
  });
  EXPECT_EQ(jobs_seen, 6u);
  for (const auto& slot : slots) EXPECT_EQ(sum_by(slot->now()), 8.0);
}

}  // namespace
}  // namespace pmjit::tests
