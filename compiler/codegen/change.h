// delta and rate of eight lanes: what a value rose since the row before, with counters that fell.
#pragma once

#include "compiler/codegen/operators.h"

namespace pmjit::codegen {

Partial emit_delta(Emit& e, const KernelOp& op, llvm::Value* now, llvm::Value* before);
// The rise as a real number; not yet by time.
Partial emit_rise(Emit& e, const KernelOp& op, llvm::Value* now, llvm::Value* before);

}  // namespace pmjit::codegen
