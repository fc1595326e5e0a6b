#include "runtime/sched/crew.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/unit/sched/executors.h"

namespace pmjit::test {
namespace {

// Squares, of which some take longer than others, and some are finished behind.
class Squares final : public AssemblyLine {
 public:
  explicit Squares(int count, int stop_behind = INT32_MAX)
      : count_(count), stop_behind_(stop_behind) {}
  std::vector<int> taken{};
  std::atomic<int> finished = 0;
  int most_at_once = 0;
  std::vector<int> worked{};

 private:
  struct Number final : Job {
    int value = 0;
  };
  std::unique_ptr<Job> make() override {
    if (next_ == count_ || stopped_) return nullptr;
    auto job = std::make_unique<Number>();
    job->value = next_++;
    const int here = ++here_;
    most_at_once = std::max(most_at_once, here);
    return job;
  }
  void work(Job& job) override {
    int& value = static_cast<Number&>(job).value;
    if (value % 7 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
    value *= value;
    const std::lock_guard lock(mutex_);
    worked.push_back(value);
  }
  std::unique_ptr<Job> take(std::unique_ptr<Job> job) override {
    const int value = static_cast<Number&>(*job).value;
    taken.push_back(value);
    if (value > stop_behind_) stopped_ = true;
    if (value % 10 == 0) return job;
    --here_;
    return nullptr;
  }
  void finish(std::unique_ptr<Job> job) override {
    EXPECT_EQ(static_cast<Number&>(*job).value % 10, 0);
    ++finished;
    --here_;
  }

  int count_, stop_behind_, next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::atomic<int> here_ = 0;
  std::mutex mutex_;  // of `worked`
};

std::vector<int> squares(int count) {
  std::vector<int> out;
  for (int i = 0; i < count; ++i) out.push_back(i * i);
  return out;
}

TEST(AssemblyLine, TakesInOrderOnEveryExecutor) {
  for_each_executor([](Executor& executor) {
    for (const unsigned at_once : {1u, 2u, 6u}) {
      Squares line(200);
      line.run(executor, at_once);
      EXPECT_EQ(line.taken, squares(200));
      EXPECT_LE(line.most_at_once, static_cast<int>(at_once));
      EXPECT_EQ(line.finished, 20);
    }
  });
}

TEST(AssemblyLine, NothingIsAnEnd) {
  for_each_executor([](Executor& executor) {
    Squares line(0);
    line.run(executor, 4);
    EXPECT_TRUE(line.taken.empty());
  });
}

// Some seed has a job done before the one in front of it.
TEST(AssemblyLine, SeedsDoJobsInOtherOrders) {
  size_t orders = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SeededExecutor executor(seed);
    Squares line(30);
    line.run(executor, 6);
    EXPECT_EQ(line.taken, squares(30));
    orders += std::ranges::is_sorted(line.worked) ? 0 : 1;
  }
  EXPECT_GT(orders, 10u);
}

TEST(AssemblyLine, WhoMakesMayStopEarlyAndWhatWasMadeIsTaken) {
  TbbExecutor executor(2);
  Squares line(100'000, 400);
  line.run(executor, 4);
  EXPECT_GE(line.taken.size(), 21u);
  EXPECT_LT(line.taken.size(), 1'000u);
  EXPECT_EQ(line.taken, squares(static_cast<int>(line.taken.size())));
}

}  // namespace
}  // namespace pmjit::test
