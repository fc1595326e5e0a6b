#include "runtime/sched/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace pmjit::test {
namespace {

TEST(Executor, WhatWorkWroteIsThereAfterTheWait) {
  Executor executor(3);
  std::vector<int> results(7);
  std::atomic<size_t> next = 0;
  int round = 0;
  Executor::Crew crew(executor, [&] {
    for (size_t i = next++; i < results.size(); i = next++) results[i] += round;
  });
  for (round = 1; round <= 50; ++round) {
    next = 0;
    for (int calls = 0; calls < 4; ++calls) crew.call();
    crew.wait();
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
  Executor::Crew crew(executor, [&] {
    ++here;
    while (here != 2) here.wait(1);
    here.notify_all();
  });
  crew.call();
  crew.call();
  crew.wait();
  EXPECT_EQ(here, 2);
}

TEST(Executor, MayBeStartedBefore) {
  for (const unsigned threads : {1u, 2u, 5u}) {
    Executor unused(threads);
    unused.start();
    unused.start();
  }
  Executor executor(2);
  executor.start();
  std::atomic<int> calls = 0;
  Executor::Crew crew(executor, [&] { ++calls; });
  crew.call();
  crew.wait();
  executor.start();
  crew.call();
  crew.wait();
  EXPECT_EQ(calls, 2);
}

TEST(Executor, ACrewThatGoesAwayIsWaitedFor) {
  Executor executor(2);
  std::atomic<bool> done = false;
  {
    Executor::Crew crew(executor, [&] { done = true; });
    crew.wait();  // nothing to wait for
    EXPECT_FALSE(done);
    crew.call();
  }
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace pmjit::test
