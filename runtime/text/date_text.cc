// A recursive descent over the tokens, which only collects, then the arithmetic.
//
//   date := { item }
//   item := N half | N ":" N [":" N] [half | ±N]          time; ±N is a zone, ±hhmm
//         | zone ["dst"] | summer_zone
//         | day [","] | N day
//         | N "/" N ["/" N] | N ±N ±N | N month [±N | N] | month N ["," N]
//         | [N | ±N] unit ["ago"]
//         | N                                             a year, yyyymmdd, hhmm or an hour
#include "runtime/text/date_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "runtime/base/bits.h"

namespace pmjit {

namespace {

constexpr int64_t kDay = 86'400, kHour = 3'600;
constexpr int kEpochYear = 1970;
enum class Summer : uint8_t { as_zone, on, off };

struct WrittenDate {
  int64_t year = 0, month = 0, day = 0;
};
struct WrittenTime {
  int64_t hour = 0, minute = 0, second = 0;
  std::optional<int64_t> half;  // am 0, pm 12
};

// Sums beyond 64 bits wrap, as they do in the reference.
int64_t wrapped(Int128 value) { return static_cast<int64_t>(value); }

// What the text said, on top of what the base gives.
struct DateParts {
  WrittenDate date;
  WrittenTime clock;
  int64_t west = 0;  // minutes
  Summer summer = Summer::as_zone;
  int64_t ordinal = 0, weekday = 0;
  int64_t seconds = 0, months = 0;  // relative
  int dates = 0, times = 0, zones = 0, weekdays = 0, relatives = 0, whole_days = 0;
};

class DateParser {
 public:
  DateParser(std::string_view text, DateParts& parts) : in_(text), out_(parts) {}

