#include "runtime/tz/calendar.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "tests/unit/tz/c_library.h"

namespace pmjit::tz {
namespace {

TEST(Calendar, IsThatOfTheStandardLibrary) {
  for (int64_t day = -800'000; day < 800'000; day += 13) {
    const std::chrono::year_month_day wanted{
        std::chrono::sys_days(std::chrono::days(static_cast<int>(day)))};
    const Date date = date_of_day(day);
    ASSERT_EQ(date.year, int{wanted.year()});
    ASSERT_EQ(date.month, unsigned{wanted.month()});
    ASSERT_EQ(date.day, unsigned{wanted.day()});
    ASSERT_EQ(days_from_date(date), day);
  }
}

TEST(Calendar, ClocksAreThoseOfGmtime) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<int64_t> any(-70'000'000'000'000'000, 70'000'000'000'000'000);
  for (int i = 0; i < 20'000; ++i) {
    const int64_t sec = any(random) >> (i % 40);
    std::tm wanted{}, got{};
    const bool fits = gmtime_r(&sec, &wanted) != nullptr;
    ASSERT_EQ(fill_clock(sec, got), fits) << sec;
    if (fits) {
      ASSERT_EQ(shown(got), shown(wanted)) << sec;
    }
  }
}

TEST(Calendar, AYearThatNoIntHoldsIsRefused) {
  std::tm tm{};
  for (const int64_t sec : {INT64_MIN, INT64_MAX}) EXPECT_FALSE(fill_clock(sec, tm));
}

}  // namespace
}  // namespace pmjit::tz
