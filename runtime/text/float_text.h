// Floating-point numbers as C's printf writes them, several times as fast: what the compatible
// tools print. A test holds every one of them to printf over random bit patterns.
//
//   char text[kFloatTextMax];
//   char* end = write_f64(text, 0.1);    // "0.1"
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "runtime/model/value.h"

namespace pmjit {

inline constexpr size_t kFloatTextMax = 32;  // bytes that the longest of the texts below takes

// Return the end of what they wrote; no NUL behind it.
char* write_f32(char* to, float value);   // %.8g
char* write_f64(char* to, double value);  // %.16g

// %.*f, with at most kFixedDigitsMax digits.
inline constexpr int kFixedDigitsMax = 60;
inline constexpr size_t kFixedTextMax = 380;  // bytes that the longest of them takes
char* write_fixed(char* to, double value, int digits);

// The same for plain numbers, 0 <= value < kPlainFixedEnd and not -0, so that it ends at `end`;
// gives its start. There are kPlainFixedMax bytes before `end`, or as many as the text takes.
inline constexpr double kPlainFixedEnd = 1e15;
inline constexpr int kPlainFixedDigitsMax = 9;
inline constexpr size_t kPlainFixedMax = 32;
char* write_fixed_before(char* end, double value, int digits);

std::string scientific_text(double value);  // %e

// pmNumberStr: a number in seven characters, "  1.50K". Source: spec pmapi.md §16.5.
std::string number_text(double value);

// Atoms as text, and the values that users type. Source: spec pmapi.md §16.4, §24.4.

// pmAtomStr: short, for messages. Numbers in floating point as %e.
std::string atom_text(const Atom& atom, int type);

// The text of a user as a value of a type (pmstore, pmval -x): PM_ERR_TYPE if it is none, -ERANGE
// if it is outside the type's range. A string is the text itself.
[[nodiscard]] OrPmError<Atom> atom_from_text(int type, std::string_view text);

}  // namespace pmjit
