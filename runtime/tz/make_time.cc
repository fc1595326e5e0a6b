// The search is that of Paul Eggert's mktime(), which the C library has: probe, add what is
// missing, and see after a few probes whether they meet. Its order of probes is part of the answer
// in hours that come twice or never, so it is kept; the numbers are too.
#include "runtime/tz/rules.h"

#include <algorithm>
#include <optional>

#include "runtime/tz/calendar.h"

namespace pmjit::tz {

namespace {

constexpr int kProbes = 6;
// Between probes for the clock that was asked for, and the furthest of them: no clock of the data
// base stays for a shorter and, where it differs by anything but an hour, for a longer time.
constexpr int64_t kStride = 601'200, kFurthest = 457'243'209 / 2 + kStride;

int64_t wrapped_add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t wrapped_minus(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}

// Fields as seconds since 1970, were the clock UTC's. Years are those of std::tm.
int64_t as_if_utc(int64_t year, int64_t day_of_year, int64_t hour, int64_t minute, int64_t second) {
  const int64_t days = days_from_date({.year = year + kTmYear}) + day_of_year;
  return ((days * 24 + hour) * 60 + minute) * 60 + second;
}
int64_t as_if_utc(const std::tm& tm) {
  return as_if_utc(tm.tm_year, tm.tm_yday, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

// The nearest time to `sec`, from 1970 on, that a std::tm holds.
void convert_near(const Rules& rules, int64_t& sec, std::tm& tm) {
  if (rules.local(sec, tm)) return;
  int64_t bad = sec, good = 0;
  while (true) {
    const int64_t middle = (good >> 1) + (bad >> 1) + ((good | bad) & 1);
    if (middle == good || middle == bad) break;
    (rules.local(middle, tm) ? good : bad) = middle;
  }
  sec = good;
  (void)rules.local(good, tm);
}

bool differs(int asked, int is) { return asked >= 0 && (asked == 0) != (is == 0); }

class Search {
 public:
  Search(const Rules& rules, int summer, int64_t wanted)
      : rules_(rules), summer_(summer), wanted_(wanted) {}

  // The moment and what the clock shows then; none: the probes do not meet.
  std::optional<int64_t> find(int64_t first, std::tm& tm) const;

 private:
  std::optional<int64_t> by_other_clock(int64_t sec, std::tm& tm) const;
  int64_t missing(const std::tm& tm) const { return wrapped_minus(wanted_, as_if_utc(tm)); }

  const Rules& rules_;
  int summer_;
  int64_t wanted_;
};

std::optional<int64_t> Search::find(int64_t first, std::tm& tm) const {
  int64_t sec = first, before = first, before_that = first;
  bool was_summer = false;
  for (int left = kProbes;;) {
    convert_near(rules_, sec, tm);
    const int64_t missing_now = missing(tm);
    if (missing_now == 0) break;
    const bool is_summer = tm.tm_isdst != 0;
    // Between two moments, to and fro: an hour that was left out. One of the other clock is
    // preferred, without a wish that of summer.
    if (sec == before_that && sec != before &&
        (summer_ < 0 ? was_summer <= is_summer : (summer_ != 0) != is_summer))
      return sec;
    if (--left == 0) return std::nullopt;
    before_that = before, before = sec;
    sec = wrapped_add(sec, missing_now), was_summer = is_summer;
  }
  return differs(summer_, tm.tm_isdst) ? by_other_clock(sec, tm) : sec;
}

// The clock at `sec` is the other one: what a moment nearby has the clock that was asked for says
// how far it is off; else an hour.
std::optional<int64_t> Search::by_other_clock(int64_t sec, std::tm& tm) const {
  for (int64_t away = kStride; away < kFurthest; away += kStride) {
    for (const int64_t direction : {-1, 1}) {
      int64_t other = 0;
      if (__builtin_add_overflow(sec, away * direction, &other)) continue;
      std::tm shown{};
      convert_near(rules_, other, shown);
      if (differs(summer_, shown.tm_isdst)) continue;
      other = wrapped_add(other, missing(shown));
      convert_near(rules_, other, tm);
      return other;
    }
  }
  const int64_t hour = kHourSeconds * ((summer_ == 0) - (tm.tm_isdst == 0));
  if (__builtin_add_overflow(sec, hour, &sec) || !rules_.local(sec, tm)) return std::nullopt;
  return sec;
}

}  // namespace

int64_t make_time(const Rules& rules, const std::tm& fields, int64_t& guess) {
  constexpr int64_t kNone = -1;
  const int64_t years = floor_div(fields.tm_mon, 12), year = fields.tm_year + years;
  const auto month = static_cast<int>(fields.tm_mon - years * 12);
  const int64_t day = days_before_month(year + kTmYear, month + 1) - 1 + int64_t{fields.tm_mday};
  // Seconds out of range are added at the end: not every minute has 60.
  const int second = std::clamp(fields.tm_sec, 0, 59);
  const int64_t wanted = as_if_utc(year, day, fields.tm_hour, fields.tm_min, second);
  const int64_t first = wrapped_minus(wanted, guess);
  std::tm tm{};
  auto found = Search(rules, fields.tm_isdst, wanted).find(first, tm);
  if (!found) return kNone;
  guess = wrapped_minus(wanted, *found);
  if (fields.tm_sec == tm.tm_sec) return *found;
  const int64_t more = int64_t{second == 0 && tm.tm_sec == 60} - second + fields.tm_sec;
  int64_t sec = 0;
  if (__builtin_add_overflow(*found, more, &sec) || !rules.local(sec, tm)) return kNone;
  return sec;
}

}  // namespace pmjit::tz
