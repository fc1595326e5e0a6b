#include "runtime/sched/crew.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

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

// A line that several threads work on. Each takes the next job that is done, or makes one and does
// it, as long as one of both is possible. A thread that makes something possible calls another one.
class AssemblyLine::Shared {
 public:
  Shared(AssemblyLine& line, Executor& executor, unsigned jobs_at_once)
      : line_(line),
        threads_(executor.threads()),
        done_(std::max(1u, jobs_at_once)),
        crew_(executor, [this] { come(); }) {}

  void run() {
    called_ = 1;
    crew_.call();
    crew_.wait();
  }

 private:
  using Lock = std::unique_lock<std::mutex>;

  [[nodiscard]] bool can_take() const { return !taking_ && done_[taken_ % done_.size()]; }
  [[nodiscard]] bool can_make() const { return !making_ && !ended_ && there_ < done_.size(); }

  void come() {
    Lock lock(mutex_);
    --called_;
    ++here_;
    while (can_take() || can_make()) can_take() ? take(lock) : make(lock);
    --here_;
  }

  void take(Lock& lock) {
    taking_ = true;
    auto job = std::move(done_[taken_ % done_.size()]);
    lock.unlock();
    job = line_.take(std::move(job));
    lock.lock();
    taking_ = false;
    ++taken_;
    if (job) {
      call_another(lock, 0);
      lock.unlock();
      line_.finish(std::move(job));
      lock.lock();
    }
    --there_;
    call_another(lock, 1);
  }

  void make(Lock& lock) {
    making_ = true;
    ++there_;
    lock.unlock();
    auto job = line_.make();
    lock.lock();
    making_ = false;
    if (!job) {
      ended_ = true;
      --there_;
      return;
    }
    const size_t place = made_++ % done_.size();
    call_another(lock, 0);
    lock.unlock();
    line_.work(*job);
    lock.lock();
    done_[place] = std::move(job);
    call_another(lock, 1);
  }

  // Where more is possible than the `mine` that this thread does next.
  void call_another(Lock& lock, int mine) {
    if (here_ + called_ >= threads_ || int{can_take()} + int{can_make()} <= mine) return;
    ++called_;
    lock.unlock();
    crew_.call();
    lock.lock();
  }

  AssemblyLine& line_;
  const unsigned threads_;
  std::mutex mutex_;                        // of all that follows
  std::vector<std::unique_ptr<Job>> done_;  // the n-th job at n modulo its size, once done
  uint64_t made_ = 0, taken_ = 0;
  size_t there_ = 0;  // jobs that are made and not finished
  unsigned here_ = 0, called_ = 0;
  bool making_ = false, taking_ = false, ended_ = false;
  Crew crew_;  // last: it waits for those that work
};

void AssemblyLine::run_alone() {
  while (auto job = make()) {
    work(*job);
    if (auto taken = take(std::move(job))) finish(std::move(taken));
  }
}

void AssemblyLine::run(Executor& executor, unsigned jobs_at_once) {
  if (executor.threads() == 1) return run_alone();
  Shared(*this, executor, jobs_at_once).run();
}

}  // namespace pmjit
