#include "compiler/driver/kernels.h"

#include <fmt/core.h>

#include "compiler/codegen/load.h"
#include "compiler/driver/kernel_batches.h"
#include "compiler/interp/interp.h"

namespace pmjit {

namespace {

std::string isa_text(Isa isa) {
  switch (isa) {
    case Isa::native: return "native";
    case Isa::sse42: return "sse4.2";
    case Isa::avx2: return "avx2";
    case Isa::avx512: break;
  }
  return "avx512";
}

using Slots = Adapting::Slots;

Slots interpreted(const Choice& choice) {
  Slots out;
  for (const ChosenShape& chosen : choice.shapes) {
    OwnedKernel made = interpret(chosen.shape);
    out.push_back(std::make_shared<KernelSlot>(made.kernel, std::move(made.owner)));
  }
  return out;
}

std::vector<Compiling::Batch> chosen_batches(const Choice& choice, const Slots& slots) {
  std::vector<WantedKernel> wanted;
  for (size_t i = 0; i < slots.size(); ++i) {
    const ChosenShape& chosen = choice.shapes[i];
    if (chosen.tier == Tier::interpreter) continue;
    wanted.push_back({.shape = chosen.shape,
                      .slot = slots[i],
                      .tier = chosen.tier,
                      .gain_ms = chosen.ms[0] - chosen.ms[static_cast<size_t>(chosen.tier)]});
  }
  return batches_of(wanted);
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
  if (options.evaluator == EvaluatorChoice::interpreter) return "interpreter (asked for)";
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
  const bool asked = options.evaluator == EvaluatorChoice::kernels;
  const bool no_module = !load_codegen();
  if (asked && !no_module) return fail(*figures.error);
  if (asked) out.missing = figures.error->text();
  out.evaluator = "interpreter: " + figures.error->what();
  return {};
}

}  // namespace

Result<PlanKernels> make_kernels(const Plan& plan, Choice choice, const CompileOptions& options) {
  Slots slots = interpreted(choice);
  PlanKernels out;
  for (const uint32_t shape : choice.shape_of) out.of_steps.push_back(slots[shape]);
  out.evaluator = evaluator_of(plan, choice, options);
  auto batches = chosen_batches(choice, slots);
  const bool adapts = options.evaluator == EvaluatorChoice::automatic && !slots.empty();
  const bool chosen = !batches.empty();
  if (chosen || adapts) {
    out.compiling = std::make_shared<Compiling>(
        std::move(batches),
        CodegenOptions{
            .isa = options.isa, .keep_ir = options.keep_llvm_ir, .clock = options.clock});
  }
  out.follows =
      chosen && options.kernels_may_follow && options.evaluator != EvaluatorChoice::kernels;
  if (chosen && !out.follows) {
    if (auto done = compile_now(out, options); !done) return fail(done.error());
  }
  if (options.keep_llvm_ir && out.llvm_ir.empty() && !choice.shapes.empty()) {
    out.llvm_ir = unused_llvm_ir(choice, options);
  }
  if (adapts && !out.compiling->failed()) {
    out.adapting = std::make_shared<Adapting>(std::move(choice), std::move(slots),
                                              tier_rule(options), out.compiling);
  }
  return out;
}

}  // namespace pmjit
