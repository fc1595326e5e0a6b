#include "runtime/sched/executor.h"

#include <tbb/task_group.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "runtime/sched/arena.h"
#include "runtime/sched/hand_over.h"

namespace pmjit {

Executor::Executor(unsigned threads) : threads_(std::max(1u, threads)) {}
Executor::~Executor() = default;

unsigned Executor::processors() { return std::max(1u, std::thread::hardware_concurrency()); }

// In a thread of its own, for half of the time TBB looks for libraries that need not be there. What
// dlopen() has to say of that stays with the thread until it is asked, or ends.
void Executor::start() {
  if (arena_ || starting_.valid()) return;
  starting_ = std::async(std::launch::async, [this] { return std::make_unique<Arena>(threads_); });
}

Executor::Arena& Executor::arena() {
  start();
  if (!arena_) arena_ = starting_.get();
  return *arena_;
}

struct Executor::Crew::State {
  Executor& executor;
  std::function<void()> work;
  bool called = false;
  tbb::task_group group{};

  void run() {
    take_over(this);
    work();
    hand_over(this);
  }
};

Executor::Crew::Crew(Executor& executor, std::function<void()> work)
    : state_(new State{.executor = executor, .work = std::move(work)}) {}
Executor::Crew::~Crew() { wait(); }

void Executor::Crew::call() {
  State& state = *state_;
  state.called = true;
  hand_over(&state);
  state.executor.arena().arena.execute([&] { state.group.run([&state] { state.run(); }); });
}

void Executor::Crew::wait() {
  State& state = *state_;
  if (!std::exchange(state.called, false)) return;
  state.executor.arena().arena.execute([&] { state.group.wait(); });
  take_over(&state);
}

}  // namespace pmjit
