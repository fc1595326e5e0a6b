#include "compiler/parse/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace pmjit::parse {
namespace {

constexpr int64_t kCountMax = 999'999'999'999'999'999;
constexpr int kPlacesMax = 20;  // after the point; smaller numbers have an exponent

}  // namespace

std::optional<Decimal> decimal_of(std::string_view digits) {
  Decimal out;
  const size_t end = std::min(digits.find_first_of("eE"), digits.size());
  const bool has_exponent = end < digits.size();
  const char* first = digits.data() + end + 1 + (has_exponent && digits[end + 1] == '+' ? 1 : 0);
  if (has_exponent &&
      std::from_chars(first, digits.data() + digits.size(), out.exponent).ec != std::errc()) {
    return std::nullopt;
  }
  bool after_point = false;
  for (const char c : digits.substr(0, end)) {
    if (c == '.') {
      after_point = true;
      continue;
    }
    if (out.count > kCountMax / 10) return std::nullopt;
    out.count = out.count * 10 + (c - '0');
    if (after_point) --out.exponent;
  }
  if (out.count == 0) out.exponent = 0;
  return out;
}

bool align(std::span<Decimal> numbers) {
  int least = INT32_MAX;
  for (const Decimal& number : numbers) {
    if (number.count != 0) least = std::min(least, number.exponent);
  }
  for (Decimal& number : numbers) {
    for (; number.count != 0 && number.exponent > least; --number.exponent) {
      if (number.count > kCountMax / 10 || number.count < -kCountMax / 10) return false;
      number.count *= 10;
    }
    number.exponent = least == INT32_MAX ? 0 : least;
  }
  return true;
}

std::string decimal_text(Decimal number, bool whole) {
  std::string digits = fmt::to_string(number.count < 0 ? -number.count : number.count);
  if (whole) return digits;
  if (number.exponent > 0 || number.exponent < -kPlacesMax) {
    return fmt::format("{}e{}", digits, number.exponent);
  }
  const auto places = static_cast<size_t>(-number.exponent);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  std::string fraction = digits.substr(digits.size() - places);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return digits.substr(0, digits.size() - places) + '.' + (fraction.empty() ? "0" : fraction);
}

}  // namespace pmjit::parse
