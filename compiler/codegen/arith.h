// Integer and real arithmetic and relations of eight lanes. Integers are exact or the lane has no
// result.
#pragma once

#include "compiler/codegen/operators.h"

namespace pmjit::codegen {

enum class Arith : uint8_t { add, sub, mul };
Partial emit_arith(Emit& e, Arith what, const KernelOp& op, llvm::Value* a, llvm::Value* b);
Partial emit_multiply(Emit& e, Elem elem, llvm::Value* a, llvm::Value* b);  // of equal elements
Partial emit_negate(Emit& e, Elem elem, llvm::Value* a);

// Truth values as an i8; `has` is without the lanes where one side is NaN.
enum class Relation : uint8_t { lt, le, eq, ge, gt, ne };
Partial emit_relation(Emit& e, Relation what, const KernelOp& op, llvm::Value* a, llvm::Value* b);

}  // namespace pmjit::codegen
