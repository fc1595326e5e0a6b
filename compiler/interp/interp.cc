#include "compiler/interp/interp.h"

#include <algorithm>
#include <cstring>

#include "compiler/interp/call.h"
#include "runtime/base/check.h"

namespace pmjit {

namespace {

using interp::Call;
using interp::Lanes;

// Intermediate values of a tile stay in the first-level cache; whole words of validity, so that bit
// 0 of a tile is bit 0 of a word.
constexpr size_t kTileLanes = 256;

struct Body {
  std::vector<KernelOp> ops;
  std::vector<Elem> inputs;
  std::vector<Elem> constants;
};

// Room for one tile of every intermediate result and of every constant, repeated.
class Workspace {
 public:
  Workspace(const Body& body, const KernelFrame& frame, size_t tile)
      : tile_(tile),
        values_((body.ops.size() + body.constants.size()) * tile),
        valid_(body.ops.size() * bits::words_for(tile)),
        constants_(body.ops.size()) {
    for (size_t k = 0; k < body.constants.size(); ++k) {
      uint64_t* at = values(constants_ + k);
      if (body.constants[k] == Elem::truth) {
        std::memset(at, static_cast<int>(frame.args[k] & 1), tile);
      } else {
        std::fill_n(at, tile, frame.args[k]);
      }
    }
  }
  uint64_t* values(size_t index) { return values_.data() + index * tile_; }
  uint64_t* valid(size_t index) { return valid_.data() + index * bits::words_for(tile_); }
  Lanes constant(size_t k) { return {values(constants_ + k), nullptr}; }

 private:
  size_t tile_;
  std::vector<uint64_t> values_, valid_;
  size_t constants_;  // of them stand behind the results
};

Lanes input_from(const Body& body, const KernelFrame& frame, size_t k, size_t first) {
  const auto* values = static_cast<const std::byte*>(frame.in[k]);
  const uint64_t* valid = frame.valid[k];
  return {values + first * elem_bytes(body.inputs[k]),
          valid == nullptr ? nullptr : valid + first / 64};
}

void run_tile(const Body& body, const KernelFrame& frame, Workspace& room, size_t first,
              size_t count) {
  for (size_t i = 0; i < body.ops.size(); ++i) {
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
    interp::run_operator(call);
  }
}

void run_lanes(const void* self, const KernelFrame* frame) {
  const Body& body = *static_cast<const Body*>(self);
  const size_t count = frame->rows * frame->lanes;
  if (count == 0) return;
  const size_t tile = std::min(kTileLanes, bits::words_for(count) * 64);
  Workspace room(body, *frame, tile);
  for (size_t first = 0; first < count; first += tile) {
    run_tile(body, *frame, room, first, std::min(tile, count - first));
  }
}

void run_reduce(const void* self, const KernelFrame* frame) {
  const Body& body = *static_cast<const Body*>(self);
  const Lanes operand = input_from(body, *frame, body.ops[0].places[0].index, 0);
  interp::run_operator(
      {body.ops[0], {operand}, frame->rows, frame->lanes, frame->out, frame->out_valid});
}

}  // namespace

OwnedKernel interpret(const Ir& ir, const KernelSpec& spec) {
  auto body = std::make_shared<Body>();
  body->ops = kernel_ops(ir, spec);
  for (const KernelInput& input : spec.inputs) body->inputs.push_back(input.elem);
  for (const NodeId id : spec.constants) body->constants.push_back(ir.type_of(id).elem);
  const bool reduces = info(body->ops[0].op).shape == Shape::reduce;
  check(!reduces || body->ops[0].places[0].kind == Place::Kind::input,
        "what is reduced is an input");
  const Kernel kernel{.fn = reduces ? run_reduce : run_lanes, .self = body.get()};
  return {kernel, std::move(body)};
}

}  // namespace pmjit
