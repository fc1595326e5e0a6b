// Which evaluator runs a plan, and the kernels of it. The choice is made from the work: values to
// come times the cost of the operators (ops.def) against what compiling takes. Private to
// compiler/driver.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/driver/driver.h"
#include "compiler/plan/plan.h"

namespace pmjit {

struct ChosenKernels {
  std::vector<Kernel> kernels;  // one a lanes or reduce step, in order
  std::vector<std::shared_ptr<const void>> owners;
  std::string evaluator;  // what --stats and explain say
  std::string missing;    // why there are none although they were asked for
  double codegen_ms = 0;
  std::string llvm_ir;
};

// Without the module of the code generator everything is interpreted. Instructions that were asked
// for and that this machine lacks are an error.
Result<ChosenKernels> choose_kernels(const Plan& plan, const CompileOptions& options);

}  // namespace pmjit
