// Body: what an interpreted kernel is, and one tile of its work: every operator in turn over some
// consecutive lanes. Private to compiler/interp.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/interp/call.h"
#include "compiler/ir/kernel_shape.h"
#include "runtime/program/kernel.h"

namespace pmjit::interp {

using Body = KernelShape;

// Room for one tile of every intermediate result and of every constant, repeated. It is
// used again: most calls are of a few hundred lanes.
class Workspace {
 public:
  // Before the tiles of a call, of `tile` lanes each at most, a multiple of 64.
  void prepare(const Body& body, const KernelFrame& frame, size_t tile);

  uint64_t* values(size_t index) { return values_.data() + index * tile_; }
  uint64_t* valid(size_t index) { return valid_.data() + index * bits::words_for(tile_); }
  LaneValues constant(size_t k) { return {values(constants_ + k), nullptr}; }

 private:
  size_t tile_ = 0;
  std::vector<uint64_t> values_, valid_;
  size_t constants_ = 0;  // of them stand behind the results
};

// Operator i over lanes [first, first+count) as it is called: where its operands are and where its
// result goes, the last one's into the frame. `first` is a multiple of 64.
Call call_of(const Body& body, const KernelFrame& frame, Workspace& room, size_t i, size_t first,
             size_t count);
void run_tile(const Body& body, const KernelFrame& frame, Workspace& room, size_t first,
              size_t count);
// The one operator of a reducing body over its one operand, all rows.
void run_rows(const Body& body, const KernelFrame& frame);

}  // namespace pmjit::interp
