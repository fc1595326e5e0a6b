#include "compiler/driver/kernels.h"

#include <fmt/core.h>

#include "compiler/codegen/load.h"
#include "compiler/interp/interp.h"

namespace pmjit {

namespace {

// Loading LLVM and compiling a first kernel take about 45 ms; the interpreter needs about 1.5 ns a
// unit of cost and lane more than a kernel. Below this many the interpreter is done sooner.
constexpr double kWorthCompiling = 30e6;

std::string_view isa_text(Isa isa) {
  switch (isa) {
    case Isa::native: return "native";
    case Isa::sse42: return "sse4.2";
    case Isa::avx2: return "avx2";
    case Isa::avx512: break;
  }
  return "avx512";
}

std::vector<KernelSpec> specs_of(const Plan& plan) {
  std::vector<KernelSpec> out;
  for (const PlanStep& step : plan.steps) {
    if (step.kind == StepKind::lanes || step.kind == StepKind::reduce) out.push_back(step.spec);
  }
  return out;
}

double work_of(const Plan& plan, double values_per_metric) {
  double cost = 0;
  for (const PlanStep& step : plan.steps) {
    if (step.kind == StepKind::lanes || step.kind == StepKind::reduce) cost += step.cost;
  }
  return cost * values_per_metric;
}

ChosenKernels interpreted(const Plan& plan, const std::vector<KernelSpec>& specs,
                          std::string evaluator) {
  ChosenKernels out;
  out.evaluator = std::move(evaluator);
  for (const KernelSpec& spec : specs) {
    OwnedKernel made = interpret(plan.ir, spec);
    out.kernels.push_back(made.kernel);
    out.owners.push_back(std::move(made.owner));
  }
  return out;
}

Result<ChosenKernels> compiled(const CodegenModule& module, const Plan& plan,
                               const std::vector<KernelSpec>& specs,
                               const CompileOptions& options) {
  auto made = module.compile(
      plan.ir, specs,
      CodegenOptions{.level = options.level, .isa = options.isa, .keep_ir = options.keep_llvm_ir});
  if (!made) return fail(made.error());
  ChosenKernels out;
  out.kernels = std::move(made->kernels);
  out.owners.push_back(std::move(made->owner));
  out.codegen_ms = made->compile_ms;
  out.llvm_ir = std::move(made->llvm_ir);
  out.evaluator = fmt::format("kernels ({}, {})", isa_text(options.isa),
                              options.level == OptLevel::O0 ? "O0" : "O2");
  return out;
}

Result<ChosenKernels> choose(const Plan& plan, const std::vector<KernelSpec>& specs,
                             const CompileOptions& options) {
  const bool ask = options.evaluator == Evaluator::kernels;
  const bool pays = work_of(plan, options.values_per_metric) > kWorthCompiling;
  if (specs.empty()) {
    const bool derived = !plan.ir.derived.empty();
    return interpreted(plan, specs,
                       derived ? "none needed: derived metrics of a compatible dialect"
                               : "none needed: recorded values only");
  }
  if (options.evaluator == Evaluator::interpreter) {
    return interpreted(plan, specs, "interpreter (asked for)");
  }
  if (!ask && !pays) return interpreted(plan, specs, "interpreter: too little work to compile for");
  // Without the module everything runs, only slower. Instructions that the machine lacks are a
  // mistake in what was asked.
  const auto module = load_codegen();
  if (!module) {
    ChosenKernels instead = interpreted(plan, specs, "interpreter: " + module.error().what());
    if (ask) instead.missing = module.error().text();
    return instead;
  }
  auto kernels = compiled(**module, plan, specs, options);
  if (kernels || ask) return kernels;
  return interpreted(plan, specs, "interpreter: " + kernels.error().what());
}

// The LLVM IR of a plan that is interpreted, with what it is in its first line.
std::string unused_llvm_ir(const Plan& plan, const std::vector<KernelSpec>& specs,
                           const CompileOptions& options) {
  const auto module = load_codegen();
  if (!module) return fmt::format("; none: {}\n", module.error().what());
  auto made = compiled(**module, plan, specs, options);
  if (!made) return fmt::format("; none: {}\n", made.error().what());
  return "; would be compiled, were it not interpreted\n" + made->llvm_ir;
}

}  // namespace

Result<ChosenKernels> choose_kernels(const Plan& plan, const CompileOptions& options) {
  const std::vector<KernelSpec> specs = specs_of(plan);
  auto out = choose(plan, specs, options);
  if (out && options.keep_llvm_ir && out->llvm_ir.empty() && !specs.empty()) {
    out->llvm_ir = unused_llvm_ir(plan, specs, options);
  }
  return out;
}

}  // namespace pmjit
