#include "runtime/exec/intervals.h"

#include <gtest/gtest.h>

namespace pmjit {
namespace {

constexpr Nanos kSecond = 1'000'000'000;

// Updates intervals by steps, and gives L after each.
class Steps {
 public:
  Steps() { intervals_.update({}); }
  Nanos operator()(Nanos step) {
    at_ += step;
    intervals_.update(stamp_from_nanos(at_));
    return intervals_.interval().value_or(0);
  }
  [[nodiscard]] AgeLimit limit() const { return intervals_.limit(); }

 private:
  Intervals intervals_;
  Nanos at_ = 0;
};

TEST(Intervals, UndefinedUntilTheSecondDifference) {
  Intervals intervals;
  EXPECT_FALSE(intervals.interval());
  intervals.update({100, 0});
  EXPECT_FALSE(intervals.interval());
  EXPECT_FALSE(intervals.limit().exceeded_by(1000 * kSecond));
  intervals.update({110, 0});
  EXPECT_FALSE(intervals.interval());
  EXPECT_FALSE(intervals.limit().within_tick(0));
  intervals.update({125, 0});
  EXPECT_EQ(*intervals.interval(), 15 * kSecond);
}

TEST(Intervals, AnUpdateAtTheSameStampAddsNoDifference) {
  Intervals intervals;
  intervals.update({100, 0});
  intervals.update({100, 0});
  EXPECT_FALSE(intervals.interval());
}

TEST(Intervals, TheLargestOfTwoToFour) {
  Steps step;
  step(10);
  EXPECT_EQ(step(60), 60);
  EXPECT_EQ(step(20), 60);
  EXPECT_EQ(step(70), 70);
  EXPECT_EQ(step(10), 60);  // of five the second largest
}

TEST(Intervals, TheSecondLargestOfTheLastNine) {
  Steps step;
  for (int i = 0; i < 8; ++i) step(10);
  EXPECT_EQ(step(500), 10);  // a pause
  EXPECT_EQ(step(10), 10);
  EXPECT_EQ(step(400), 400);  // another one among the nine
  for (int i = 0; i < 6; ++i) EXPECT_EQ(step(10), 400);
  EXPECT_EQ(step(10), 10);  // the first one is forgotten
}

TEST(Intervals, SeveralUpdatesATickAreOneRhythm) {
  for (const int groups : {2, 3}) {
    Steps step;
    for (int tick = 0; tick < 10; ++tick) {
      for (int group = 1; group < groups; ++group) step(20);
      const Nanos interval = step(10'000);
      if (tick == 0) continue;
      EXPECT_EQ(interval, 10'000) << groups << " groups, tick " << tick;
    }
  }
}

TEST(Intervals, FollowAChangeEitherWay) {
  Steps step;
  for (int i = 0; i < 9; ++i) step(10);
  EXPECT_EQ(step(60), 10);  // longer: the first step is still a gap
  EXPECT_TRUE(step.limit().exceeded_by(60));
  EXPECT_EQ(step(60), 60);
  for (int i = 0; i < 9; ++i) step(60);
  for (int i = 0; i < 7; ++i) EXPECT_EQ(step(10), 60);
  EXPECT_EQ(step(10), 10);  // shorter: after eight
}

TEST(AgeLimit, IsComparedExactly) {
  const AgeLimit limit{.limited = true, .interval = 3};
  EXPECT_FALSE(limit.exceeded_by(7));  // 2·7 ≤ 5·3
  EXPECT_TRUE(limit.exceeded_by(8));
}

TEST(AgeLimit, TicksAreComparedExactly) {
  const AgeLimit limit{.interval = 10};
  EXPECT_TRUE(limit.within_tick(2));  // 4·2 < 10
  EXPECT_FALSE(limit.within_tick(3));
  const AgeLimit even{.interval = 8};
  EXPECT_TRUE(even.within_tick(1));
  EXPECT_FALSE(even.within_tick(2));
}

TEST(Intervals, ANewSegmentStartsAfresh) {
  Intervals intervals;
  intervals.update({0, 0});
  intervals.update({10, 0});
  intervals.update({20, 0});
  EXPECT_TRUE(intervals.interval());
  intervals.start_segment();
  intervals.update({30, 0});
  intervals.update({40, 0});
  EXPECT_FALSE(intervals.interval());
}

}  // namespace
}  // namespace pmjit
