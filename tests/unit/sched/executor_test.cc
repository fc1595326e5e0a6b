#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <set>
#include <vector>

#include "runtime/sched/crew.h"
#include "tests/unit/sched/executors.h"

namespace pmjit::test {
namespace {

TEST(Crew, WhatWorkWroteIsThereAfterTheWait) {
  for_each_executor([](Executor& executor) {
    std::vector<int> results(7);
    std::atomic<size_t> next = 0;
    int round = 0;
    Crew crew(executor, [&] {
      for (size_t i = next++; i < results.size(); i = next++) results[i] += round;
    });
    for (round = 1; round <= 50; ++round) {
      next = 0;
      for (int calls = 0; calls < 4; ++calls) crew.call();
      crew.wait();
      EXPECT_EQ(results, std::vector<int>(results.size(), round * (round + 1) / 2));
    }
  });
}

TEST(Crew, WorksOncePerCall) {
  for_each_executor([](Executor& executor) {
    std::atomic<int> calls = 0;
    Crew crew(executor, [&] { ++calls; });
    crew.wait();  // nothing to wait for
    EXPECT_EQ(calls, 0);
    for (int i = 0; i < 9; ++i) crew.call();
    crew.wait();
    EXPECT_EQ(calls, 9);
  });
}

TEST(Crew, IsCalledByThoseWhoWork) {
  for_each_executor([](Executor& executor) {
    std::atomic<int> calls = 0;
    std::optional<Crew> crew;
    crew.emplace(executor, [&] {
      if (++calls < 20) crew->call();
    });
    crew->call();
    crew->wait();
    EXPECT_EQ(calls, 20);
  });
}

TEST(Crew, IsWaitedForWhenItGoes) {
  for_each_executor([](Executor& executor) {
    std::atomic<bool> done = false;
    {
      Crew crew(executor, [&] { done = true; });
      crew.call();
    }
    EXPECT_TRUE(done);
  });
}

TEST(Executors, RunEverythingBeforeTheyGo) {
  std::atomic<int> ran = 0;
  int posted = 0;
  for_each_executor([&](Executor& executor) {
    executor.start();
    for (int i = 0; i < 100; ++i) {
      executor.post([&ran, &executor, i] {
        if (i % 10 == 0) executor.post([&ran] { ++ran; });
        ++ran;
      });
    }
    posted += 110;
  });
  EXPECT_EQ(ran, posted);
}

TEST(TbbExecutor, HasAsManyThreadsAsAskedFor) {
  EXPECT_EQ(TbbExecutor(0).threads(), 1u);
  TbbExecutor executor(2);
  EXPECT_EQ(executor.threads(), 2u);
  EXPECT_GE(TbbExecutor::processors(), 1u);
  // Each waits for the other: one thread alone would never end.
  std::atomic<int> here = 0;
  Crew crew(executor, [&] {
    ++here;
    while (here != 2) here.wait(1);
    here.notify_all();
  });
  crew.call();
  crew.call();
  crew.wait();
  EXPECT_EQ(here, 2);
}

TEST(TbbExecutor, MayBeStartedBefore) {
  for (const unsigned threads : {1u, 2u, 5u}) {
    TbbExecutor unused(threads);
    unused.start();
    unused.start();
  }
  TbbExecutor executor(2);
  executor.start();
  std::atomic<int> calls = 0;
  Crew crew(executor, [&] { ++calls; });
  crew.call();
  crew.wait();
  executor.start();
  crew.call();
  crew.wait();
  EXPECT_EQ(calls, 2);
}

TEST(InlineExecutor, RunsInTheOrderOfPosts) {
  std::vector<int> order;
  InlineExecutor executor;
  executor.post([&] {
    executor.post([&] { order.push_back(2); });
    order.push_back(1);  // what a task posts runs behind it
  });
  executor.post([&] { order.push_back(3); });
  EXPECT_EQ(order, (std::vector{1, 2, 3}));
}

TEST(InlineExecutor, WaitsForADrain) {
  std::vector<int> order;
  InlineExecutor executor(InlineExecutor::Runs::in_drain);
  for (int i = 0; i < 3; ++i) executor.post([&order, i] { order.push_back(i); });
  EXPECT_TRUE(order.empty());
  EXPECT_EQ(executor.waiting(), 3u);
  executor.drain();
  EXPECT_EQ(order, (std::vector{0, 1, 2}));
}

std::vector<int> order_of(uint64_t seed) {
  std::vector<int> order;
  SeededExecutor executor(seed);
  for (int i = 0; i < 4; ++i) executor.post([&order, i] { order.push_back(i); });
  executor.drain();
  return order;
}

TEST(SeededExecutor, RunsInTheOrderOfItsSeed) {
  std::set<std::vector<int>> orders;
  for (uint64_t seed = 0; seed < 3'000; ++seed) {
    auto order = order_of(seed);
    EXPECT_EQ(order, order_of(seed));
    orders.insert(std::move(order));
  }
  EXPECT_EQ(orders.size(), 24u);  // all that four tasks have
}

}  // namespace
}  // namespace pmjit::test
