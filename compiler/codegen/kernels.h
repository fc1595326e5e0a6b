// One kernel of a spec, written into a module. Both forms run over groups of eight results; the
// last group is computed whole (columns are padded for that) and its validity cut to the count.
#pragma once

#include "compiler/codegen/lanes8.h"
#include "compiler/ir/kernel_spec.h"

namespace pmjit::codegen {

// Chooses by the shape of the spec's operator.
void emit_kernel(llvm::Module& module, const std::string& name, const Ir& ir,
                 const KernelSpec& spec);

void emit_lanes_kernel(Emit& e, llvm::Function& kernel, const Ir& ir, const KernelSpec& spec);
void emit_reduce_kernel(Emit& e, llvm::Function& kernel, const Ir& ir, const KernelSpec& spec);

}  // namespace pmjit::codegen
