// The meaning of every operator: slow, plain, one case an operator. Kernels of compiler/codegen
// agree with it bit for bit (all NaNs count as one).
#pragma once

#include <memory>
#include <vector>

#include "compiler/ir/kernel_shape.h"
#include "compiler/ir/kernel_spec.h"
#include "runtime/program/kernel.h"
#include "runtime/program/program.h"

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

// Which operand of an element-wise kernel, or which of its operators, is to blame for a lane
// without a value: the first unknown operand, in the order of the text (spec dialects.md §4.2).

// `ir` need not outlive the result.
std::shared_ptr<const Blame> make_blame(const Ir& ir, const KernelSpec& spec);

}  // namespace pmjit
