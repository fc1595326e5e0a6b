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

}  // namespace pmjit::codegen
