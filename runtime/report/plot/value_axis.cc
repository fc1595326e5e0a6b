#include "runtime/report/plot/value_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

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

}  // namespace pmjit
