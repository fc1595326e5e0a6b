// The meaning of every operator: slow, plain, one case an operator. Kernels of compiler/codegen
// agree with it bit for bit (all NaNs count as one).
#pragma once

#include <memory>
#include <vector>

#include "compiler/ir/kernel_shape.h"
#include "runtime/program/kernel.h"

namespace pmjit {

// A kernel and what it lives on.
struct OwnedKernel {
  Kernel kernel;
  std::shared_ptr<const void> owner;
};

// One for every spec of the shape.
OwnedKernel interpret(const KernelShape& shape);
// `ir` need not outlive the result.
OwnedKernel interpret(const Ir& ir, const KernelSpec& spec);

}  // namespace pmjit
