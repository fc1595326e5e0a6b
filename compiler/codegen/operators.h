// What every operator compiles to: one entry each in operators.cc. The meaning is the interpreter's
// (compiler/interp/operators.cc), bit for bit.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "compiler/codegen/lanes8.h"
#include "compiler/ir/kernel_ops.h"

namespace pmjit::codegen {

// Lane by lane: `in` are op.operands operands.
Lanes8 emit_operator(Emit& e, const KernelOp& op, std::span<const Lanes8> in);

// Reducing: eight rows side by side, lane after lane. The state begins with the first lane of each
// row; rows without lanes, and rows with a lane that is not valid, are the caller's affair.
struct Reducer {
  using State = std::vector<llvm::Value*>;
  std::function<State(llvm::Value* first)> begin;
  std::function<State(const State& state, llvm::Value* next)> step;  // none: elements are not read
  std::function<Partial(const State& state, llvm::Value* lanes)> finish;
  bool of_nothing_is_zero = false;  // else: of no lanes there is no result
};
Reducer reducer(Emit& e, const KernelOp& op);

// Judging: how many lanes of a row must be true for it to be; none: the operator does not judge, it
// is a reducer's.
llvm::Value* needed_lanes(Emit& e, const KernelOp& op, llvm::Value* lanes);

// Integer and real arithmetic and relations of eight lanes. Integers are exact or the lane has no
// result.
enum class Arith : uint8_t { add, sub, mul };
Partial emit_arith(Emit& e, Arith what, const KernelOp& op, llvm::Value* a, llvm::Value* b);
Partial emit_multiply(Emit& e, Elem elem, llvm::Value* a, llvm::Value* b);  // of equal elements
Partial emit_negate(Emit& e, Elem elem, llvm::Value* a);

// Truth values as an i8; `has` is without the lanes where one side is NaN.
enum class Relation : uint8_t { lt, le, eq, ge, gt, ne };
Partial emit_relation(Emit& e, Relation what, const KernelOp& op, llvm::Value* a, llvm::Value* b);

// delta and rate of eight lanes: what a value rose since the row before, with counters that fell.
Partial emit_delta(Emit& e, const KernelOp& op, llvm::Value* now, llvm::Value* before);
// The rise as a real number; not yet by time.
Partial emit_rise(Emit& e, const KernelOp& op, llvm::Value* now, llvm::Value* before);

}  // namespace pmjit::codegen
