#include "runtime/report/text/quantities.h"

#include <fmt/format.h>

#include <cmath>

namespace pmjit {

namespace {

struct TimeUnit {
  std::string_view name;
  double seconds;
};
constexpr TimeUnit kLong[] = {{"d", 86'400}, {"h", 3'600}, {"min", 60}, {"s", 1}};
constexpr TimeUnit kShort[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
constexpr std::string_view kBytes[] = {"kB", "MB", "GB", "TB", "PB", "EB"};

// At most `digits` behind the point, none of them an idle zero.
std::string decimal(double value, int digits) {
  std::string text = fmt::format("{:.{}f}", value, digits);
  if (text.find('.') == text.npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string three_digits(double value) {
  if (value < 9.995) return decimal(value, 2);
  return decimal(value, value < 99.95 ? 1 : 0);
}

std::string short_duration(double seconds) {
  for (const TimeUnit& unit : kShort) {
    if (seconds >= unit.seconds * 0.9995) {
      return fmt::format("{} {}", three_digits(seconds / unit.seconds), unit.name);
    }
  }
  return "0 s";
}

}  // namespace

std::string human_duration(double seconds) {
  if (seconds < 0) return "-" + human_duration(-seconds);
  if (seconds < 59.95) return short_duration(seconds);
  size_t i = 0;
  while (std::round(seconds) < kLong[i].seconds) ++i;
  // To the second of the two units, so that a carry goes into the first.
  const double least = i + 1 < std::size(kLong) ? kLong[i + 1].seconds : 1;
  const double rounded = std::round(seconds / least) * least;
  if (i > 0 && rounded >= kLong[i - 1].seconds) --i;
  const double many = std::floor(rounded / kLong[i].seconds);
  const double rest = std::round((rounded - many * kLong[i].seconds) / least);
  std::string text = fmt::format("{:.0f} {}", many, kLong[i].name);
  if (rest > 0) text += fmt::format(" {:.0f} {}", rest, kLong[i + 1].name);
  return text;
}

std::string human_bytes(uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1000;
  size_t unit = 0;
  while (value >= 999.5 && unit + 1 < std::size(kBytes)) value /= 1000, ++unit;
  return fmt::format("{} {}", three_digits(value), kBytes[unit]);
}

}  // namespace pmjit
