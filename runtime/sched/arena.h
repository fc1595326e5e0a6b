// The threads of an executor, as oneTBB has them. Private to runtime/sched.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include "runtime/sched/executor.h"

namespace pmjit {

struct Executor::Arena {
  explicit Arena(unsigned threads)
      : most(tbb::global_control::max_allowed_parallelism, threads),
        arena(static_cast<int>(threads)) {
    arena.initialize();
    if (threads > 1) arena.enqueue([] {});  // which makes the threads
  }
  // TBB has no more threads than processors unless it is told so.
  tbb::global_control most;
  tbb::task_arena arena;
};

}  // namespace pmjit
