// ISO 8601, and the same with a blank for the T: an extension over the reference's forms, for these
// are the times that our own output prints.
#include <algorithm>
#include <cctype>
#include <ctime>

#include "runtime/text/date_text.h"
#include "runtime/tz/calendar.h"

namespace pmjit {

namespace {

// Takes parts off the front; once one is missing, everything after it is missing too.
struct IsoScanner {
  std::string_view text;
  bool good = true;

  int digits(size_t count) {
    int value = 0;
    if (text.size() < count) return good = false, 0;
    for (size_t i = 0; i < count; ++i) {
      if (text[i] < '0' || text[i] > '9') return good = false, 0;
      value = value * 10 + (text[i] - '0');
    }
    text.remove_prefix(count);
    return value;
  }
  bool next(char c) {
    if (text.empty() || text.front() != c) return false;
    return text.remove_prefix(1), true;
  }
  void must(char c) { good = next(c) && good; }
  size_t blanks() {
    const size_t many = std::min(text.find_first_not_of(" \t"), text.size());
    return text.remove_prefix(many), many;
  }
  int32_t fraction() {
    int32_t nsec = 0, scale = 100'000'000;
    size_t many = 0;
    for (; many < text.size() && std::isdigit(static_cast<unsigned char>(text[many])); ++many) {
      nsec += (text[many] - '0') * scale;
      scale /= 10;
    }
    good = good && many > 0;
    return text.remove_prefix(many), nsec;
  }
};

int days_of(int month, int year) {
  static constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return kDays[month - 1] + (month == 2 && leap);
}

// Seconds east of Greenwich; none: no zone is written.
std::optional<int> read_zone(IsoScanner& in) {
  in.blanks();
  for (std::string_view name : {"Z", "z", "UTC", "GMT", "utc", "gmt"}) {
    if (in.text == name) return in.text = {}, 0;
  }
  const bool west = in.next('-');
  if (!west && !in.next('+')) return std::nullopt;
  const int hours = in.digits(2);
  in.next(':');
  const int minutes = in.digits(2);
  in.good = in.good && hours <= 23 && minutes <= 59;
  return (hours * 3600 + minutes * 60) * (west ? -1 : 1);
}

}  // namespace

std::optional<Stamp> parse_iso(std::string_view text, const Zone& zone) {
  IsoScanner in{text};
  std::tm tm{};
  int32_t nsec = 0;
  in.blanks();
  const int year = in.digits(4);
  in.must('-');
  const int month = in.digits(2);
  in.must('-');
  const int day = in.digits(2);
  if (!in.good || month < 1 || month > 12 || day < 1 || day > days_of(month, year))
    return std::nullopt;
  tm.tm_year = year - 1900, tm.tm_mon = month - 1, tm.tm_mday = day;
  if (in.next('T') || in.next('t') || (in.blanks() > 0 && !in.text.empty())) {
    tm.tm_hour = in.digits(2);
    in.must(':');
    tm.tm_min = in.digits(2);
    if (in.next(':')) tm.tm_sec = in.digits(2);
    if (in.next('.')) nsec = in.fraction();
  }
  const std::optional<int> east = read_zone(in);
  if (!in.good || in.blanks() > 0 || !in.text.empty()) return std::nullopt;
  if (tm.tm_hour > 23 || tm.tm_min > 59 || tm.tm_sec > 60) return std::nullopt;
  if (east) {
    const int64_t days = tz::days_from_date({.year = year, .month = month, .day = day});
    const int of_day = tm.tm_hour * 3'600 + tm.tm_min * 60 + tm.tm_sec;
    return Stamp{days * tz::kDaySeconds + of_day - *east, nsec};
  }
  tm.tm_isdst = -1;
  return Stamp{zone.seconds_of(tm), nsec};
}

}  // namespace pmjit
