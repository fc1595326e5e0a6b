// Every kind of executor, for tests that hold on each of them.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "runtime/base/executor.h"
#include "runtime/sched/tbb_executor.h"

namespace pmjit::test {

// test(Executor&): TBB's of some numbers of threads, inline ones, seeded ones.
template <class Test>
void for_each_executor(const Test& test, uint64_t seeds = 50) {
  for (const unsigned threads : {1u, 2u, 3u, 5u}) {
    SCOPED_TRACE("TBB's with " + std::to_string(threads) + " threads");
    TbbExecutor executor(threads);
    test(executor);
  }
  for (const auto runs : {InlineExecutor::Runs::at_once, InlineExecutor::Runs::in_drain}) {
    SCOPED_TRACE("inline");
    InlineExecutor executor(runs);
    test(executor);
  }
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    SeededExecutor executor(seed, 2 + seed % 4);
    test(executor);
  }
}

}  // namespace pmjit::test
