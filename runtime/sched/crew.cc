#include "runtime/sched/crew.h"

#include <condition_variable>
#include <mutex>
#include <utility>

namespace pmjit {

struct Crew::State {
  explicit State(std::function<void()> what) : work(std::move(what)) {}

  const std::function<void()> work;
  std::mutex mutex;
  std::condition_variable changed;  // something was called, or the last one ended
  unsigned waiting = 0;             // calls that nobody has begun
  unsigned working = 0;

  // Does one call, unless others have begun all of them.
  bool do_one() {
    {
      const std::lock_guard lock(mutex);
      if (waiting == 0) return false;
      --waiting;
      ++working;
    }
    work();
    const std::lock_guard lock(mutex);
    if (--working == 0) changed.notify_all();
    return true;
  }
};

Crew::Crew(Executor& executor, std::function<void()> work)
    : executor_(executor), state_(std::make_shared<State>(std::move(work))) {}

Crew::~Crew() { wait(); }

void Crew::call() {
  {
    const std::lock_guard lock(state_->mutex);
    ++state_->waiting;
    state_->changed.notify_all();
  }
  if (executor_.threads() > 1) executor_.post([state = state_] { (void)state->do_one(); });
}

void Crew::wait() {
  while (true) {
    while (state_->do_one()) {
    }
    std::unique_lock lock(state_->mutex);
    state_->changed.wait(lock, [&] { return state_->waiting > 0 || state_->working == 0; });
    if (state_->waiting == 0) return;
  }
}

}  // namespace pmjit
