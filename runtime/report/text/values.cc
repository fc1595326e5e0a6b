#include "runtime/report/text/values.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "runtime/base/check.h"
#include "runtime/report/text/digits.h"
#include "runtime/report/text/fixed_digits.h"

namespace pmjit {

namespace {

template <class T>
T at_index(const Column& column, uint64_t i) {
  return column.values.as<T>()[i];
}

char* put_text(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

char* put_int(char* at, int64_t value) {
  const auto bits = static_cast<uint64_t>(value);
  if (value < 0) *at++ = '-';
  return put_whole(at, value < 0 ? 0 - bits : bits);
}

template <class T>
char* put_floating(char* at, T value, std::optional<int> digits) {
  if (std::isnan(value)) return put_text(at, "NaN");
  if (std::isinf(value)) return put_text(at, value < 0 ? "-inf" : "inf");
  if (digits) return put_fixed(at, static_cast<double>(value), std::clamp(*digits, 0, kDigitsMax));
  // Whole numbers are common (gauges, converted counters) and much cheaper as integers.
  constexpr T kWhole = static_cast<T>(1 << 23);
  if (std::abs(value) < kWhole && value == std::trunc(value) &&
      (value != 0 || !std::signbit(value))) {
    return put_int(at, static_cast<int32_t>(value));
  }
  return fmt::format_to(at, FMT_COMPILE("{}"), value);
}

}  // namespace

char* put_float(char* at, float value, std::optional<int> digits) {
  return put_floating(at, value, digits);
}
char* put_double(char* at, double value, std::optional<int> digits) {
  return put_floating(at, value, digits);
}

namespace {

using ValueBytes = const std::byte*;
using Digits = std::optional<int>;

template <class T>
char* put_signed(char* at, ValueBytes values, uint64_t i, Digits /*digits*/) {
  return put_int(at, reinterpret_cast<const T*>(values)[i]);
}
template <class T>
char* put_unsigned(char* at, ValueBytes values, uint64_t i, Digits /*digits*/) {
  return put_whole(at, reinterpret_cast<const T*>(values)[i]);
}
template <class T>
char* put_real(char* at, ValueBytes values, uint64_t i, Digits digits) {
  return put_floating(at, reinterpret_cast<const T*>(values)[i], digits);
}
char* put_truth(char* at, ValueBytes values, uint64_t i, Digits /*digits*/) {
  return put_text(at, values[i] != std::byte{0} ? "true" : "false");
}

}  // namespace

PutNumber put_of(Elem elem) {
  switch (elem) {
    case Elem::i32: return put_signed<int32_t>;
    case Elem::u32: return put_unsigned<uint32_t>;
    case Elem::i64: return put_signed<int64_t>;
    case Elem::u64: return put_unsigned<uint64_t>;
    case Elem::f32: return put_real<float>;
    case Elem::f64: return put_real<double>;
    case Elem::truth: return put_truth;
    case Elem::text:
    case Elem::bytes: break;
  }
  return nullptr;
}

char* put_number(char* at, const Column& column, uint64_t i, std::optional<int> digits) {
  const PutNumber put = put_of(column.elem);
  check(put != nullptr, "text is no number");
  return put(at, column.values.data(), i, digits);
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

}  // namespace pmjit
