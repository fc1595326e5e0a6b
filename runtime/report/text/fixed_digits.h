// Floating values with a fixed number of digits after the point, as std::to_chars writes them and
// several times faster: the exact value of the double, rounded to nearest, ties to even.
#pragma once

namespace pmjit {

// `digits` from 0 on. Room for kNumberBytes; returns the end. Not for NaN and infinities.
char* put_fixed(char* at, double value, int digits);

}  // namespace pmjit
