// The threads of a TbbExecutor, without TBB's headers. Private to runtime/sched.
#pragma once

#include <memory>

namespace pmjit {

class TbbArena {
 public:
  virtual ~TbbArena() = default;
  // Calls `run(of)` in one of the threads.
  virtual void enqueue(void (*run)(void*), void* of) = 0;
};

[[nodiscard]] std::unique_ptr<TbbArena> make_arena(unsigned threads);

}  // namespace pmjit