  bool parse() {
    while (in_.next().kind != DateKind::end) {
      if (!item()) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] DateKind kind() const { return in_.next().kind; }
  bool sign(char c) {
    if (kind() != DateKind::sign || in_.next().value != c) return false;
    return in_.take(), true;
  }
  bool number_into(int64_t& value, DateKind wanted = DateKind::number) {
    if (kind() != wanted) return false;
    return value = in_.take().value, true;
  }

  bool item() {
    const DateToken token = in_.take();
    switch (token.kind) {
      case DateKind::number: return after_number(token.value);
      case DateKind::signed_number: return is_unit(kind()) && relative(token.value);
      case DateKind::month: return month_first(token.value);
      case DateKind::day: sign(','); return weekday(1, token.value);
      case DateKind::zone:
      case DateKind::summer_zone: return zone(token);
      default: return is_unit(token.kind) && relative_of(1, token);
    }
  }

  bool after_number(int64_t n) {
    switch (kind()) {
      case DateKind::half: return clock({.hour = n, .half = in_.take().value});
      case DateKind::signed_number: return year_first(n);
      case DateKind::month: return day_month(n);
      case DateKind::day: return weekday(n, in_.take().value);
      default: break;
    }
    if (is_unit(kind())) return relative(n);
    if (sign(':')) return hour_minute(n);
    if (sign('/')) return slashes(n);
    return bare(n);
  }

  bool clock(const WrittenTime& clock) {
    out_.clock = clock;
    return ++out_.times, true;
  }

  bool hour_minute(int64_t hour) {
    WrittenTime read{.hour = hour};
    if (!number_into(read.minute)) return false;
    if (sign(':') && !number_into(read.second)) return false;
    if (kind() == DateKind::half) {
      read.half = in_.take().value;
    } else if (kind() == DateKind::signed_number) {
      const int64_t east = in_.take().value;
      out_.west = -(east % 100 + east / 100 * 60);
      out_.summer = Summer::off;
    }
    return clock(read);
  }

  bool zone(const DateToken& token) {
    const bool dst = token.kind == DateKind::zone && kind() == DateKind::summer;
    if (dst) in_.take();
    out_.west = token.value;
    out_.summer = dst || token.kind == DateKind::summer_zone ? Summer::on : Summer::off;
    return ++out_.zones, true;
  }

  bool weekday(int64_t ordinal, int64_t day) {
    out_.ordinal = ordinal, out_.weekday = day;
    return ++out_.weekdays, true;
  }

  // Without a year that of the base stays.
  bool date(int64_t month, int64_t day, std::optional<int64_t> year = std::nullopt) {
    out_.date = {.year = year.value_or(out_.date.year), .month = month, .day = day};
    return ++out_.dates, true;
  }

  bool slashes(int64_t first) {
    int64_t second = 0, third = 0;
    if (!number_into(second)) return false;
    if (!sign('/')) return date(first, second);
    if (!number_into(third)) return false;
    return first >= 100 ? date(second, third, first) : date(first, second, third);
  }

  // 2024-03-15: what follows the year looks like negative numbers.
  bool year_first(int64_t year) {
    const int64_t month = -in_.take().value;
    int64_t day = 0;
    return number_into(day, DateKind::signed_number) && date(month, -day, year);
  }

  bool day_month(int64_t day) {
    const int64_t month = in_.take().value;
    if (kind() == DateKind::number) return date(month, day, in_.take().value);
    if (kind() == DateKind::signed_number) return date(month, day, -in_.take().value);
    return date(month, day);
  }

  bool month_first(int64_t month) {
    int64_t day = 0, year = 0;
    if (!number_into(day)) return false;
    if (!sign(',')) return date(month, day);
    return number_into(year) && date(month, day, year);
  }

  bool bare(int64_t n) {
    if (out_.times > 0 && out_.dates > 0 && out_.relatives == 0) return out_.date.year = n, true;
    if (n > 10'000) return date(n / 100 % 100, n % 100, n / 10'000);
    return n < 100 ? clock({.hour = n}) : clock({.hour = n / 100, .minute = n % 100});
  }

  static bool is_unit(DateKind kind) {
    return kind == DateKind::seconds || kind == DateKind::months || kind == DateKind::whole_days ||
           kind == DateKind::word_seconds;
  }
  bool relative(int64_t count) { return relative_of(count, in_.take()); }
  bool relative_of(int64_t count, const DateToken& unit) {
    int64_t& sum = unit.kind == DateKind::months ? out_.months : out_.seconds;
    sum = wrapped(sum + Int128{count} * unit.value);
    out_.whole_days += unit.kind == DateKind::whole_days;
    if (kind() == DateKind::ago) {  // of everything so far
      in_.take();
      out_.seconds = wrapped(-Int128{out_.seconds}), out_.months = wrapped(-Int128{out_.months});
    }
    return ++out_.relatives, true;
  }

  DateTokens in_;
  DateParts& out_;
};

// From here on −1 is "no such date", and it is reckoned with as if it were a time: so does the
// reference, and with it come the answers it gives for the 31st of a short month.
constexpr int64_t kNoDate = -1;

std::optional<int64_t> second_of_day(const WrittenTime& clock) {
  if (clock.minute < 0 || clock.minute > 59 || clock.second < 0 || clock.second > 59) return {};
  const int64_t least = clock.half ? 1 : 0, most = clock.half ? 12 : 23;
  if (clock.hour < least || clock.hour > most) return {};
  const int64_t hour = clock.half ? clock.hour % 12 + *clock.half : clock.hour;
  return hour * kHour + clock.minute * 60 + clock.second;
}

int64_t full_year(int64_t year) {
  year = static_cast<uint32_t>(year < 0 ? -year : year);
  return year < 69 ? year + 2000 : year < 100 ? year + 1900 : year;
}

// Days since the epoch by a calendar in which every fourth year is a leap year.
int64_t days_before(int64_t year, int64_t month) {
  static constexpr std::array<int, 12> kBefore{0,   31,  59,  90,  120, 151,
                                               181, 212, 243, 273, 304, 334};
  const int64_t leap_days = (year - 1) / 4 - (kEpochYear - 1) / 4;
  return (year - kEpochYear) * 365 + leap_days + kBefore[static_cast<size_t>(month - 1)];
}

int64_t days_in(int64_t year, int64_t month) {
  static constexpr std::array<int, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return kDays[static_cast<size_t>(month - 1)] + (month == 2 && leap);
}

// What a date is read with besides its own numbers.
struct DateSurroundings {
  int64_t west;
  Summer summer;
  const Zone& zone;
};

int64_t time_of(const WrittenDate& date, const WrittenTime& clock, const DateSurroundings& place) {
  const int64_t year = full_year(date.year);
  const auto in_day = second_of_day(clock);
  if (!in_day || year < kEpochYear || date.month < 1 || date.month > 12 || date.day < 1 ||
      date.day > days_in(year, date.month))
    return kNoDate;
  const bool leap_day = date.month > 2 && days_in(year, 2) == 29;
  const int64_t days = days_before(year, date.month) + leap_day + date.day - 1;
  const int64_t time = wrapped(Int128{days} * kDay + Int128{place.west} * 60 + *in_day);
  const bool summer = place.summer == Summer::on ||
                      (place.summer == Summer::as_zone && place.zone.local(time).tm_isdst > 0);
  return time - (summer ? kHour : 0);
}

// From one time to another, such that the clock on the wall shows the same hour.
int64_t keep_hour(int64_t from, int64_t to, const Zone& zone) {
  const int before = (zone.local(from).tm_hour + 1) % 24;
  const int after = (zone.local(to).tm_hour + 1) % 24;
  return wrapped(Int128{to} + (before - after) * kHour);
}

int64_t add_months(int64_t time, const DateParts& parts, const Zone& zone) {
  if (parts.months == 0) return time;
  const std::tm tm = zone.local(time);
  const Int128 month = Int128{12} * (int64_t{tm.tm_year} + 1900) + tm.tm_mon + parts.months;
  const WrittenDate date{
      .year = wrapped(month / 12), .month = wrapped(month % 12 + 1), .day = tm.tm_mday};
  const WrittenTime clock{.hour = tm.tm_hour, .minute = tm.tm_min, .second = tm.tm_sec, .half = {}};
  const DateSurroundings place{.west = parts.west, .summer = Summer::as_zone, .zone = zone};
  return keep_hour(time, time_of(date, clock, place), zone);
}

int64_t to_weekday(int64_t time, const DateParts& parts, const Zone& zone) {
  const int64_t days = (parts.weekday - zone.local(time).tm_wday + 7) % 7;
  const Int128 weeks = parts.ordinal <= 0 ? parts.ordinal : parts.ordinal - 1;
  return keep_hour(time, wrapped(time + (weeks * 7 + days) * kDay), zone);
}

std::optional<int64_t> reckon(const DateParts& parts, int64_t base, const Zone& zone) {
  int64_t time = base;
  if (parts.dates + parts.times + parts.weekdays + parts.whole_days > 0) {
    time = time_of(parts.date, parts.clock,
                   {.west = parts.west, .summer = parts.summer, .zone = zone});
    if (time < 0) return std::nullopt;
  } else if (parts.relatives == 0) {
    const std::tm tm = zone.local(time);
    time -= tm.tm_hour * kHour + tm.tm_min * 60 + tm.tm_sec;
  }
  time = add_months(wrapped(Int128{time} + parts.seconds), parts, zone);
  return parts.weekdays > 0 && parts.dates == 0 ? to_weekday(time, parts, zone) : time;
}

// What a relative word is relative to: looked for in the text, comments and all.
int64_t base_of(std::string_view text, const DateBases& bases) {
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
  const auto has = [&](std::string_view word) { return upper.contains(word); };
  static constexpr std::array<std::string_view, 10> kUnits{
      " YEAR", " MONTH",  " FORTNIGHT", " WEEK",   " DAY",
      " HOUR", " MINUTE", " MIN",       " SECOND", " SEC"};
  if (!std::ranges::any_of(kUnits, has)) return bases.now;
  const bool back = has("LAST") || has("AGO") || upper.starts_with('-');
  return back && bases.end ? *bases.end : bases.start;
}

}  // namespace

std::optional<int64_t> parse_date(std::string_view text, const DateBases& bases, const Zone& zone) {
  const int64_t base = base_of(text, bases);
  const std::tm now = zone.local(base);
  DateParts parts;
  parts.date = {.year = now.tm_year + 1900, .month = now.tm_mon + 1, .day = now.tm_mday};
  // The zone's offset out of summer, by the hour that summer time is everywhere.
  parts.west = -now.tm_gmtoff / 60 + (now.tm_isdst > 0 ? 60 : 0);
  if (!DateParser(text, parts).parse()) return std::nullopt;
  if (parts.dates > 1 || parts.times > 1 || parts.zones > 1 || parts.weekdays > 1 ||
      parts.whole_days > 1)
    return std::nullopt;
  return reckon(parts, base, zone);
}

}  // namespace pmjit
