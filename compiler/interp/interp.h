// The meaning of every operator: slow, plain, one case an operator. Kernels of compiler/codegen
// agree with it bit for bit (all NaNs count as one).
#pragma once

#include <memory>
#include <vector>

#include "compiler/ir/kernel_spec.h"
#include "runtime/program/kernel.h"

namespace pmjit {

// A kernel and what it lives on.
struct OwnedKernel {
  Kernel kernel;
  std::shared_ptr<const void> owner;
};

// `ir` need not outlive the result.
OwnedKernel interpret(const Ir& ir, const KernelSpec& spec);

}  // namespace pmjit
