#include "runtime/sched/tbb_executor.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "runtime/sched/hand_over.h"
#include "runtime/sched/tbb_arena.h"

namespace pmjit {

struct TbbExecutor::Posted {
  TbbExecutor& to;
  PostedTask task;
};

TbbExecutor::TbbExecutor(unsigned threads) : threads_(std::max(1u, threads)) {}

TbbExecutor::~TbbExecutor() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [&] { return posted_ == 0; });
}

unsigned TbbExecutor::processors() { return std::max(1u, std::thread::hardware_concurrency()); }

// In a thread of its own, for half of the time TBB looks for libraries that need not be there. What
// dlopen() reports of that stays with the thread until it is asked, or ends.
void TbbExecutor::start() {
  const std::lock_guard lock(mutex_);
  if (arena_ || starting_.valid()) return;
  starting_ = std::async(std::launch::async, [threads = threads_] { return make_arena(threads); });
}

TbbArena& TbbExecutor::arena() {
  start();
  const std::lock_guard lock(mutex_);
  if (!arena_) arena_ = starting_.get();
  return *arena_;
}

void TbbExecutor::post(PostedTask task) {
  auto* const posted = new Posted{.to = *this, .task = std::move(task)};
  TbbArena& arena = this->arena();
  {
    const std::lock_guard lock(mutex_);
    ++posted_;
  }
  hand_over(posted);
  arena.enqueue([](void* of) { run(static_cast<Posted*>(of)); }, posted);
}

void TbbExecutor::run(Posted* posted) {
  take_over(posted);
  TbbExecutor& to = posted->to;
  posted->task();
  delete posted;
  const std::lock_guard lock(to.mutex_);
  if (--to.posted_ == 0) to.idle_.notify_all();
}

}  // namespace pmjit
