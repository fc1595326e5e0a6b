// Clock: what time it is, and timers. Whatever needs the time takes a Clock&: the real one of
// main() or a test's FakeClock. Nothing else in the product asks the system or sleeps
// (tests/tidy sees to that), but for two: the sockets of net/ and of the collector wait until one
// is ready or a time has gone by, and the collector's own timers are Asio's.
//
//   const Instant deadline = clock.now() + 2s;
//   const TimerId timer = clock.at(deadline, [&] { executor.post([&] { give_up(host); }); });
//   … clock.cancel(timer);                // when the host has answered
//
// Three times, as an alerting daemon and a client need them, each a type of its own:
//   Instant    now()   never goes back and nobody sets it; it stands still while the machine
//   sleeps.
//                      For deadlines, timers and intervals. Never printed, stored or sent.
//   WallTime   wall()  since 1970 in UTC, as people and other hosts have it. An administrator or
//                      NTP may set it, also back. For what is printed, stored or compared with
//                      recorded stamps. Never for a deadline.
//   BootTime   boot()  like now(), but it goes on while the machine sleeps. boot() moved against
//                      now(): the machine has slept. wall() moved against now(): it was set.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "runtime/base/executor.h"

namespace pmjit {

struct MonotonicTime;
struct UtcTime;
struct SinceBoot;
using Instant = std::chrono::time_point<MonotonicTime, std::chrono::nanoseconds>;
using WallTime = std::chrono::time_point<UtcTime, std::chrono::nanoseconds>;
using BootTime = std::chrono::time_point<SinceBoot, std::chrono::nanoseconds>;

// Whole seconds since 1970, as a time_t has them.
[[nodiscard]] constexpr int64_t unix_seconds(WallTime when) {
  return std::chrono::floor<std::chrono::seconds>(when.time_since_epoch()).count();
}

struct TimerId {
  uint64_t number = 0;  // 0 is no timer
  friend constexpr auto operator<=>(const TimerId&, const TimerId&) = default;
};

class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual Instant now() const = 0;
  [[nodiscard]] virtual WallTime wall() const = 0;
  [[nodiscard]] virtual BootTime boot() const = 0;

  // Runs the task once, at `when` or soon after it, never inside this call. Tasks run
  // one after the other, by their times, those of equal times in the order of these calls. They
  // must be short and must not throw: work goes to an Executor.
  virtual TimerId at(Instant when, PostedTask task) = 0;
  // The task does not run any more once this has returned; one that runs at this moment is waited
  // for, unless it is the caller. A timer that has run, or was cancelled, may be cancelled again.
  virtual void cancel(TimerId timer) = 0;
  // The calling thread sleeps until then.
  virtual void wait_until(Instant when) const = 0;

 protected:
  Clock() = default;
  Clock(const Clock&) = default;
  Clock& operator=(const Clock&) = default;
};

// Timers that wait, by time and then by age. Not thread-safe: a clock has one under its lock.
class TimerQueue {
 public:
  TimerId add(Instant when, PostedTask task);
  // False: it is not there.
  bool remove(TimerId timer);
  [[nodiscard]] std::optional<Instant> next() const;
  struct Due {
    TimerId timer;
    Instant when;
    PostedTask task;
  };
  // The next, if its time is not behind `now`.
  [[nodiscard]] std::optional<Due> take(Instant now);

 private:
  uint64_t last_ = 0;
  std::map<std::pair<Instant, uint64_t>, PostedTask> waiting_;
  std::map<uint64_t, Instant> when_;
};

// The system's clocks. The first timer starts a thread, which runs the tasks.
class SystemClock final : public Clock {
 public:
  SystemClock();
  ~SystemClock() override;  // timers that wait are dropped, one that runs is waited for
  SystemClock(const SystemClock&) = delete;
  SystemClock& operator=(const SystemClock&) = delete;

  [[nodiscard]] Instant now() const override;
  [[nodiscard]] WallTime wall() const override;
  [[nodiscard]] BootTime boot() const override;
  TimerId at(Instant when, PostedTask task) override;
  void cancel(TimerId timer) override;
  void wait_until(Instant when) const override;

 private:
  class Timers;
  std::mutex mutex_;  // of timers_: which thread makes them
  std::unique_ptr<Timers> timers_;
};

// A clock for tests, which moves only when it is moved. Any thread may ask it the time.
//
//   FakeClock clock({.wall = WallTime(1'700'000'000s)});
//   clock.at(clock.now() + 10s, [&] { … });
//   clock.advance(1min);                  // runs it, and what it sets up within that minute
class FakeClock final : public Clock {
 public:
  struct Start {
    Instant now{};
    WallTime wall{};
    BootTime boot{};
  };
  explicit FakeClock(Start start) : at_(start) {}
  FakeClock() = default;

  [[nodiscard]] Instant now() const override;
  [[nodiscard]] WallTime wall() const override;
  [[nodiscard]] BootTime boot() const override;
  TimerId at(Instant when, PostedTask task) override;
  void cancel(TimerId timer) override;
  // Until another thread has moved the clock that far.
  void wait_until(Instant when) const override;

  // Moves all three, and runs timers in order; each sees its own time as now(). By the thread of
  // the test alone.
  void advance(std::chrono::nanoseconds by);
  // The machine sleeps: now() stands still, and timers wait.
  void sleep(std::chrono::nanoseconds by);
  // Somebody sets the wall clock, forward or back.
  void set_wall(WallTime wall);
  // None: no timer waits.
  [[nodiscard]] std::optional<Instant> next_timer() const;

 private:
  mutable std::mutex mutex_;  // of both
  mutable std::condition_variable moved_;
  Start at_;
  TimerQueue timers_;
};

// Seconds that have gone since then.
[[nodiscard]] inline double seconds_since(Instant begin, const Clock& clock) {
  return std::chrono::duration<double>(clock.now() - begin).count();
}

// What SystemClock::now() says, for the handler of a signal, which has no clock and may not lock.
[[nodiscard]] Instant now_in_handler();

// Adds the time of its life to what a stage took.
class Stopwatch {
 public:
  // Null: nobody wants to know.
  Stopwatch(const Clock* clock, double& seconds)
      : clock_(clock), seconds_(seconds), begin_(clock == nullptr ? Instant{} : clock->now()) {}
  ~Stopwatch() {
    if (clock_ != nullptr) seconds_ += seconds_since(begin_, *clock_);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  const Clock* clock_;
  double& seconds_;
  Instant begin_;
};

}  // namespace pmjit
