#include "runtime/report/text/values.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "runtime/base/result.h"

namespace pmjit {

namespace {

template <class T>
T at_index(const Column& column, uint64_t i) {
  return column.values.as<T>()[i];
}

char* put_word(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

char* put_int(char* at, int64_t value) {
  const auto bits = static_cast<uint64_t>(value);
  if (value < 0) *at++ = '-';
  return put_whole(at, value < 0 ? 0 - bits : bits);
}

constexpr auto kPowers = [] {
  std::array<uint64_t, 20> out{};
  uint64_t power = 1;
  for (uint64_t& entry : out) {
    entry = power;
    power *= 10;
  }
  return out;
}();

// 1233 / 4096 is log10(2), near enough for 64 bits.
int digits_of(uint64_t value) {
  const int guess = (64 - std::countl_zero(value | 1)) * 1233 >> 12;
  return guess + (value >= kPowers[static_cast<size_t>(guess)] ? 1 : 0);
}

// Eight digits, leading zeros too, the first in the lowest byte: halves, quarters and digits side
// by side in one word. The products are the quotients for all that can stand there.
uint64_t eight_digits(uint64_t value) {
  const uint64_t fours = value / 10'000 | (value % 10'000) << 32;
  const uint64_t high_twos = (fours * 10'486 >> 20) & 0x0000'007f'0000'007f;  // by 100
  const uint64_t twos = high_twos | (fours - high_twos * 100) << 16;
  const uint64_t high_ones = (twos * 103 >> 10) & 0x000f'000f'000f'000f;  // by 10
  return (high_ones | (twos - high_ones * 10) << 8) + 0x3030'3030'3030'3030;
}

constexpr int kSignificandDigits = 17;  // of a double, at most

// The shortest text that reads back, as {fmt} writes it, which makes the digits. Values that have a
// fraction and no exponent are written here, several times as fast.
char* put_shortest(char* at, double value) {
  const auto decimal = fmt::detail::dragonbox::to_decimal(std::abs(value));
  const int count = digits_of(decimal.significand), point = count + decimal.exponent;
  if (decimal.exponent >= 0 || point < -3 || point > 16) {
    return fmt::format_to(at, FMT_COMPILE("{}"), value);
  }
  char text[2 * kSignificandDigits + 1];  // of 17 digits; copies of constant size go beyond them
  constexpr uint64_t kEight = 100'000'000;
  const uint64_t high = decimal.significand / kEight;
  const uint64_t middle = eight_digits(high % kEight);
  const uint64_t low = eight_digits(decimal.significand % kEight);
  text[0] = static_cast<char>('0' + high / kEight);
  std::memcpy(text + 1, &middle, sizeof middle);
  std::memcpy(text + 9, &low, sizeof low);
  const char* const digits = text + kSignificandDigits - count;
  if (std::signbit(value)) *at++ = '-';
  if (point > 0) {
    std::memcpy(at, digits, 16);
    at[point] = '.';
    std::memcpy(at + point + 1, digits + point, 16);
    return at + count + 1;
  }
  std::memcpy(at, "0.000", 5);
  std::memcpy(at + 2 - point, digits, kSignificandDigits);
  return at + 2 - point + count;
}
char* put_shortest(char* at, float value) { return fmt::format_to(at, FMT_COMPILE("{}"), value); }

// Such are common (gauges, converted counters) and much cheaper as integers. Not -0.
template <class T>
bool is_small_whole(T value) {
  constexpr T kWhole = static_cast<T>(1 << 23);
  return std::abs(value) < kWhole && value == static_cast<T>(static_cast<int32_t>(value)) &&
         (value != 0 || !std::signbit(value));
}

template <class T>
char* put_floating(char* at, T value, std::optional<int> digits) {
  if (std::isnan(value)) return put_word(at, "NaN");
  if (std::isinf(value)) return put_word(at, value < 0 ? "-inf" : "inf");
  if (digits) return put_fixed(at, static_cast<double>(value), std::clamp(*digits, 0, kDigitsMax));
  if (is_small_whole(value)) return put_int(at, static_cast<int32_t>(value));
  return put_shortest(at, value);
}

using ValueBytes = const std::byte*;

template <class T>
char* put_signed(char* at, ValueBytes values, uint64_t i, const NumberForm& /*form*/) {
  return put_int(at, reinterpret_cast<const T*>(values)[i]);
}
template <class T>
char* put_unsigned(char* at, ValueBytes values, uint64_t i, const NumberForm& /*form*/) {
  return put_whole(at, reinterpret_cast<const T*>(values)[i]);
}
char* put_f32(char* at, ValueBytes values, uint64_t i, const NumberForm& form) {
  return put_floating(at, reinterpret_cast<const float*>(values)[i], form.digits);
}
char* put_f64(char* at, ValueBytes values, uint64_t i, const NumberForm& form) {
  const double value = reinterpret_cast<const double*>(values)[i];
  return form.digits ? put_floating(at, value, form.digits) : form.repeated.put(at, value);
}
char* put_truth(char* at, ValueBytes values, uint64_t i, const NumberForm& /*form*/) {
  return put_word(at, values[i] != std::byte{0} ? "true" : "false");
}

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

constexpr auto kPairs = [] {
  std::array<char, 200> out{};
  for (size_t i = 0; i < 100; ++i) {
    out[2 * i] = static_cast<char>('0' + i / 10);
    out[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return out;
}();

constexpr size_t kTail = 3;  // "SSZ"

char* digits(char* at, int64_t value, int count) {
  for (int i = count - 1; i >= 0; --i, value /= 10) at[i] = static_cast<char>('0' + value % 10);
  return at + count;
}

}  // namespace

char* put_float(char* at, float value, std::optional<int> digits) {
  return put_floating(at, value, digits);
}
char* put_double(char* at, double value, std::optional<int> digits) {
  return put_floating(at, value, digits);
}

char* RepeatedReals::put(char* at, double value) {
  if (is_small_whole(value)) return put_int(at, static_cast<int32_t>(value));
  if (kept_.empty()) kept_.resize(size_t{1} << kBits);
  const auto bits = std::bit_cast<uint64_t>(value);
  constexpr uint64_t kOdd = 0x9e37'79b9'7f4a'7c15;  // 2^64 by the golden ratio
  Kept& kept = kept_[bits * kOdd >> (64 - kBits)];
  if (kept.bits != bits || kept.size == 0) {
    const auto size = static_cast<size_t>(put_floating(at, value, std::nullopt) - at);
    if (size > sizeof kept.text) return at + size;
    kept.bits = bits;
    kept.size = static_cast<uint8_t>(size);
    std::memcpy(kept.text, at, sizeof kept.text);  // of constant size; there is room
    return at + size;
  }
  std::memcpy(at, kept.text, sizeof kept.text);
  return at + kept.size;
}

std::string double_text(double value) {
  char text[kNumberBytes];
  return {text, put_double(text, value, std::nullopt)};
}

PutNumber put_of(Elem elem) {
  switch (elem) {
    case Elem::i32: return put_signed<int32_t>;
    case Elem::u32: return put_unsigned<uint32_t>;
    case Elem::i64: return put_signed<int64_t>;
    case Elem::u64: return put_unsigned<uint64_t>;
    case Elem::f32: return put_f32;
    case Elem::f64: return put_f64;
    case Elem::truth: return put_truth;
    case Elem::text:
    case Elem::bytes: break;
  }
  return nullptr;
}

std::string text_of(const Column& column, uint64_t i) {
  const std::string_view text = column.dictionary[at_index<uint32_t>(column, i)];
  if (column.elem == Elem::text) return std::string(text);
  std::string hex;
  for (const char c : text)
    fmt::format_to(std::back_inserter(hex), "{:02x}", static_cast<uint8_t>(c));
  return hex;
}

std::optional<double> number_of(const Column& column, uint64_t i) {
  switch (column.elem) {
    case Elem::i32: return at_index<int32_t>(column, i);
    case Elem::u32: return at_index<uint32_t>(column, i);
    case Elem::i64: return static_cast<double>(at_index<int64_t>(column, i));
    case Elem::u64: return static_cast<double>(at_index<uint64_t>(column, i));
    case Elem::f32: return static_cast<double>(at_index<float>(column, i));
    case Elem::f64: return at_index<double>(column, i);
    case Elem::truth: return at_index<uint8_t>(column, i) != 0 ? 1.0 : 0.0;
    case Elem::text:
    case Elem::bytes: break;
  }
  return std::nullopt;
}

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

char* put_padded(char* at, uint64_t value, int count) {
  char* const end = at + count;
  char* p = end;
  for (; p - at >= 2; value /= 100) {
    p -= 2;
    std::memcpy(p, &kPairs[2 * (value % 100)], 2);
  }
  if (p != at) *at = static_cast<char>('0' + value % 10);
  return end;
}

char* put_whole(char* at, uint64_t value) {
  return put_padded(at, value, value == 0 ? 1 : digits_of(value));
}

std::string_view IsoClock::text(Stamp s) {
  if (s.nsec < 0 || s.nsec >= 1'000'000'000) s = stamp_from_nanos(nanos(s));
  const int64_t minute = s.sec / 60 - (s.sec % 60 < 0);
  if (minute != minute_) {
    const std::string whole = iso_utc({s.sec, 0});
    std::memcpy(text_, whole.data(), whole.size());
    seconds_at_ = whole.size() - kTail;
    minute_ = minute;
  }
  char* at = digits(text_ + seconds_at_, s.sec - minute * 60, 2);
  if (s.nsec != 0) {
    *at++ = '.';
    if (s.nsec % 1'000'000 == 0) {
      at = digits(at, s.nsec / 1'000'000, 3);
    } else if (s.nsec % 1'000 == 0) {
      at = digits(at, s.nsec / 1'000, 6);
    } else {
      at = digits(at, s.nsec, 9);
    }
  }
  *at++ = 'Z';
  return {text_, static_cast<size_t>(at - text_)};
}

}  // namespace pmjit
