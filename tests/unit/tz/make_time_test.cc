#include "runtime/tz/rules.h"

#include <gtest/gtest.h>

#include <thread>

namespace pmjit::tz {
namespace {

std::tm fields(int month, int day, int hour, int minute, int summer = -1) {
  return {.tm_min = minute,
          .tm_hour = hour,
          .tm_mday = day,
          .tm_mon = month - 1,
          .tm_year = 124,
          .tm_isdst = summer};
}

TEST(MakeTime, AnHourThatComesTwiceIsReadAsTheCallBeforeWas) {
  const SharedRules berlin = load_rules("Europe/Berlin");
  const std::tm twice = fields(10, 27, 2, 30);
  constexpr int64_t kSummer = 1'729'989'000, kWinter = kSummer + 3'600;
  int64_t guess = 0;
  EXPECT_EQ(make_time(*berlin, twice, guess), kWinter);
  EXPECT_EQ(make_time(*berlin, fields(7, 1, 0, 0), guess), 1'719'784'800);
  EXPECT_EQ(make_time(*berlin, twice, guess), kSummer);
  guess = 0;
  EXPECT_EQ(make_time(*berlin, fields(10, 27, 2, 30, 1), guess), kSummer);
  EXPECT_EQ(make_time(*berlin, fields(10, 27, 2, 30, 0), guess), kWinter);
}

TEST(MakeTime, AnHourThatIsLeftOutIsTheOneBehindIt) {
  const SharedRules berlin = load_rules("Europe/Berlin");
  int64_t guess = 0;
  EXPECT_EQ(make_time(*berlin, fields(3, 31, 2, 30), guess), 1'711'848'600);
}

TEST(MakeTime, SummerWhereThereIsNoneIsAnHour) {
  int64_t guess = 0;
  const int64_t winter = make_time(*load_rules("UTC"), fields(1, 1, 0, 0, 0), guess);
  EXPECT_EQ(make_time(*load_rules("UTC"), fields(1, 1, 0, 0, 1), guess), winter - 3'600);
}

TEST(MakeTime, AYearThatNoTimeHasIsNone) {
  int64_t guess = 0;
  const std::tm far{.tm_sec = INT32_MAX, .tm_mday = INT32_MAX, .tm_mon = 11, .tm_year = INT32_MAX};
  EXPECT_EQ(make_time(*load_rules("UTC"), far, guess), -1);
}

TEST(Rules, AreSharedByThreads) {
  const SharedRules berlin = load_rules("Europe/Berlin");
  std::tm once{};
  ASSERT_TRUE(berlin->local(1'720'000'000, once));
  const auto walk = [&berlin, once] {
    for (int i = 0; i < 10'000; ++i) {
      std::tm tm = once;
      int64_t guess = 0;
      ASSERT_EQ(make_time(*berlin, tm, guess), 1'720'000'000);
      ASSERT_EQ(berlin->at(1'720'000'000 + i).east, 7'200);
    }
  };
  std::thread other(walk);
  walk();
  other.join();
}

}  // namespace
}  // namespace pmjit::tz
