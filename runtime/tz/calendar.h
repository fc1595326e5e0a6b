// Days and dates of the Gregorian calendar, before its invention too, for years of any size.
//
//   days_from_date({2024, 3, 1})        // 19783: days since 1970-01-01
//   date_of_day(19'783)                 // 2024-03-01
//   std::tm tm{};
//   fill_clock(seconds, tm)             // as gmtime_r(), without the C library's lock
//
// Days become dates by Howard Hinnant's arithmetic: years begin in March, so that a leap day ends
// one, and 146,097 days make 400 of them.
#pragma once

#include <cstdint>
#include <ctime>

namespace pmjit::tz {

inline constexpr int64_t kDaySeconds = 86'400, kHourSeconds = 3'600;
inline constexpr int kEpochYear = 1970, kTmYear = 1900;

struct Date {
  int64_t year = kEpochYear, month = 1, day = 1;  // month and day count from 1
};

inline bool is_leap(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

inline int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

[[nodiscard]] int64_t days_from_date(const Date& date);
[[nodiscard]] Date date_of_day(int64_t day);
[[nodiscard]] int days_before_month(int64_t year, int month);  // 1 to 13

// Date, weekday and time of day at `sec`, all in UTC. False: an int does not hold the year.
[[nodiscard]] bool fill_clock(int64_t sec, std::tm& tm);

}  // namespace pmjit::tz
