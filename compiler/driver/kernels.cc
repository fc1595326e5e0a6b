#include "compiler/driver/kernels.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "compiler/codegen/load.h"
#include "compiler/interp/interp.h"

namespace pmjit {

namespace {

// Kernels compiled together share the cost of a compiler and a module; the memory of code
// generation grows with them, and so does the time until the first is ready, or until a thread that
// is told to stop does. Either takes some 10 or 30 ms.
constexpr std::array<size_t, kTiers> kKernelsPerBatch = {0, 32, 8};

std::string isa_text(Isa isa) {
  switch (isa) {
    case Isa::native: return "native";
    case Isa::sse42: return "sse4.2";
    case Isa::avx2: return "avx2";
    case Isa::avx512: break;
  }
  return "avx512";
}

using Slots = std::vector<std::shared_ptr<KernelSlot>>;  // one a shape

Slots interpreted(const Choice& choice) {
  Slots out;
  for (const ChosenShape& chosen : choice.shapes) {
    OwnedKernel made = interpret(chosen.shape);
    out.push_back(std::make_shared<KernelSlot>(made.kernel, std::move(made.owner)));
  }
  return out;
}

// What gains most is compiled first. A batch is of one level.
std::vector<Compiling::Batch> batches_of(const Choice& choice, const Slots& slots) {
  const auto gain = [&](size_t i) {
    const ChosenShape& shape = choice.shapes[i];
    return shape.ms[0] - shape.ms[static_cast<size_t>(shape.tier)];
  };
  std::vector<size_t> order(choice.shapes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater{}, gain);
  std::vector<Compiling::Batch> out;
  std::array<size_t, kTiers> open{};
  for (const size_t i : order) {
    const Tier tier = choice.shapes[i].tier;
    if (tier == Tier::interpreter) continue;
    const auto level = static_cast<size_t>(tier);
    size_t& at = open[level];  // counted from 1
    if (at == 0 || out[at - 1].shapes.size() == kKernelsPerBatch[level]) {
      out.push_back({.level = tier == Tier::o0 ? OptLevel::O0 : OptLevel::O2});
      at = out.size();
    }
    out[at - 1].shapes.push_back(choice.shapes[i].shape);
    out[at - 1].slots.push_back(slots[i]);
  }
  return out;
}

// The LLVM IR of a plan that is interpreted, with what it is in its first line.
std::string unused_llvm_ir(const Choice& choice, const CompileOptions& options) {
  const auto module = load_codegen();
  if (!module) return fmt::format("; none: {}\n", module.error().what());
  std::vector<KernelShape> shapes;
  for (const ChosenShape& chosen : choice.shapes) shapes.push_back(chosen.shape);
  const auto made = (*module)->compile(shapes, {.isa = options.isa, .keep_ir = true});
  if (!made) return fmt::format("; none: {}\n", made.error().what());
  return "; would be compiled, were it not interpreted\n" + made->llvm_ir;
}

std::string evaluator_of(const Plan& plan, const Choice& choice, const CompileOptions& options) {
  if (choice.shapes.empty()) {
    return plan.ir.derived.empty() ? "none needed: recorded values only"
                                   : "none needed: derived metrics of a compatible dialect";
  }
  if (options.evaluator == Evaluator::interpreter) return "interpreter (asked for)";
  if (!choice.pays) return "interpreter: too little work to compile for";
  return summary(choice, isa_text(options.isa));
}

// All of it now. Without the module everything runs, only slower. Instructions that the machine
// lacks are a mistake in what was asked.
Result<void> compile_now(PlanKernels& out, const CompileOptions& options) {
  out.compiling->run(options.run_jobs);
  Compiling::Figures figures = out.compiling->figures();
  out.llvm_ir = std::move(figures.llvm_ir);
  if (!figures.error) return {};
  const bool asked = options.evaluator == Evaluator::kernels;
  const bool no_module = !load_codegen();
  if (asked && !no_module) return fail(*figures.error);
  if (asked) out.missing = figures.error->text();
  out.evaluator = "interpreter: " + figures.error->what();
  return {};
}

}  // namespace

Result<PlanKernels> make_kernels(const Plan& plan, const Choice& choice,
                                 const CompileOptions& options) {
  const Slots slots = interpreted(choice);
  PlanKernels out;
  for (const uint32_t shape : choice.shape_of) out.of_steps.push_back(slots[shape]);
  out.evaluator = evaluator_of(plan, choice, options);
  auto batches = batches_of(choice, slots);
  if (!batches.empty()) {
    out.compiling = std::make_shared<Compiling>(
        std::move(batches), CodegenOptions{.isa = options.isa, .keep_ir = options.keep_llvm_ir});
    out.follows = options.kernels_may_follow && options.evaluator != Evaluator::kernels;
    if (!out.follows) {
      if (auto done = compile_now(out, options); !done) return fail(done.error());
    }
  }
  if (options.keep_llvm_ir && out.llvm_ir.empty() && !choice.shapes.empty()) {
    out.llvm_ir = unused_llvm_ir(choice, options);
  }
  return out;
}

}  // namespace pmjit
