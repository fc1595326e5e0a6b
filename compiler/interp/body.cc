#include "compiler/interp/body.h"

#include <algorithm>
#include <cstring>

namespace pmjit::interp {

namespace {

LaneValues input_from(const Body& body, const KernelFrame& frame, size_t k, size_t first) {
  const auto* values = static_cast<const std::byte*>(frame.in[k]);
  const uint64_t* valid = frame.valid[k];
  return {values + first * elem_bytes(body.inputs[k]),
          valid == nullptr ? nullptr : valid + first / 64};
}

}  // namespace

void Workspace::prepare(const Body& body, const KernelFrame& frame, size_t tile) {
  tile_ = tile;
  constants_ = body.ops.size();
  const size_t values_needed = (body.ops.size() + body.constants.size()) * tile;
  const size_t words_needed = body.ops.size() * bits::words_for(tile);
  if (values_.size() < values_needed) values_.resize(values_needed);
  if (valid_.size() < words_needed) valid_.resize(words_needed);
  const size_t lanes = std::min<size_t>(tile, frame.rows * frame.lanes);
  for (size_t k = 0; k < body.constants.size(); ++k) {
    uint64_t* at = values(constants_ + k);
    if (body.constants[k] == Elem::truth) {
      std::memset(at, static_cast<int>(frame.args[k] & 1), lanes);
    } else {
      std::fill_n(at, lanes, frame.args[k]);
    }
  }
}

Call call_of(const Body& body, const KernelFrame& frame, Workspace& room, size_t i, size_t first,
             size_t count) {
  const KernelOp& op = body.ops[i];
  const bool last = i + 1 == body.ops.size();
  void* out = room.values(i);
  if (last) out = static_cast<std::byte*>(frame.out) + first * elem_bytes(op.result);
  Call call{op, {}, count, 1, out, last ? frame.out_valid + first / 64 : room.valid(i)};
  for (size_t k = 0; k < op.operands; ++k) {
    const Place place = op.places[k];
    switch (place.kind) {
      case Place::Kind::earlier:
        call.in[k] = {room.values(place.index), room.valid(place.index)};
        break;
      case Place::Kind::constant: call.in[k] = room.constant(place.index); break;
      case Place::Kind::input: call.in[k] = input_from(body, frame, place.index, first); break;
    }
  }
  return call;
}

void run_tile(const Body& body, const KernelFrame& frame, Workspace& room, size_t first,
              size_t count) {
  for (size_t i = 0; i < body.ops.size(); ++i) {
    run_operator(call_of(body, frame, room, i, first, count));
  }
}

void run_rows(const Body& body, const KernelFrame& frame) {
  const LaneValues operand = input_from(body, frame, body.ops[0].places[0].index, 0);
  run_operator({body.ops[0], {operand}, frame.rows, frame.lanes, frame.out, frame.out_valid});
}

}  // namespace pmjit::interp
