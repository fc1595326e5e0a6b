// Floating-point numbers as C's printf writes them, several times as fast: what the compatible
// tools print. A test holds every one of them to printf over random bit patterns.
//
//   char text[kFloatTextMax];
//   char* end = write_f64(text, 0.1);    // "0.1"
#pragma once

#include <cstddef>
#include <string>

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

}  // namespace pmjit
