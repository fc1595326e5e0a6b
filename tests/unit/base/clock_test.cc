#include "runtime/base/clock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace pmjit::test {
namespace {

using namespace std::chrono_literals;

TEST(FakeClock, RunsTimersInOrderAtTheirTimes) {
  FakeClock clock({.now = Instant(5s)});
  std::vector<std::string> ran;
  const auto note = [&](const char* name) {
    return [&ran, &clock, name] {
      ran.push_back(name + std::to_string(clock.now().time_since_epoch() / 1s));
    };
  };
  clock.at(Instant(9s), note("c"));
  clock.at(Instant(7s), note("a"));
  clock.at(Instant(7s), note("b"));
  clock.at(Instant(1s), note("late"));
  clock.advance(0s);
  EXPECT_EQ(ran, (std::vector<std::string>{"late5"}));
  EXPECT_EQ(clock.next_timer(), Instant(7s));
  clock.advance(3s);
  EXPECT_EQ(ran, (std::vector<std::string>{"late5", "a7", "b7"}));
  EXPECT_EQ(clock.now(), Instant(8s));
  clock.advance(1s);
  EXPECT_EQ(ran.back(), "c9");
  EXPECT_FALSE(clock.next_timer().has_value());
}

TEST(FakeClock, RunsWhatATimerSetsUpAndNotWhatItCancels) {
  FakeClock clock;
  int ticks = 0, never = 0;
  const TimerId other = clock.at(Instant(5s), [&] { ++never; });
  std::function<void()> tick = [&] {
    if (++ticks == 3) clock.cancel(other);
    clock.at(clock.now() + 1s, [&] { tick(); });
  };
  clock.at(Instant(1s), [&] { tick(); });
  clock.advance(10s);
  EXPECT_EQ(ticks, 10);
  EXPECT_EQ(never, 0);
  clock.cancel(other);
  clock.cancel({});
}

TEST(FakeClock, TellsSleepAndASetClockApart) {
  FakeClock clock({.now = Instant(1s), .wall = WallTime(100s), .boot = BootTime(1s)});
  bool ran = false;
  clock.at(Instant(11s), [&] { ran = true; });
  clock.sleep(1h);
  EXPECT_EQ(clock.now(), Instant(1s));
  EXPECT_EQ(clock.wall(), WallTime(3700s));
  EXPECT_EQ(clock.boot(), BootTime(3601s));
  clock.set_wall(WallTime(50s));
  EXPECT_EQ(clock.boot(), BootTime(3601s));
  clock.advance(10s);
  EXPECT_TRUE(ran);
  EXPECT_EQ(clock.wall(), WallTime(60s));
  EXPECT_EQ(unix_seconds(WallTime(-1ns)), -1);
}

TEST(FakeClock, WakesWhoWaitsWhenItIsMovedThatFar) {
  FakeClock clock;
  const Instant until = clock.now() + 10s;
  Instant woken{};
  std::thread waits([&] {
    clock.wait_until(until);
    woken = clock.now();
  });
  clock.advance(9s);
  clock.advance(1s);
  waits.join();
  EXPECT_EQ(woken, until);
  clock.wait_until(until);  // is behind
}

TEST(SystemClock, SleepsUntilThen) {
  const SystemClock clock;
  const Instant until = clock.now() + 5ms;
  clock.wait_until(until);
  EXPECT_GE(clock.now(), until);
  clock.wait_until(until);
}

TEST(SystemClock, GoesForward) {
  const SystemClock clock;
  const Instant before = clock.now();
  const Instant after = clock.now();
  const BootTime boot = clock.boot();  // read later, and it counts more
  EXPECT_LE(before, after);
  EXPECT_LE(after.time_since_epoch(), boot.time_since_epoch());
  EXPECT_GT(unix_seconds(clock.wall()), 1'700'000'000);
}

TEST(SystemClock, RunsTimersInOrder) {
  std::vector<int> ran;
  std::atomic<bool> done = false;
  SystemClock clock;
  const Instant begin = clock.now();
  clock.at(begin + 20ms, [&] {
    EXPECT_GE(clock.now(), begin + 20ms);
    ran.push_back(2);
    done = true;
    done.notify_all();
  });
  clock.at(begin + 1ms, [&] { ran.push_back(1); });
  const TimerId cancelled = clock.at(begin + 2ms, [&] { ran.push_back(3); });
  clock.at(begin + 876'000h, [] {});  // dropped at the end
  clock.cancel(cancelled);
  done.wait(false);
  EXPECT_TRUE(ran.front() == 1 || ran.front() == 3);  // it may have come before the cancel()
  EXPECT_EQ(ran.back(), 2);
}

TEST(SystemClock, CancelWaitsForATaskThatRuns) {
  SystemClock clock;
  std::atomic<bool> begun = false, ended = false;
  const TimerId timer = clock.at(clock.now(), [&] {
    begun = true;
    begun.notify_all();
    std::this_thread::sleep_for(5ms);
    ended = true;
  });
  begun.wait(false);
  clock.cancel(timer);
  EXPECT_TRUE(ended);
  // One that cancels itself does not wait.
  std::atomic<bool> done = false;
  TimerId own;
  std::mutex ready;
  {
    const std::lock_guard lock(ready);
    own = clock.at(clock.now(), [&] {
      const std::lock_guard until(ready);
      clock.cancel(own);
      done = true;
      done.notify_all();
    });
  }
  done.wait(false);
}

TEST(Stopwatch, AddsUp) {
  FakeClock clock;
  double seconds = 0;
  for (int i = 0; i < 2; ++i) {
    const Stopwatch watch(&clock, seconds);
    clock.advance(1500ms);
  }
  {
    const Stopwatch nobody(nullptr, seconds);
  }
  EXPECT_EQ(seconds, 3);
}

}  // namespace
}  // namespace pmjit::test
