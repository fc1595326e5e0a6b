// One kernel of a shape, written into a module. Both forms run over groups of eight results; the
// last group is computed whole (columns are padded for that) and its validity cut to the count.
#pragma once

#include "compiler/codegen/lanes8.h"
#include "compiler/ir/kernel_shape.h"

namespace pmjit::codegen {

// The one of both forms that the shape is of.
void emit_kernel(llvm::Module& module, const std::string& name, const KernelShape& shape);

void emit_lanes_kernel(Emit& e, llvm::Function& kernel, const KernelShape& shape);
void emit_reduce_kernel(Emit& e, llvm::Function& kernel, const KernelShape& shape);

}  // namespace pmjit::codegen
