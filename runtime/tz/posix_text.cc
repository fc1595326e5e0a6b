// The quirks are the contract: an archive's label may hold any text as its zone, and times under it
// are shown as the C library (2.36) shows them.
#include "runtime/tz/posix_text.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>

#include "runtime/base/chars.h"
#include "runtime/tz/calendar.h"

namespace pmjit::tz {

namespace {

constexpr int64_t kUsualHour = 2 * kHourSeconds;
constexpr size_t kNameLeast = 3;

// A text from left to right; '\0' behind its end.
class PosixReader {
 public:
  explicit PosixReader(std::string_view text) : text_(text.substr(0, text.find('\0'))) {}

  [[nodiscard]] char peek(size_t ahead = 0) const {
    return ahead < text_.size() ? text_[ahead] : '\0';
  }
  [[nodiscard]] bool done() const { return text_.empty(); }
  bool take(char c) {
    if (done() || peek() != c) return false;
    return text_.remove_prefix(1), true;
  }
  std::string take_text(size_t length) {
    const std::string taken(text_.substr(0, length));
    return skip(length), taken;
  }
  void skip(size_t count) { text_.remove_prefix(std::min(count, text_.size())); }

  // As scanf's %hu: blanks and a sign may come first, more digits than fit are the greatest number
  // of 64 bits, and 16 bits stay of it.
  std::optional<uint16_t> short_number() {
    size_t at = 0;
    while (std::isspace(static_cast<unsigned char>(peek(at)))) ++at;
    const bool negative = peek(at) == '-';
    at += negative || peek(at) == '+';
    if (!is_digit(peek(at))) return std::nullopt;
    const auto value = digits(at);
    skip(at);
    if (!value) return std::numeric_limits<uint16_t>::max();
    return static_cast<uint16_t>(negative ? -*value : *value);
  }
  // None: more than 64 bits.
  std::optional<uint64_t> digits(size_t& at) const {
    constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
    uint64_t value = 0;
    bool fits = true;
    for (; is_digit(peek(at)); ++at) {
      const auto digit = static_cast<uint64_t>(peek(at) - '0');
      fits = fits && value <= (kMost - digit) / 10;
      if (fits) value = value * 10 + digit;
    }
    return fits ? std::optional(value) : std::nullopt;
  }

