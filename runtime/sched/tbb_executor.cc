#include "runtime/sched/tbb_executor.h"

#include <algorithm>
#include <thread>
#include <utility>

#if defined(__SANITIZE_THREAD__)
#define PMJIT_THREADS_ARE_CHECKED
#elif defined(__clang__)
#if __has_feature(thread_sanitizer)
#define PMJIT_THREADS_ARE_CHECKED
#endif
#endif

#if defined(PMJIT_THREADS_ARE_CHECKED)
extern "C" void __tsan_acquire(void* at);
extern "C" void __tsan_release(void* at);
#endif

namespace pmjit {

namespace {

// Where one thread hands memory over to another through TBB, whose library the thread sanitizer
// does not see into: it is told here.

// Publishes earlier writes to the thread that acquires `at`.
inline void hand_over([[maybe_unused]] void* at) {
#if defined(PMJIT_THREADS_ARE_CHECKED)
  __tsan_release(at);
#endif
}

inline void take_over([[maybe_unused]] void* at) {
#if defined(PMJIT_THREADS_ARE_CHECKED)
  __tsan_acquire(at);
#endif
}

}  // namespace

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
