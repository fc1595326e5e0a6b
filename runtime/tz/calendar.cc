#include "runtime/tz/calendar.h"

#include <array>
#include <limits>

namespace pmjit::tz {

namespace {

constexpr int64_t kEraDays = 146'097;          // 400 years
constexpr int64_t kDaysToEpoch = 719'468;      // from 0000-03-01
constexpr int64_t kMonthsFromMarchFive = 153;  // days of five months, from March on

}  // namespace

int64_t days_from_date(const Date& date) {
  const int64_t year = date.year - (date.month <= 2);
  const int64_t era = floor_div(year, 400), of_era = year - era * 400;
  const int64_t month = (date.month + 9) % 12;
  const int64_t day = (kMonthsFromMarchFive * month + 2) / 5 + date.day - 1;
  return era * kEraDays + of_era * 365 + of_era / 4 - of_era / 100 + day - kDaysToEpoch;
}

Date date_of_day(int64_t day) {
  const int64_t from_march = day + kDaysToEpoch;
  const int64_t era = floor_div(from_march, kEraDays), of_era = from_march - era * kEraDays;
  const int64_t year = (of_era - of_era / 1'460 + of_era / 36'524 - of_era / 146'096) / 365;
  const int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
  const int64_t month = (5 * of_year + 2) / kMonthsFromMarchFive;
  const int64_t of_january = month < 10 ? month + 3 : month - 9;
  return {.year = year + era * 400 + (of_january <= 2),
          .month = of_january,
          .day = of_year - (kMonthsFromMarchFive * month + 2) / 5 + 1};
}

int days_before_month(int64_t year, int month) {
  static constexpr std::array<int, 14> kBefore{0,   0,   31,  59,  90,  120, 151,
                                               181, 212, 243, 273, 304, 334, 365};
  return kBefore[static_cast<size_t>(month)] + (month > 2 && is_leap(year));
}

bool fill_clock(int64_t sec, std::tm& tm) {
  const int64_t day = floor_div(sec, kDaySeconds);
  // The first day that there is begins before all seconds that there are.
  const auto of_day = static_cast<int>((sec % kDaySeconds + kDaySeconds) % kDaySeconds);
  const Date date = date_of_day(day);
  const int64_t year = date.year - kTmYear;
  if (year < std::numeric_limits<int>::min() || year > std::numeric_limits<int>::max())
    return false;
  constexpr int kThursday = 4;  // the first day of 1970
  const int64_t weekday = (day % 7 + kThursday + 7) % 7;
  tm.tm_year = static_cast<int>(year);
  tm.tm_mon = static_cast<int>(date.month - 1);
  tm.tm_mday = static_cast<int>(date.day);
  tm.tm_hour = of_day / static_cast<int>(kHourSeconds);
  tm.tm_min = of_day / 60 % 60;
  tm.tm_sec = of_day % 60;
  tm.tm_wday = static_cast<int>(weekday);
  tm.tm_yday = days_before_month(date.year, tm.tm_mon + 1) + tm.tm_mday - 1;
  return true;
}

}  // namespace pmjit::tz
