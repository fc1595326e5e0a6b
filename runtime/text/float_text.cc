// The P digits that printf would print (P is 16, or 8 for a float) are the integer nearest to value
// × 10^k, for the k that makes it P digits long. A finite value is m × 2^x with a short integer m;
// where 0 <= k <= 27 the product m × 5^k fits 128 bits, so value × 10^k = m × 5^k × 2^(x + k) is
// one exact multiplication and one rounded shift. Values beyond (P = 16: 1e-12 to 1e16, nearly all
// that is recorded) go the slow way, std::to_chars with a precision.

#include "runtime/text/float_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "runtime/base/bits.h"

namespace pmjit {

namespace {

template <class T>
struct FloatLayout;
template <>
struct FloatLayout<double> {
  using Bits = uint64_t;
  static constexpr int precision = 16, mantissa_bits = 52, bias = 1023;
  static constexpr uint64_t end = 10'000'000'000'000'000;  // 10^precision
};
template <>
struct FloatLayout<float> {
  using Bits = uint32_t;
  static constexpr int precision = 8, mantissa_bits = 23, bias = 127;
  static constexpr uint64_t end = 100'000'000;
};

constexpr int kLeastFixed = -4;  // %g: below this exponent of ten it goes scientific
constexpr int kFiveMost = 27;    // 5^27 is the last that fits 64 bits

constexpr auto kPowersOfFive = [] {
  std::array<uint64_t, kFiveMost + 1> out{};
  out[0] = 1;
  for (size_t i = 1; i < out.size(); ++i) out[i] = out[i - 1] * 5;
  return out;
}();

// wide / 2^shift, to the nearest, a half to the even one.
template <class T>
T rounded(T wide, int shift) {
  if (shift <= 0) return wide << -shift;
  const T cut = wide >> shift;
  const T rest = wide & ((T{1} << shift) - 1), half = T{1} << (shift - 1);
  return cut + (rest > half || (rest == half && (cut & 1) != 0) ? 1 : 0);
}
uint64_t shifted(UInt128 wide, int shift) { return static_cast<uint64_t>(rounded(wide, shift)); }

// d.ddd × 10^exponent, with `digits` as one integer of P digits; 0: out of reach.
struct FloatDigits {
  uint64_t digits = 0;
  int exponent = 0;
};

template <class T>
FloatDigits decimal_of(T value) {
  using L = FloatLayout<T>;
  using Bits = typename L::Bits;
  const auto bits = std::bit_cast<Bits>(value);
  const auto biased = static_cast<int>(bits >> L::mantissa_bits);
  if (biased == 0) return {};  // zero and subnormals
  const uint64_t m = (bits & ((Bits{1} << L::mantissa_bits) - 1)) | (Bits{1} << L::mantissa_bits);
  const int x = biased - L::bias - L::mantissa_bits;
  // log10 of the leading bit, rounded down (78'913 / 2^18 is log10 2): right, or one too small.
  int exponent = ((biased - L::bias) * 78'913) >> 18;
  while (true) {
    const int k = L::precision - 1 - exponent;
    if (k < 0 || k > kFiveMost) return {};
    const uint64_t digits = shifted(UInt128{m} * kPowersOfFive[static_cast<size_t>(k)], -(x + k));
    if (digits < L::end) return {.digits = digits, .exponent = exponent};
    ++exponent;
  }
}

char* write_zeros(char* to, int count) { return std::fill_n(to, std::max(count, 0), '0'); }

// The `count` digits at `from` as %g lays them out.
char* write_general(char* to, const char* from, int count, int exponent, int precision) {
  if (exponent < kLeastFixed || exponent >= precision) {
    *to++ = *from;
    if (count > 1) {
      *to++ = '.';
      to = std::copy(from + 1, from + count, to);
    }
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    const int size = std::abs(exponent);
    if (size < 10) *to++ = '0';
    return std::to_chars(to, to + 4, size).ptr;
  }
  if (exponent < 0) {
    *to++ = '0';
    *to++ = '.';
    to = write_zeros(to, -exponent - 1);
    return std::copy(from, from + count, to);
  }
  const int whole = exponent + 1;
  to = std::copy(from, from + std::min(whole, count), to);
  if (count <= whole) return write_zeros(to, whole - count);
  *to++ = '.';
  return std::copy(from + whole, from + count, to);
}

template <class T>
char* write_float(char* to, T value) {
  using L = FloatLayout<T>;
  if (!std::isfinite(value)) return std::to_chars(to, to + kFloatTextMax, value).ptr;
  if (std::signbit(value)) {
    *to++ = '-';
    value = -value;
  }
  if (value < static_cast<T>(L::end / 10)) {  // whole numbers of few digits are themselves
    const auto whole = static_cast<int64_t>(value);
    if (static_cast<T>(whole) == value) return std::to_chars(to, to + kFloatTextMax, whole).ptr;
  }
  const FloatDigits decimal = decimal_of(value);
  if (decimal.digits == 0) {
    return std::to_chars(to, to + kFloatTextMax, value, std::chars_format::general, L::precision)
        .ptr;
  }
  char digit[20];
  std::to_chars(digit, digit + sizeof digit, decimal.digits);
  int count = L::precision;
  while (digit[count - 1] == '0') --count;
  return write_general(to, digit, count, decimal.exponent, L::precision);
}

// wide / 2^shift with the last `digits` of it behind a point.
template <class T>
char* write_scaled_before(char* end, T wide, int shift, int digits) {
  constexpr int kBits = 8 * sizeof(T);  // beyond them nothing is left
  const T scaled = shift >= kBits ? T{0} : rounded(wide, shift);
  const auto one = T{kPowersOfFive[static_cast<size_t>(digits)]} << digits;
  constexpr bool kNarrow = sizeof(T) == sizeof(uint64_t);  // which needs no division by what varies
  auto left = static_cast<uint64_t>(kNarrow ? scaled : scaled % one);
  if (digits > 0) {
    for (int i = 0; i < digits; ++i, left /= 10) *--end = static_cast<char>('0' + left % 10);
    *--end = '.';
  }
  if (!kNarrow) left = static_cast<uint64_t>(scaled / one);
  do {
    *--end = static_cast<char>('0' + left % 10);
    left /= 10;
  } while (left != 0);
  return end;
}

struct Scale {
  double below,
      above;  // taken by positive values from `above` on, by negative ones down to `below`
  double unit;
  char letter;
};

// A minus takes a place, so negative values step up a digit earlier.
constexpr Scale kScales[] = {
    {-99'995e6, 999'995e6, 1e12, 'T'},
    {-99'995e3, 999'995e3, 1e9, 'G'},
    {-99'995, 999'995, 1e6, 'M'},
    {-99.995, 999.995, 1e3, 'K'},
};
constexpr double kMost = 999'995e9, kLeast = -99'995e9, kNothing = 0.005;

}  // namespace

char* write_f32(char* to, float value) { return write_float(to, value); }
char* write_f64(char* to, double value) { return write_float(to, value); }

// value × 10^digits is exact in the same way; what is below the point are the last digits.
char* write_fixed_before(char* end, double value, int digits) {
  using L = FloatLayout<double>;
  constexpr int kNarrowMost = 4;  // digits of which 64 bits hold every product
  const auto bits = std::bit_cast<uint64_t>(value);
  const auto biased = static_cast<int>(bits >> L::mantissa_bits);
  const uint64_t leading = biased == 0 ? 0 : uint64_t{1} << L::mantissa_bits;
  const uint64_t m = (bits & ((uint64_t{1} << L::mantissa_bits) - 1)) | leading;
  const int shift = L::bias + L::mantissa_bits - std::max(biased, 1) - digits;
  const uint64_t five = kPowersOfFive[static_cast<size_t>(digits)];
  if (digits <= kNarrowMost) return write_scaled_before(end, m * five, shift, digits);
  return write_scaled_before(end, UInt128{m} * five, shift, digits);
}

char* write_fixed(char* to, double value, int digits) {
  const bool positive = value >= 0 && value < kPlainFixedEnd && !std::signbit(value);
  if (!positive || digits > kPlainFixedDigitsMax || digits < 0) {
    return std::to_chars(to, to + kFixedTextMax, value, std::chars_format::fixed, digits).ptr;
  }
  char text[kPlainFixedMax];
  return std::copy(write_fixed_before(std::end(text), value, digits), std::end(text), to);
}

std::string scientific_text(double value) {
  constexpr int kDigits = 6;
  char text[kFloatTextMax];
  char* end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, kDigits).ptr;
  return std::string(text, end);
}

std::string number_text(double value) {
  if (value >= kMost) return " inf?  ";
  if (value <= kLeast) return "-inf?  ";
  if (std::isnan(value) || std::fabs(value) < kNothing) return "  0.00 ";
  for (const Scale& scale : kScales) {
    if (value >= scale.above || value <= scale.below) {
      return fmt::format("{:6.2f}{}", value / scale.unit, scale.letter);
    }
  }
  return fmt::format("{:6.2f} ", value);
}

}  // namespace pmjit
