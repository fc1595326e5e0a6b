#include "runtime/base/clock.h"

#include <algorithm>
#include <condition_variable>
#include <ctime>
#include <thread>

namespace pmjit {

namespace {

std::chrono::nanoseconds read_clock(clockid_t which) {
  std::timespec time{};
  clock_gettime(which, &time);  // cannot fail for clocks that Linux always has
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

Instant now_in_handler() { return Instant(read_clock(CLOCK_MONOTONIC)); }

TimerId TimerQueue::add(Instant when, PostedTask task) {
  const uint64_t number = ++last_;
  waiting_.emplace(std::pair(when, number), std::move(task));
  when_.emplace(number, when);
  return {number};
}

bool TimerQueue::remove(TimerId timer) {
  const auto found = when_.find(timer.number);
  if (found == when_.end()) return false;
  waiting_.erase({found->second, timer.number});
  when_.erase(found);
  return true;
}

std::optional<Instant> TimerQueue::next() const {
  if (waiting_.empty()) return std::nullopt;
  return waiting_.begin()->first.first;
}

std::optional<TimerQueue::Due> TimerQueue::take(Instant now) {
  const auto first = waiting_.begin();
  if (first == waiting_.end() || first->first.first > now) return std::nullopt;
  Due out{
      .timer = {first->first.second}, .when = first->first.first, .task = std::move(first->second)};
  when_.erase(out.timer.number);
  waiting_.erase(first);
  return out;
}

// The thread that runs timers of the system's clock.
class SystemClock::Timers {
 public:
  explicit Timers(const SystemClock& clock) : clock_(clock), thread_([this] { work(); }) {}
  ~Timers() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Timers(const Timers&) = delete;
  Timers& operator=(const Timers&) = delete;

  TimerId add(Instant when, PostedTask task) {
    const std::lock_guard lock(mutex_);
    const TimerId timer = waiting_.add(when, std::move(task));
    changed_.notify_all();
    return timer;
  }

  void cancel(TimerId timer) {
    std::unique_lock lock(mutex_);
    if (waiting_.remove(timer) || std::this_thread::get_id() == thread_.get_id()) return;
    changed_.wait(lock, [&] { return running_ != timer; });
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (!over_) {
      auto due = waiting_.take(clock_.now());
      if (!due) {
        wait(lock);
        continue;
      }
      running_ = due->timer;
      lock.unlock();
      due->task();
      due.reset();  // what it holds goes before a cancel() returns
      lock.lock();
      running_ = {};
      changed_.notify_all();
    }
  }

  // Until the next timer, or until something changes.
  void wait(std::unique_lock<std::mutex>& lock) {
    const auto next = waiting_.next();
    if (!next) return changed_.wait(lock);
    // A timer a century away is looked at once a day: sums of the library's own times overflow.
    constexpr std::chrono::nanoseconds kMost = std::chrono::hours(24);
    changed_.wait_for(lock, std::min(*next - clock_.now(), kMost));
  }

  const SystemClock& clock_;
  std::mutex mutex_;  // of all that follows
  std::condition_variable changed_;
  TimerQueue waiting_;
  TimerId running_;
  bool over_ = false;
  std::thread thread_;  // last: it works on all of them
};

SystemClock::SystemClock() = default;
SystemClock::~SystemClock() = default;

Instant SystemClock::now() const { return Instant(read_clock(CLOCK_MONOTONIC)); }
WallTime SystemClock::wall() const { return WallTime(read_clock(CLOCK_REALTIME)); }
BootTime SystemClock::boot() const { return BootTime(read_clock(CLOCK_BOOTTIME)); }

TimerId SystemClock::at(Instant when, PostedTask task) {
  {
    const std::lock_guard lock(mutex_);
    if (!timers_) timers_ = std::make_unique<Timers>(*this);
  }
  return timers_->add(when, std::move(task));
}

void SystemClock::cancel(TimerId timer) {
  {
    const std::lock_guard lock(mutex_);
    if (!timers_) return;
  }
  timers_->cancel(timer);
}

void SystemClock::wait_until(Instant when) const {
  for (Instant at = now(); at < when; at = now()) std::this_thread::sleep_for(when - at);
}

Instant FakeClock::now() const {
  const std::lock_guard lock(mutex_);
  return at_.now;
}

WallTime FakeClock::wall() const {
  const std::lock_guard lock(mutex_);
  return at_.wall;
}

BootTime FakeClock::boot() const {
  const std::lock_guard lock(mutex_);
  return at_.boot;
}

TimerId FakeClock::at(Instant when, PostedTask task) {
  const std::lock_guard lock(mutex_);
  return timers_.add(when, std::move(task));
}

void FakeClock::cancel(TimerId timer) {
  const std::lock_guard lock(mutex_);
  (void)timers_.remove(timer);
}

void FakeClock::wait_until(Instant when) const {
  std::unique_lock lock(mutex_);
  moved_.wait(lock, [&] { return at_.now >= when; });
}

void FakeClock::advance(std::chrono::nanoseconds by) {
  std::unique_lock lock(mutex_);
  const Instant until = at_.now + by;
  const auto move_to = [&](Instant when) {
    const auto step = std::max(when - at_.now, std::chrono::nanoseconds(0));
    at_ = {.now = at_.now + step, .wall = at_.wall + step, .boot = at_.boot + step};
  };
  while (auto due = timers_.take(until)) {
    move_to(due->when);
    lock.unlock();
    due->task();
    due.reset();
    lock.lock();
  }
  move_to(until);
  moved_.notify_all();
}

void FakeClock::sleep(std::chrono::nanoseconds by) {
  const std::lock_guard lock(mutex_);
  at_.wall += by;
  at_.boot += by;
}

void FakeClock::set_wall(WallTime wall) {
  const std::lock_guard lock(mutex_);
  at_.wall = wall;
}

std::optional<Instant> FakeClock::next_timer() const {
  const std::lock_guard lock(mutex_);
  return timers_.next();
}

}  // namespace pmjit
