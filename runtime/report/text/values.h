// Values as machine-readable text. Floating values print the shortest text that reads back to the
// same value of their own width, or a fixed number of digits; NaN, inf, -inf and -0 print as such.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/column.h"
#include "runtime/model/stamp.h"

namespace pmjit {

// Bytes that one number may take: the largest double in fixed notation, and its digits.
inline constexpr size_t kNumberBytes = 384;
// Digits after the point that may be asked for; more are taken as this many.
inline constexpr int kDigitsMax = 30;

// RepeatedReals: the shortest texts of doubles, by value, for one thread. A gauge that stands still
// and a counter that grows steadily have the same value in row after row, and its digits are most
// of what a row costs.
class RepeatedReals {
 public:
  // As put_double() without digits.
  char* put(char* at, double value);

 private:
  struct Kept {
    uint64_t bits = 0;
    uint8_t size = 0;  // 0: nothing is kept
    char text[23] = {};
  };
  static constexpr int kBits = 11;

  std::vector<Kept> kept_;  // by a hash of the bits; made with the first value
};

struct NumberForm {
  std::optional<int> digits;  // after the point; none: the shortest text
  RepeatedReals& repeated;
};

// Writes value `i` of an array of one element type at `at`; returns the end.
using PutNumber = char* (*)(char* at, const std::byte* values, uint64_t i, const NumberForm& form);
// Null: of text and bytes, which are no numbers.
PutNumber put_of(Elem elem);
char* put_float(char* at, float value, std::optional<int> digits);
char* put_double(char* at, double value, std::optional<int> digits);

// As put_double() without digits has it: the shortest that is read back as this value.
std::string double_text(double value);

// Text as it is; bytes as lower-case hexadecimal.
std::string text_of(const Column& column, uint64_t i);

// The value as a number: truth is 0 or 1; none for text and bytes.
std::optional<double> number_of(const Column& column, uint64_t i);

// Floating values with a fixed number of digits after the point, as std::to_chars writes them and
// several times faster: the exact value of the double, rounded to nearest, ties to even.

// `digits` from 0 on. Room for kNumberBytes; returns the end. Not for NaN and infinities.
char* put_fixed(char* at, double value, int digits);

// Decimal digits of integers, two at a time.

// The shortest text of it; room for 20 bytes. Returns the end.
char* put_whole(char* at, uint64_t value);
// The last `count` digits of it, with leading zeros.
char* put_padded(char* at, uint64_t value, int count);

// IsoClock: iso_utc() for many stamps: what does not change from one stamp to the next is kept.
class IsoClock {
 public:
  // Valid until the next call.
  std::string_view text(Stamp s);

 private:
  static constexpr int64_t kNoMinute = INT64_MIN;
  int64_t minute_ = kNoMinute;  // of the text at hand, since the epoch
  size_t seconds_at_ = 0;       // where "SS" stands
  char text_[64] = {};
};

}  // namespace pmjit
