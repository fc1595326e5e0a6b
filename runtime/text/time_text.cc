#include "runtime/text/time_text.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

namespace pmjit {

namespace {

constexpr int64_t kDay = 86'400;
constexpr std::string_view kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::string_view kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// By hand: tools print a time a record, and this is a quarter of the cost. At least `width` wide.
void put_number(std::string& out, int64_t number, size_t width) {
  if (number < 0) {
    fmt::format_to(std::back_inserter(out), "{:0{}}", number, width);
    return;
  }
  char digits[20];
  size_t at = sizeof digits;
  for (; number > 0 || sizeof digits - at < width; number /= 10)
    digits[--at] = static_cast<char>('0' + number % 10);
  out.append(digits + at, sizeof digits - at);
}

void put_fraction(std::string& out, int32_t nsec, Fraction fraction) {
  if (fraction == Fraction::none) return;
  out += '.';
  switch (fraction) {
    case Fraction::none: return;
    case Fraction::milli: put_number(out, nsec / 1'000'000, 3); return;
    case Fraction::micro: put_number(out, nsec / 1'000, 6); return;
    case Fraction::nano: put_number(out, nsec, 9); return;
  }
}

int64_t second_of_day(int64_t sec, const Zone& zone) {
  const int64_t rest = (sec % kDay + zone.east(sec)) % kDay;
  return rest < 0 ? rest + kDay : rest;
}

void put_date(std::string& out, const std::tm& tm) {
  fmt::format_to(std::back_inserter(out), "{} {} {:2} ", kDays[tm.tm_wday], kMonths[tm.tm_mon],
                 tm.tm_mday);
}

}  // namespace

void put_time_of_day(std::string& out, Stamp time, Fraction fraction, const Zone& zone) {
  const int64_t at = second_of_day(time.sec, zone);
  put_number(out, at / 3'600, 2);
  out += ':';
  put_number(out, at / 60 % 60, 2);
  out += ':';
  put_number(out, at % 60, 2);
  put_fraction(out, time.nsec, fraction);
}

void put_date_and_time(std::string& out, Stamp time, Fraction fraction, const Zone& zone) {
  const std::tm tm = zone.local(time.sec);
  put_date(out, tm);
  put_time_of_day(out, time, fraction, zone);
  fmt::format_to(std::back_inserter(out), " {}", int64_t{tm.tm_year} + 1900);
}

std::string pm_ctime(int64_t sec, const Zone& zone) {
  return date_and_time({sec, 0}, Fraction::none, zone) + "\n";
}

std::string time_of_day(Stamp time, Fraction fraction, const Zone& zone) {
  std::string out;
  put_time_of_day(out, time, fraction, zone);
  return out;
}

std::string date_and_time(Stamp time, Fraction fraction, const Zone& zone) {
  std::string out;
  put_date_and_time(out, time, fraction, zone);
  return out;
}

std::string iso_local(Stamp time, const Zone& zone) {
  const Stamp whole = stamp_from_nanos(nanos(time));
  const int64_t east = zone.east(whole.sec), minutes = (east < 0 ? -east : east) / 60;
  std::string out = iso_utc({whole.sec + east, whole.nsec});
  if (east == 0) return out;
  out.pop_back();
  fmt::format_to(std::back_inserter(out), "{}{:02}:{:02}", east < 0 ? '-' : '+', minutes / 60,
                 minutes % 60);
  return out;
}

}  // namespace pmjit
