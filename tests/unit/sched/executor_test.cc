#include "runtime/sched/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace pmjit::test {
namespace {

TEST(Executor, WhatWorkWroteIsThereAfterTheWait) {
  Executor executor(3);
  std::vector<Executor::Task> tasks;
  std::vector<int> results(7);
  for (size_t i = 0; i < results.size(); ++i) tasks.emplace_back(executor);
  for (int round = 1; round <= 50; ++round) {
    for (size_t i = 0; i < tasks.size(); ++i) {
      tasks[i].start([&, i] { results[i] += round; });
    }
    for (Executor::Task& task : tasks) task.wait();
    EXPECT_EQ(results, std::vector<int>(results.size(), round * (round + 1) / 2));
  }
}

TEST(Executor, AsManyThreadsAsAskedFor) {
  EXPECT_EQ(Executor(0).threads(), 1u);
  Executor executor(2);
  EXPECT_EQ(executor.threads(), 2u);
  EXPECT_GE(Executor::processors(), 1u);
  // Each waits for the other: one thread alone would never end.
  std::atomic<int> here = 0;
  const auto meet = [&] {
    ++here;
    while (here != 2) here.wait(1);
    here.notify_all();
  };
  Executor::Task one(executor), two(executor);
  one.start(meet);
  two.start(meet);
  one.wait();
  two.wait();
  EXPECT_EQ(here, 2);
}

TEST(Executor, ATaskThatGoesAwayIsWaitedFor) {
  Executor executor(2);
  std::atomic<bool> done = false;
  {
    Executor::Task task(executor);
    task.wait();  // nothing to wait for
    task.start([&] { done = true; });
  }
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace pmjit::test
