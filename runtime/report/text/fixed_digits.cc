#include "runtime/report/text/fixed_digits.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "runtime/report/text/digits.h"
#include "runtime/report/text/values.h"

namespace pmjit {

namespace {

constexpr int kDigitsFast = 15;        // 10^15 < 2^53
constexpr double kWholeFast = 0x1p53;  // below it a double has its point within 64 bits

constexpr std::array<uint64_t, kDigitsFast + 1> kScales = [] {
  std::array<uint64_t, kDigitsFast + 1> out{};
  uint64_t scale = 1;
  for (uint64_t& entry : out) {
    entry = scale;
    scale *= 10;
  }
  return out;
}();

}  // namespace

// The fraction is exact; times the scale it is q + r + e, with e the rounding error of the product.
// r is a multiple of the product's last place, and e at most half of that: so r alone says which
// way to go unless it is one half to the bit. Then e does, and where that is 0 the tie is real.
char* put_fixed(char* at, double value, int digits) {
  const double size = std::abs(value);
  if (digits > kDigitsFast || !(size < kWholeFast)) {
    return std::to_chars(at, at + kNumberBytes, value, std::chars_format::fixed, digits).ptr;
  }
  auto whole = static_cast<uint64_t>(size);
  const double fraction = size - static_cast<double>(whole);
  const uint64_t scale = kScales[static_cast<size_t>(digits)];
  const double product = fraction * static_cast<double>(scale);
  auto quotient = static_cast<uint64_t>(product);
  const double rest = product - static_cast<double>(quotient);
  if (rest >= 0.5) {
    const double error = rest > 0.5 ? 1 : std::fma(fraction, static_cast<double>(scale), -product);
    const bool odd = ((digits == 0 ? whole : quotient) & 1) != 0;
    if (error > 0 || (error == 0 && odd)) ++quotient;
  }
  if (quotient == scale) {
    ++whole;
    quotient = 0;
  }
  if (std::signbit(value)) *at++ = '-';
  at = put_whole(at, whole);
  if (digits == 0) return at;
  *at++ = '.';
  return put_padded(at, quotient, digits);
}

}  // namespace pmjit
