#include "runtime/report/text/human_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/report/text/quoting.h"
#include "runtime/report/text/values.h"

namespace pmjit {

namespace {

struct CodeRange {
  uint32_t from, to;
};
// East Asian wide characters and emoji; and what takes no column of its own.
constexpr CodeRange kWide[] = {{0x1100, 0x115f}, {0x2e80, 0xa4cf},   {0xac00, 0xd7a3},
                               {0xf900, 0xfaff}, {0xfe30, 0xfe6f},   {0xff00, 0xff60},
                               {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};
constexpr CodeRange kZero[] = {
    {0x300, 0x36f}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}};

bool in_any(std::span<const CodeRange> ranges, uint32_t code) {
  return std::ranges::any_of(ranges, [=](CodeRange r) { return code >= r.from && code <= r.to; });
}

bool is_control(uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

size_t width_of(Utf8Char c) {
  if (!c.valid || is_control(c.code)) return 1;  // shown as "?"
  if (in_any(kZero, c.code)) return 0;
  return in_any(kWide, c.code) ? 2 : 1;
}

std::string plain(double value, std::optional<int> digits) {
  char text[kNumberBytes];
  return {text, put_double(text, value, digits)};
}

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

std::string human_number(double value, std::optional<int> digits) {
  const double size = std::abs(value);
  if (!std::isfinite(value) || digits) return plain(value, digits);
  if (value == std::trunc(value) && size < 1e15) return fmt::format("{:.0f}", value + 0.0);
  if (size >= 1e15 || size < 1e-3) return fmt::format("{:.4g}", value);
  const int before = size < 1 ? 1 : static_cast<int>(std::log10(size)) + 1;
  std::string text = fmt::format("{:.{}f}", value, std::max(1, 5 - before));
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

size_t display_width(std::string_view text) {
  size_t width = 0;
  while (!text.empty()) {
    const Utf8Char c = first_char(text);
    width += width_of(c);
    text.remove_prefix(c.bytes);
  }
  return width;
}

std::string fit(std::string_view text, size_t width) {
  const bool cut = display_width(text) > width;
  const size_t room = cut && width > 0 ? width - 1 : width;
  std::string out;
  size_t used = 0;
  while (!text.empty()) {
    const Utf8Char c = first_char(text);
    if (used + width_of(c) > room) break;
    used += width_of(c);
    out += !c.valid || is_control(c.code) ? std::string_view("?") : text.substr(0, c.bytes);
    text.remove_prefix(c.bytes);
  }
  return cut && width > 0 ? out + "…" : out;
}

std::string sparkline(std::span<const std::optional<double>> values) {
  static constexpr std::array<std::string_view, 8> kBars{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  double least = INFINITY, most = -INFINITY;
  for (const auto& value : values) {
    if (value) least = std::min(least, *value), most = std::max(most, *value);
  }
  std::string out;
  for (const auto& value : values) {
    if (!value) {
      out += "·";
    } else if (most == least) {
      out += kBars[most == 0 ? 0 : 3];
    } else {
      // Halves first: the difference of two large values may overflow.
      const double share = (*value / 2 - least / 2) / (most / 2 - least / 2);
      out += kBars[static_cast<size_t>(std::clamp(share * 8, 0.0, 7.0))];
    }
  }
  return out;
}

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
