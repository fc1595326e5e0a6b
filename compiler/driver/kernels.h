// The kernels of a plan: one a shape, interpreted at once, and what is to be compiled instead.
// Private to compiler/driver.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/driver/adaptive_choice.h"
#include "compiler/driver/compiling.h"
#include "compiler/driver/evaluator_choice.h"

namespace pmjit {

struct PlanKernels {
  std::vector<std::shared_ptr<const KernelSlot>> of_steps;  // lanes and reduce steps, in order
  std::shared_ptr<Compiling> compiling;                     // none: nothing ever will be
  std::shared_ptr<Adapting> adapting;                       // none: nothing else will be
  bool follows = false;                                     // and that not yet
  std::string evaluator;                                    // what --stats and explain say
  std::string missing;  // why there are none although they were asked for
  std::string llvm_ir;
};

// Where CompileOptions::kernels_may_follow, nothing is compiled yet. Without the module of the code
// generator everything is interpreted. Instructions that were asked for and that this machine lacks
// are an error.
Result<PlanKernels> make_kernels(const Plan& plan, Choice choice, const CompileOptions& options);

}  // namespace pmjit
