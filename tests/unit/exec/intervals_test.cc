#include "runtime/exec/intervals.h"

#include <gtest/gtest.h>

namespace pmjit {
namespace {

constexpr Nanos kSecond = 1'000'000'000;

TEST(Intervals, UndefinedUntilTheSecondUpdate) {
  Intervals intervals;
  EXPECT_FALSE(intervals.interval());
  intervals.update({100, 0});
  EXPECT_FALSE(intervals.interval());
  EXPECT_FALSE(intervals.limit().exceeded_by(1000 * kSecond));
  intervals.update({110, 0});
  EXPECT_EQ(*intervals.interval(), 10 * kSecond);
}

TEST(Intervals, AnUpdateAtTheSameStampAddsNoDifference) {
  Intervals intervals;
  intervals.update({100, 0});
  intervals.update({100, 0});
  EXPECT_FALSE(intervals.interval());
}

TEST(Intervals, TheLowerMedianOfTheLastFive) {
  Intervals intervals;
  int64_t at = 0;
  intervals.update({at, 0});
  auto step = [&](int64_t seconds) {
    at += seconds;
    intervals.update({at, 0});
    return *intervals.interval() / kSecond;
  };
  EXPECT_EQ(step(10), 10);
  EXPECT_EQ(step(60), 10);  // of 10 60 the lower
  EXPECT_EQ(step(60), 60);  // 10 60 60
  EXPECT_EQ(step(10), 10);  // 10 10 60 60
  EXPECT_EQ(step(10), 10);  // 10 10 10 60 60
  EXPECT_EQ(step(60), 60);  // the first 10 is forgotten: 10 10 60 60 60
}

TEST(AgeLimit, IsComparedExactly) {
  const AgeLimit limit{.limited = true, .interval = 3};
  EXPECT_FALSE(limit.exceeded_by(7));  // 2·7 ≤ 5·3
  EXPECT_TRUE(limit.exceeded_by(8));
}

TEST(Intervals, ANewSegmentStartsAfresh) {
  Intervals intervals;
  intervals.update({0, 0});
  intervals.update({10, 0});
  intervals.start_segment();
  intervals.update({20, 0});
  EXPECT_FALSE(intervals.interval());
}

}  // namespace
}  // namespace pmjit