 private:
  std::string_view text_;
};

struct TransitionTime {
  uint16_t hour, minute = 0, second = 0;
};

// hh[:mm[:ss]], as far as it goes: a colon without a number behind it stays.
bool read_clock(PosixReader& in, TransitionTime& clock) {
  const auto hour = in.short_number();
  if (!hour) return false;
  clock.hour = *hour;
  for (uint16_t* part : {&clock.minute, &clock.second}) {
    PosixReader ahead = in;
    if (!ahead.take(':')) break;
    const auto number = ahead.short_number();
    if (!number) break;
    *part = *number;
    in = ahead;
  }
  return true;
}

bool read_name(PosixReader& in, std::string& name) {
  size_t length = 0;
  while (is_letter(in.peek(length))) ++length;
  if (length >= kNameLeast) return name = in.take_text(length), true;
  if (in.peek() != '<') return false;
  const auto fits = [](char c) { return is_letter(c) || is_digit(c) || c == '+' || c == '-'; };
  length = 0;
  while (fits(in.peek(1 + length))) ++length;
  if (in.peek(1 + length) != '>' || length < kNameLeast) return false;
  in.skip(1);
  name = in.take_text(length);
  return in.skip(1), true;
}

bool has_sign(const PosixReader& in) { return in.peek() == '+' || in.peek() == '-'; }

// Seconds east of UTC, where the text counts west. A sign without a number is gone all the same.
std::optional<int64_t> read_offset(PosixReader& in) {
  const bool east = in.peek() == '-';
  if (has_sign(in)) in.skip(1);
  TransitionTime clock{.hour = 0};
  if (!read_clock(in, clock)) return std::nullopt;
  const int64_t seconds = std::min<int64_t>(clock.hour, 24) * kHourSeconds +
                          std::min<int64_t>(clock.minute, 59) * 60 +
                          std::min<int64_t>(clock.second, 59);
  return east ? seconds : -seconds;
}

bool read_day(PosixReader& in, YearlyChange& change) {
  constexpr uint64_t kDayMost = 365;
  const bool without_leap = in.take('J');
  change.kind = without_leap ? YearlyChange::Kind::day_without_leap : YearlyChange::Kind::day;
  if (!is_digit(in.peek())) return false;
  size_t length = 0;
  const auto day = in.digits(length);
  if (!day || *day > kDayMost || (without_leap && *day == 0)) return false;
  in.skip(length);
  change.day = static_cast<uint16_t>(*day);
  return true;
}

bool read_weekday(PosixReader& in, YearlyChange& change) {
  change.kind = YearlyChange::Kind::weekday;
  in.take('M');
  bool first = true;
  for (uint16_t* part : {&change.month, &change.week, &change.day}) {
    if (!first && !in.take('.')) return false;
    first = false;
    const auto number = in.short_number();
    if (!number) return false;
    *part = *number;
  }
  return change.month >= 1 && change.month <= 12 && change.week >= 1 && change.week <= 5 &&
         change.day <= 6;
}

// What has been read of a change stays where the rest makes no sense.
bool read_change(PosixReader& in, YearlyChange& change, const YearlyChange& usual) {
  in.take(',');
  if (in.done()) {
    change.kind = usual.kind, change.month = usual.month;
    change.week = usual.week, change.day = usual.day;
  } else if (in.peek() == 'J' || is_digit(in.peek())) {
    if (!read_day(in, change)) return false;
  } else if (in.peek() != 'M' || !read_weekday(in, change)) {
    return false;
  }
  if (!in.done() && in.peek() != '/' && in.peek() != ',') return false;
  change.of_day = kUsualHour;
  if (!in.take('/')) return true;
  if (in.done()) return change.of_day = 0, false;
  const bool negative = in.take('-');
  TransitionTime clock{.hour = 2};
  read_clock(in, clock);
  const int64_t seconds = clock.hour * kHourSeconds + clock.minute * 60 + clock.second;
  change.of_day = negative ? -seconds : seconds;
  return true;
}

// The clocks of the United States, as POSIX zones without rules have them.
constexpr YearlyChange kUsualSpring{
    .kind = YearlyChange::Kind::weekday, .month = 3, .week = 2, .day = 0};
constexpr YearlyChange kUsualAutumn{
    .kind = YearlyChange::Kind::weekday, .month = 11, .week = 1, .day = 0};

// 0 Sunday. Zeller's congruence with signs as the C library has it: before the year 0 it gives
// other days than the calendar.
int first_weekday(int64_t year, int month) {
  const int64_t shifted = month <= 2 ? year - 1 : year;
  const int64_t century = shifted / 100, of_century = shifted % 100;
  const int64_t term = (26 * ((month + 9) % 12 + 1) - 2) / 10;
  const int64_t day = (term + 1 + of_century + of_century / 4 + century / 4 - 2 * century) % 7;
  return static_cast<int>(day < 0 ? day + 7 : day);
}

// The day of the month, from 0, of a change by weekday.
int day_of_month(const YearlyChange& change, int64_t year) {
  const int length =
      days_before_month(year, change.month + 1) - days_before_month(year, change.month);
  int day = change.day - first_weekday(year, change.month);
  if (day < 0) day += 7;
  for (int week = 1; week < change.week && day + 7 < length; ++week) day += 7;
  return day;
}

}  // namespace

// Years before 1970 begin in 1970, and of days up to a year 32 bits are kept, which end with the
// year 5,881,580.
int64_t YearlyChange::at(int64_t year) const {
  const int64_t whole = year > kEpochYear ? days_from_date({.year = year}) : 0;
  int64_t days = static_cast<int32_t>(static_cast<uint32_t>(whole));
  switch (kind) {
    case Kind::day: days += day; break;
    case Kind::day_without_leap: days += day - 1 + (day >= 60 && is_leap(year)); break;
    case Kind::weekday:
      if (month < 1 || month > 12) break;  // misread: the C library looks beyond its tables
      days += days_before_month(year, month) + day_of_month(*this, year);
      break;
  }
  return days * kDaySeconds - east + of_day;
}

PosixZone PosixZone::parse(std::string_view text) {
  PosixZone zone;
  PosixReader in(text);
  if (in.done()) zone.standard = zone.summer = "UTC";
  if (!read_name(in, zone.standard) || (!has_sign(in) && !is_digit(in.peek()))) return zone;
  const auto standard = read_offset(in);
  if (!standard) return zone;
  zone.to_summer.east = *standard;
  if (in.done()) {
    zone.to_standard.east = *standard;
    zone.summer = zone.standard;
    return zone;
  }
  if (read_name(in, zone.summer)) {
    zone.to_standard.east = read_offset(in).value_or(*standard + kHourSeconds);
    zone.lacks_rules = in.done() || (in.peek() == ',' && in.peek(1) == '\0');
  }
  if (read_change(in, zone.to_summer, kUsualSpring)) {
    read_change(in, zone.to_standard, kUsualAutumn);
  }
  return zone;
}

Offset PosixZone::at(int64_t sec) const {
  const int64_t year = date_of_day(floor_div(sec, kDaySeconds)).year;
  const int64_t spring = to_summer.at(year), autumn = to_standard.at(year);
  // South of the equator summer goes on into the next year.
  const bool summer =
      spring > autumn ? sec < autumn || sec >= spring : sec >= spring && sec < autumn;
  return {.east = summer ? to_standard.east : to_summer.east, .summer = summer};
}

}  // namespace pmjit::tz
