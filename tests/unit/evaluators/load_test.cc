// The module's door: what it refuses, what it says, and that code outlives everything but its
// owner.
#include <gtest/gtest.h>

#include "compiler/codegen/load.h"
#include "tests/unit/evaluators/builder.h"
#include "tests/unit/evaluators/duel.h"

namespace pmjit::tests {
namespace {

struct Doubled {
  Doubled() {
    const NodeId leaf = builder.leaf(Elem::f64);
    node = builder.add(Op::add, {leaf, leaf});
    builder.root(node);
    spec.nodes = {node};
    add_input(builder.ir, leaf, spec);
    shape = shape_of(builder.ir, spec);
  }
  Builder builder;
  NodeId node;
  KernelSpec spec;
  KernelShape shape;
};

TEST(Codegen, KeepsIrWhereAsked) {
  const SystemClock clock;
  const auto module = load_codegen();
  ASSERT_TRUE(module) << module.error().text();
  const Doubled doubled;
  const auto kept = (*module)->compile({&doubled.shape, 1}, {.keep_ir = true, .clock = &clock});
  ASSERT_TRUE(kept) << kept.error().text();
  EXPECT_NE(kept->llvm_ir.find("fadd <8 x double>"), std::string::npos) << kept->llvm_ir;
  EXPECT_EQ(kept->llvm_ir.find("call"), std::string::npos) << kept->llvm_ir;
  EXPECT_GT(kept->compile_ms, 0);
  EXPECT_TRUE(kept->kernels.at(0).compiled);
}

TEST(Codegen, ManyBatchesLiveSideBySide) {
  const auto module = load_codegen();
  ASSERT_TRUE(module) << module.error().text();
  std::vector<CompiledKernels> batches;
  for (int i = 0; i < 5; ++i) {
    const Doubled doubled;
    auto batch = (*module)->compile({&doubled.shape, 1}, {});
    ASSERT_TRUE(batch) << batch.error().text();
    batches.push_back(std::move(*batch));
  }
  batches.erase(batches.begin() + 1, batches.begin() + 4);
  for (const CompiledKernels& batch : batches) {
    const double in[16] = {1.5};
    double out[16] = {};
    uint64_t valid = 0;
    const void* ins[] = {in};
    const uint64_t* valids[] = {nullptr};
    const KernelFrame frame{ins, valids, nullptr, 1, 1, out, &valid};
    batch.kernels[0].fn(nullptr, &frame);
    EXPECT_EQ(out[0], 3.0);
    EXPECT_EQ(valid, 1u);
  }
}

TEST(Codegen, ShapesBeyondAModuleAllCompile) {
  const auto module = load_codegen();
  ASSERT_TRUE(module) << module.error().text();
  const Doubled doubled;
  const std::vector<KernelShape> shapes(70, doubled.shape);
  const auto compiled = (*module)->compile(shapes, {});
  ASSERT_TRUE(compiled) << compiled.error().text();
  EXPECT_EQ(compiled->kernels.size(), shapes.size());
}

}  // namespace
}  // namespace pmjit::tests
