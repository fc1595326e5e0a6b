#include "compiler/interp/interp.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "compiler/interp/body.h"

namespace pmjit {

namespace {

using interp::Body;
using interp::Workspace;

// Intermediate values of a tile stay in the first-level cache; whole words of validity, so that bit
// 0 of a tile is bit 0 of a word.
constexpr size_t kTileLanes = 256;

// Workspaces that nobody uses: as many as threads have evaluated at once. None is a thread's own,
// for threads of a pool are not ended, and would keep it.
class Rooms {
 public:
  Workspace take() {
    const std::scoped_lock lock(mutex_);
    if (free_.empty()) return {};
    Workspace out = std::move(free_.back());
    free_.pop_back();
    return out;
  }
  void give(Workspace room) {
    const std::scoped_lock lock(mutex_);
    free_.push_back(std::move(room));
  }

 private:
  std::mutex mutex_;
  std::vector<Workspace> free_;
};

void run_lanes(const void* self, const KernelFrame* frame) {
  const Body& body = *static_cast<const Body*>(self);
  const size_t count = frame->rows * frame->lanes;
  if (count == 0) return;
  const size_t tile = std::min(kTileLanes, bits::words_for(count) * 64);
  static Rooms rooms;
  Workspace room = rooms.take();
  room.prepare(body, *frame, tile);
  for (size_t first = 0; first < count; first += tile) {
    run_tile(body, *frame, room, first, std::min(tile, count - first));
  }
  rooms.give(std::move(room));
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
