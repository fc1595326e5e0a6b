#include "runtime/report/plot/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/tz/calendar.h"

namespace pmjit {

namespace {

struct Suffix {
  int exponent;  // of ten
  std::string_view text;
};
constexpr std::array<Suffix, 8> kSuffixes{
    {{18, "E"}, {15, "P"}, {12, "T"}, {9, "G"}, {6, "M"}, {3, "k"}, {0, ""}, {-3, "m"}}};

// Units in which `size` is a handy number, and the factor to them.
Units handy_units(Units units, double size, double& factor) {
  const bool space = units.dim_space == 1, time = units.dim_time == 1 && units.dim_space == 0;
  if (units.extra.unit != 0 || (!space && !time)) return units;
  uint8_t& scale = space ? units.scale_space : units.scale_time;
  // Of Zbyte, and of times beyond seconds, there are no more steps of one size.
  const uint8_t top = space ? 6 : kTimeScaleSec;
  const double step = space ? 1024 : 1000;
  for (; scale < top && size * factor >= step; ++scale) factor /= step;
  return units;
}

// 1, 2 or 5 times a power of ten; the least that is not below `step`.
double nice_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double nice : {1.0, 2.0, 5.0}) {
    if (nice * power >= step * (1 - 1e-9)) return nice * power;
  }
  return 10 * power;
}

struct NumberFormat {
  int exponent = 0, decimals = 0;  // of ten, of what is shown
  std::string_view suffix;
  bool scientific = false;
};

NumberFormat format_for(double size, double step) {
  if (size >= 1e21 || size < 1e-4) return {.scientific = true};
  const auto suffix = std::ranges::find_if(kSuffixes, [&](const Suffix& s) {
    return size >= std::pow(10, s.exponent) || s.exponent == -3;
  });
  // Up to 9,999 a number is as short as with a suffix.
  const Suffix chosen = size < 1e4 && size >= 1 ? kSuffixes[6] : *suffix;
  // 0.2 rather than 200 m.
  const Suffix used = size < 1 && size >= 0.01 ? kSuffixes[6] : chosen;
  const double shown = step / std::pow(10, used.exponent);
  const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(shown) + 1e-9)), 0, 12);
  return {.exponent = used.exponent, .decimals = decimals, .suffix = used.text};
}

std::string tick_text(double value, const NumberFormat& format) {
  if (format.scientific) return fmt::format("{:.4g}", value);
  if (value == 0 && !format.suffix.empty()) return "0";
  const double shown = value / std::pow(10, format.exponent);
  return fmt::format("{:.{}f}{}", shown + 0.0, format.decimals, format.suffix);
}

// A range with room for a line: one value stands in its middle, and what is far from nothing
// starts there.
ValueRange widened(ValueRange range) {
  if (!range.any) return {.least = 0, .most = 1, .any = true};
  double& least = range.least;
  double& most = range.most;
  if (least >= 0 && least <= most / 2) least = 0;
  if (most <= 0 && most >= least / 2) most = 0;
  const double size = std::max(std::abs(least), std::abs(most));
  if (size == 0) return {.least = 0, .most = 1, .any = true};
  // Below that, neighbours on the axis would be the same number.
  if (most / 2 - least / 2 >= size * 1e-12) return range;
  const double room = size / 10;
  return {.least = least - room, .most = most + room, .any = true};
}

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

void ValueRange::add(double value) { add({.least = value, .most = value, .any = true}); }

void ValueRange::add(const ValueRange& other) {
  if (!other.any) return;
  least = any ? std::min(least, other.least) : other.least;
  most = any ? std::max(most, other.most) : other.most;
  any = true;
}

// Halves: the difference of two large values may overflow.
double ValueAxis::share(double value) const {
  const double all = high / 2 - low / 2;
  return all > 0 ? std::clamp((value / 2 - low / 2) / all, 0.0, 1.0) : 0.5;
}

ValueAxis value_axis(const ValueRange& range, Units units, int ticks, bool whole) {
  constexpr double kLargest = 8e307;  // room for an axis around it
  const ValueRange wide = widened(range);
  ValueAxis axis{.low = std::max(wide.least, -kLargest), .high = std::min(wide.most, kLargest)};
  const double size = std::max(std::abs(axis.low), std::abs(axis.high));
  axis.units = units_text(handy_units(units, size, axis.factor));
  const double low = axis.low * axis.factor, high = axis.high * axis.factor;
  double step = nice_step(std::max((high / 2 - low / 2) / ticks * 2, 1e-300));
  if (whole && axis.factor == 1) step = std::max(step, 1.0);
  const double first = std::floor(low / step), last = std::ceil(high / step);
  // Ends of the axis are lines of it; what is flat or large is not rounded out of the numbers.
  if (std::isfinite(first * step) && std::isfinite(last * step) && last - first <= 4.0 * ticks) {
    axis.low = first * step / axis.factor;
    axis.high = last * step / axis.factor;
    const NumberFormat format = format_for(std::max(std::abs(first), std::abs(last)) * step, step);
    for (double i = first; i <= last; ++i) {
      axis.ticks.push_back({i * step / axis.factor, tick_text(i * step, format)});
    }
  }
  return axis;
}

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
