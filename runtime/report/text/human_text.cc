#include "runtime/report/text/human_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/report/text/utf8.h"
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

}  // namespace pmjit
