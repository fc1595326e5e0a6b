#include "compiler/interp/interp.h"

#include <algorithm>

#include "compiler/interp/body.h"

namespace pmjit {

namespace {

using interp::Body;
using interp::Workspace;

// Intermediate values of a tile stay in the first-level cache; whole words of validity, so that bit
// 0 of a tile is bit 0 of a word.
constexpr size_t kTileLanes = 256;

void run_lanes(const void* self, const KernelFrame* frame) {
  const Body& body = *static_cast<const Body*>(self);
  const size_t count = frame->rows * frame->lanes;
  if (count == 0) return;
  const size_t tile = std::min(kTileLanes, bits::words_for(count) * 64);
  thread_local Workspace room;
  room.prepare(body, *frame, tile);
  for (size_t first = 0; first < count; first += tile) {
    run_tile(body, *frame, room, first, std::min(tile, count - first));
  }
}

void run_reduce(const void* self, const KernelFrame* frame) {
  interp::run_rows(*static_cast<const Body*>(self), *frame);
}

}  // namespace

OwnedKernel interpret(const KernelShape& shape) {
  auto body = std::make_shared<const Body>(shape);
  const Kernel kernel{.fn = shape.reduces() ? run_reduce : run_lanes, .self = body.get()};
  return {kernel, std::move(body)};
}

OwnedKernel interpret(const Ir& ir, const KernelSpec& spec) {
  return interpret(shape_of(ir, spec));
}

}  // namespace pmjit
