#include "runtime/sched/ordered_work.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tests/unit/sched/executors.h"

namespace pmjit {
namespace {

constexpr size_t kPieces = 200;

// Each piece is the sum of three before it.
std::vector<uint64_t> sums(Executor& executor, size_t at_once) {
  std::vector<uint64_t> out(kPieces);
  OrderedWork* work = nullptr;
  const auto sum = [&](size_t i) {
    out[i] = i;
    for (const size_t before : {i / 2, i / 3, i - 1}) {
      if (before >= i) continue;
      work->wait_for(before);
      out[i] += out[before];
    }
  };
  OrderedWork made(executor, {.pieces = kPieces, .at_once = at_once, .threads = 5}, sum);
  work = &made;
  made.run();
  return out;
}

TEST(OrderedWork, PiecesSeeThoseThatTheyWaitFor) {
  InlineExecutor one;
  const auto expected = sums(one, 1);
  test::for_each_executor([&](Executor& executor) {
    for (const size_t at_once : {1U, 3U, 64U}) EXPECT_EQ(sums(executor, at_once), expected);
  });
}

TEST(OrderedWork, ThrowsWhatAPieceThrowsAndNobodyWaitsForIt) {
  test::for_each_executor([](Executor& executor) {
    OrderedWork* work = nullptr;
    const auto piece = [&](size_t i) {
      if (i == kPieces / 2) throw std::runtime_error("no");
      if (i > kPieces / 2) work->wait_for(kPieces / 2);
    };
    OrderedWork made(executor, {.pieces = kPieces, .at_once = 2, .threads = 5}, piece);
    work = &made;
    EXPECT_THROW(made.run(), std::runtime_error);
  });
}

TEST(OrderedWork, NoPiecesAreDoneAtOnce) {
  InlineExecutor one;
  OrderedWork(one, {.pieces = 0}, [](size_t) { FAIL(); }).run();
}

}  // namespace
}  // namespace pmjit
