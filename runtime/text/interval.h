// Intervals: a length of time as a user writes it, "1h 30m" or "0.5": -t, -A and the offsets of -S
// -T -O. The language and its mistakes are pmParseInterval's. Source: spec pmapi.md §13.1,
// archives.md §17.1.
//
//   parse_interval<NanoTime>("10min")     {600, 0}
//   parse_interval<NanoTime>("1ms")       {60, 0}: m is a minute, and a plural s is dropped.
//                                         Milliseconds are msec.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace pmjit {

// A time as C keeps it, seconds and a part of one, and the reference's arithmetic on it: one carry,
// one borrow, nothing normalised. Source: spec pmapi.md §13.5.
//
//   pm_inc(NanoTime{1, 999'999'999}, NanoTime{0, 1})     {2, 0}
//   from_real<NanoTime>(0.9999999999)                    {0, 1'000'000'000}: rounded, not carried
template <int64_t kParts>
struct TimeParts {
  static constexpr int64_t kPerSecond = kParts;
  int64_t sec = 0;
  int64_t part = 0;
  friend constexpr bool operator==(const TimeParts&, const TimeParts&) = default;
};
using MicroTime = TimeParts<1'000'000>;     // struct timeval
using NanoTime = TimeParts<1'000'000'000>;  // struct timespec

// As x86-64 converts: what does not fit is the least number.
inline int64_t truncated(long double value) {
  const bool fits = value >= -9223372036854775808.0L && value < 9223372036854775808.0L;
  return fits ? static_cast<int64_t>(value) : INT64_MIN;
}

template <class T>
T pm_inc(T a, T b) {
  a.sec += b.sec, a.part += b.part;
  if (a.part >= T::kPerSecond) ++a.sec, a.part -= T::kPerSecond;
  return a;
}

// Below zero both numbers are: −1.5 s is {-1, -500'000'000}.
template <class T>
T pm_dec(T a, T b) {
  a.sec -= b.sec, a.part -= b.part;
  if (a.part < 0) --a.sec, a.part += T::kPerSecond;
  return a;
}

template <class T>
double pm_add(T a, T b) {
  return static_cast<double>(static_cast<long double>(a.sec + b.sec) +
                             static_cast<long double>(a.part + b.part) / T::kPerSecond);
}

template <class T>
double pm_sub(T a, T b) {
  return static_cast<double>(static_cast<long double>(a.sec - b.sec) +
                             static_cast<long double>(a.part - b.part) / T::kPerSecond);
}

template <class T>
double to_real(T a) {
  return pm_add(a, T{});
}

// In long double: in double 0.0060000005 would round up.
template <class T>
T from_real(double seconds) {
  const int64_t whole = truncated(seconds);
  const long double rest = static_cast<long double>(seconds) - static_cast<long double>(whole);
  return {whole, truncated(rest * T::kPerSecond + 0.5L)};
}

// Fault::usage with the reference's text: the input, a caret below the mistake. Not negative; "nan"
// and sums beyond what a time holds pass, as they pass there: whoever steps by an interval looks.
[[nodiscard]] Result<double> parse_interval_seconds(std::string_view text);

// Rounded to the parts of a second, which are not carried: 0.9999999999 has 1,000,000,000 ns. What
// a time does not hold is the least number, as pmParseInterval gives it on x86-64.
template <class T>
[[nodiscard]] Result<T> parse_interval(std::string_view text) {
  const Result<double> seconds = parse_interval_seconds(text);
  if (!seconds) return fail(seconds.error());
  return from_real<T>(*seconds);
}

// Where the reading stopped: the text, a caret below the place, why; two lines, each with its
// newline.
std::string caret_text(std::string_view text, size_t column, std::string_view why);

}  // namespace pmjit
