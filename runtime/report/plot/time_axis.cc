#include "runtime/report/plot/time_axis.h"

#include <fmt/format.h>

#include <array>

#include "runtime/tz/calendar.h"

namespace pmjit {

namespace {

constexpr Nanos kSecond = 1'000'000'000, kMinute = 60 * kSecond, kHour = 60 * kMinute,
                kDay = 24 * kHour;
constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// Steps of the clock above a second, each a divisor of the next larger unit.
constexpr std::array<Nanos, 22> kClockSteps{
    kSecond,  2 * kSecond, 5 * kSecond, 10 * kSecond, 15 * kSecond, 30 * kSecond,
    kMinute,  2 * kMinute, 5 * kMinute, 10 * kMinute, 15 * kMinute, 30 * kMinute,
    kHour,    2 * kHour,   3 * kHour,   6 * kHour,    12 * kHour,   kDay,
    2 * kDay, 4 * kDay,    8 * kDay,    16 * kDay};
constexpr std::array<int, 4> kMonthSteps{1, 2, 3, 6};

Nanos floor_to(Nanos time, Nanos step) {
  const Nanos rest = time % step;
  return time - (rest < 0 ? rest + step : rest);
}

// What the clock on the wall shows, counted as if it were UTC.
Nanos wall_of(Nanos time, const Zone& zone) {
  return time + Nanos{zone.east(stamp_from_nanos(time).sec)} * kSecond;
}
// Back. Where clocks are put back, the later of the two times.
Nanos time_of_wall(Nanos wall, const Zone& zone) {
  Nanos time = wall - Nanos{zone.east(stamp_from_nanos(wall).sec)} * kSecond;
  return wall - Nanos{zone.east(stamp_from_nanos(time).sec)} * kSecond;
}

// Digits behind the point of a second that a step below it needs.
int digits_of(Nanos step) {
  int digits = 0;
  for (Nanos unit = kSecond; unit > step; unit /= 10) ++digits;
  return digits;
}

std::string clock_text(Stamp wall, Nanos step) {
  std::tm tm{};
  (void)tz::fill_clock(wall.sec, tm);
  if (step >= kDay) return fmt::format("{} {}", tm.tm_mday, kMonths[size_t(tm.tm_mon)]);
  std::string out = fmt::format("{:02}:{:02}", tm.tm_hour, tm.tm_min);
  if (step < kMinute) out += fmt::format(":{:02}", tm.tm_sec);
  if (step >= kSecond) return out;
  const std::string fraction = fmt::format("{:09}", wall.nsec);
  return out + "." + fraction.substr(0, size_t(digits_of(step)));
}

std::string date_text(Stamp wall, Nanos step) {
  const std::string iso = iso_utc({wall.sec, 0});
  const std::string day = iso.substr(0, iso.find('T'));
  return step < kDay ? day : day.substr(0, day.rfind('-', day.rfind('-') - 1));
}

// Adds the tick, with the date where it is another one than before.
class Ticks {
 public:
  void add(Nanos time, std::string text, std::string date) {
    TimeTick tick{time, std::move(text), {}};
    if (date != date_) tick.date = date_ = std::move(date);
    out_.push_back(std::move(tick));
  }
  std::vector<TimeTick> take() { return std::move(out_); }

 private:
  std::vector<TimeTick> out_;
  std::string date_;
};

std::vector<TimeTick> clock_ticks(Nanos first, Nanos last, Nanos step, const Zone& zone) {
  Ticks ticks;
  Nanos before = first - 1;
  const Nanos end = wall_of(last, zone) + kDay;
  for (Nanos wall = floor_to(wall_of(first, zone), step); wall <= end; wall += step) {
    const Nanos time = time_of_wall(wall, zone);
    if (time > last) break;
    if (time <= before) continue;  // an hour that the clocks left out
    before = time;
    const Stamp shown = stamp_from_nanos(wall_of(time, zone));
    ticks.add(time, clock_text(shown, step), date_text(shown, step));
  }
  return ticks.take();
}

// The first day of every `step`th month.
std::vector<TimeTick> month_ticks(Stamp first, Stamp last, int step, const Zone& zone) {
  Ticks ticks;
  std::tm tm = zone.local(first.sec);
  int month = step < 12 ? tm.tm_mon / step * step : 0;
  int year = step < 12 ? tm.tm_year : (tm.tm_year + 1900) / (step / 12) * (step / 12) - 1900;
  while (true) {
    const int64_t sec =
        zone.seconds_of({.tm_mday = 1, .tm_mon = month, .tm_year = year, .tm_isdst = -1});
    if (Stamp{sec, 0} > last) return ticks.take();
    const std::string number = fmt::format("{}", year + 1900);
    if (Stamp{sec, 0} >= first) {
      ticks.add(nanos({sec, 0}), step < 12 ? std::string(kMonths[size_t(month)]) : number,
                step < 12 ? number : "");
    }
    month += step;
    year += month / 12;
    month %= 12;
  }
}

}  // namespace

std::vector<TimeTick> time_ticks(Stamp first, Stamp last, size_t most, const Zone& zone) {
  const Nanos from = nanos(first), to = nanos(last), all = to - from;
  if (all <= 0) {
    Nanos step = kSecond;
    while (from % step != 0) step /= 10;
    return clock_ticks(from, to, step, zone);
  }
  const auto fits = [&](Nanos step) { return all / step < Nanos(most); };
  for (Nanos power = 1; power < kSecond; power *= 10) {
    for (const int times : {1, 2, 5}) {
      if (fits(times * power)) return clock_ticks(from, to, times * power, zone);
    }
  }
  for (const Nanos step : kClockSteps) {
    if (fits(step)) return clock_ticks(from, to, step, zone);
  }
  for (const int months : kMonthSteps) {
    if (fits(months * 30 * kDay)) return month_ticks(first, last, months, zone);
  }
  for (int years = 1; years < 1'000'000'000; years *= 10) {
    for (const int times : {1, 2, 5}) {
      if (fits(Nanos{365} * times * years * kDay)) {
        return month_ticks(first, last, 12 * times * years, zone);
      }
    }
  }
  return {};
}

}  // namespace pmjit
