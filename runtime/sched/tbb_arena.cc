// Compiled without the thread sanitizer: TBB's headers put parts of its library here, and how these
// meet the rest is not seen.
#include "runtime/sched/tbb_executor.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace pmjit {

namespace {

class LimitedArena final : public TbbArena {
 public:
  explicit LimitedArena(unsigned threads)
      : most_(tbb::global_control::max_allowed_parallelism, threads),
        arena_(static_cast<int>(threads)) {
    arena_.initialize();
    if (threads > 1) arena_.enqueue([] {});  // which makes the threads
  }

  void enqueue(void (*run)(void*), void* of) override {
    arena_.enqueue([run, of] { run(of); });
  }

 private:
  // TBB has no more threads than processors unless this raises their number.
  tbb::global_control most_;
  tbb::task_arena arena_;
};

}  // namespace

std::unique_ptr<TbbArena> make_arena(unsigned threads) {
  return std::make_unique<LimitedArena>(threads);
}

}  // namespace pmjit
