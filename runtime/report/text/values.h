// Values as machine-readable text. Floating values print the shortest text that reads back to the
// same value of their own width, or a fixed number of digits; NaN, inf, -inf and -0 print as such.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/model/column.h"

namespace pmjit {

// Bytes that one number may take: the largest double in fixed notation, and its digits.
inline constexpr size_t kNumberBytes = 384;
// Digits after the point that may be asked for; more are taken as this many.
inline constexpr int kDigitsMax = 30;

// Writes value `i` of an array of one element type at `at`; returns the end.
using PutNumber = char* (*)(char* at, const std::byte* values, uint64_t i,
                            std::optional<int> digits);
// Null: of text and bytes, which are no numbers.
PutNumber put_of(Elem elem);
// Writes value `i` of a column of numbers or truth values at `at`; returns the end.
char* put_number(char* at, const Column& column, uint64_t i, std::optional<int> digits);
char* put_float(char* at, float value, std::optional<int> digits);
char* put_double(char* at, double value, std::optional<int> digits);

// Text as it is; bytes as lower-case hexadecimal.
std::string text_of(const Column& column, uint64_t i);

// The value as a number: truth is 0 or 1; none for text and bytes.
std::optional<double> number_of(const Column& column, uint64_t i);

}  // namespace pmjit
