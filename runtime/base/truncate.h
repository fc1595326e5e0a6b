// Real to whole numbers as x86-64 truncates them: toward zero; what does not fit becomes the
// "indefinite" number (the smallest signed one), and unsigned 32 bits are the low half of 64.
// C leaves these undefined; the reference's results are the processor's.
#pragma once

#include <cstdint>

namespace pmjit {

inline int64_t truncated_i64(double v) {
  constexpr double kTwo63 = 9223372036854775808.0;
  return v >= -kTwo63 && v < kTwo63 ? static_cast<int64_t>(v) : INT64_MIN;
}
inline int32_t truncated_i32(double v) {
  constexpr double kTwo31 = 2147483648.0;
  return v > -kTwo31 - 1 && v < kTwo31 ? static_cast<int32_t>(v) : INT32_MIN;
}
inline uint32_t truncated_u32(double v) {
  return static_cast<uint32_t>(static_cast<uint64_t>(truncated_i64(v)));
}
inline uint64_t truncated_u64(double v) {
  constexpr double kTwo63 = 9223372036854775808.0;
  if (!(v >= kTwo63)) return static_cast<uint64_t>(truncated_i64(v));
  return static_cast<uint64_t>(truncated_i64(v - kTwo63)) ^ (uint64_t{1} << 63);
}

}  // namespace pmjit
