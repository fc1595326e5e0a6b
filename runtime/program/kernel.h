// The C struct shared by generated code and host: all that the two know of each other.
//
// A kernel computes one value a lane from dense operands. Everything about rosters, joins, time and
// history is settled before it runs (runtime/exec): operands of other rosters have been gathered,
// singular ones repeated, the previous row of a lane and the seconds since it are operands like any
// other. An interpreted kernel (compiler/interp) and a compiled one (compiler/codegen) take the
// same frame and leave the same bits.
//
//   element-wise:  lane i of the result from lane i of every operand, 0 ≤ i < rows × lanes
//   reducing:      one result a row from the `lanes` values of that row of the one operand
#pragma once

#include <stddef.h>
#include <stdint.h>

struct PmjitKernelFrame {
  const void* const* in;         // an operand's first value; 64 bytes beyond the last may be read
  const uint64_t* const* valid;  // a bitmap an operand, bit 0 is the first value; null: all valid
  const uint64_t* args;          // constants: bits of an int64, uint64 or double each
  uint64_t rows, lanes;          // element-wise kernels use the product alone
  void* out;                     // 64 bytes beyond the last value may be written
  uint64_t* out_valid;           // words_for(results) words, tail bits zero
};

namespace pmjit {

using KernelFrame = PmjitKernelFrame;

// fn(self, frame): `self` is the interpreter's body and unused by compiled code.
struct Kernel {
  void (*fn)(const void* self, const KernelFrame* frame) = nullptr;
  const void* self = nullptr;
  bool compiled = false;
};

}  // namespace pmjit
