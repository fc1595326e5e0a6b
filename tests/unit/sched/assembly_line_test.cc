#include "runtime/sched/assembly_line.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

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
};

std::vector<int> squares(int count) {
  std::vector<int> out;
  for (int i = 0; i < count; ++i) out.push_back(i * i);
  return out;
}

TEST(AssemblyLine, TakesInOrderWhoeverWorks) {
  for (const unsigned threads : {1u, 2u, 4u}) {
    Executor executor(threads);
    Squares line(500);
    line.run(executor, 6);
    EXPECT_EQ(line.taken, squares(500)) << threads << " threads";
    EXPECT_LE(line.most_at_once, 6);
    EXPECT_EQ(line.finished, 50);
  }
}

TEST(AssemblyLine, NothingIsAnEnd) {
  Executor executor(2);
  Squares line(0);
  line.run(executor, 4);
  EXPECT_TRUE(line.taken.empty());
}

TEST(AssemblyLine, WhoMakesMayStopEarlyAndWhatWasMadeIsTaken) {
  Executor executor(2);
  Squares line(100'000, 400);
  line.run(executor, 4);
  EXPECT_GE(line.taken.size(), 21u);
  EXPECT_LT(line.taken.size(), 1'000u);
  EXPECT_EQ(line.taken, squares(static_cast<int>(line.taken.size())));
}

}  // namespace
}  // namespace pmjit::test
