// Lanes8: eight lanes of one operand or result while a kernel is being written, and the few moves
// between their forms that every operator needs.
//
// Numbers are one <8 x T> vector. Truth values and validity are 8 bits of an i8, lane 0 the lowest:
// logic is then plain bit arithmetic for eight lanes at once, and a byte of validity is a byte of
// the bitmap. What stands in a lane that is not valid is never read, so nothing here masks values.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <array>

#include "compiler/ir/ir.h"

namespace pmjit::codegen {

inline constexpr unsigned kLanes = 8;

struct Lanes8 {
  llvm::Value* value = nullptr;  // <8 x T>, or i8 where truth
  llvm::Value* valid = nullptr;  // i8
};

// The result of an operation that not every lane has.
struct Partial {
  llvm::Value* value = nullptr;
  llvm::Value* has = nullptr;  // i8
};

class Emit {
 public:
  explicit Emit(llvm::IRBuilder<>& builder) : b(builder) {}

  llvm::IRBuilder<>& b;

  llvm::Type* scalar(Elem elem) const;  // as it lies in memory
  llvm::Type* vector(Elem elem) const;  // <8 x scalar>
  llvm::Type* vector(llvm::Type* of) const;

  llvm::Value* i64(uint64_t value) const { return b.getInt64(value); }
  llvm::Value* splat_i64(uint64_t value) const;
  llvm::Value* splat_f64(double value) const;
  llvm::Value* splat_bits(Elem elem, uint64_t bits) const;  // of i64, u64 or f64

  llvm::Value* none() const { return b.getInt8(0); }
  llvm::Value* all() const { return b.getInt8(0xff); }
  llvm::Value* both(llvm::Value* x, llvm::Value* y) const;  // masks; nothing where one is all()
  llvm::Value* mask(llvm::Value* bools) const;              // <8 x i1> → i8
  llvm::Value* bools(llvm::Value* mask) const;              // i8 → <8 x i1>

  // Between memory's form and ours: only truth differs.
  llvm::Value* from_memory(Elem elem, llvm::Value* loaded) const;
  llvm::Value* to_memory(Elem elem, llvm::Value* value) const;
};

// Eight rows of eight lanes each, turned: out[k] has lane k of each of the rows.
using Square = std::array<llvm::Value*, kLanes>;  // vectors of one type
Square transposed(Emit& e, const Square& rows);

}  // namespace pmjit::codegen
