// Bitmaps: bit i of word i/64 says whether lane i is valid. Tail bits beyond the count are zero. An
// absent bitmap (null or empty) means that every lane is valid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pmjit::bits {

inline constexpr size_t words_for(size_t count) { return (count + 63) / 64; }
inline bool get(const uint64_t* map, size_t i) { return (map[i / 64] >> (i % 64)) & 1; }
inline void set(uint64_t* map, size_t i) { map[i / 64] |= uint64_t{1} << (i % 64); }
inline void clear(uint64_t* map, size_t i) { map[i / 64] &= ~(uint64_t{1} << (i % 64)); }

// The mask of the bits of the last word that belong to `count` lanes.
inline constexpr uint64_t tail_mask(size_t count) {
  return count % 64 == 0 ? ~uint64_t{0} : (uint64_t{1} << (count % 64)) - 1;
}

void fill(uint64_t* map, size_t count, bool value);  // whole words; tail cleared
bool all_set(const uint64_t* map, size_t count);
bool all_set(const uint64_t* map, size_t from, size_t count);  // bits [from, from+count)
size_t count_set(const uint64_t* map, size_t count);
// Copies bits [from, from+count) of src to bits [to, to+count) of dst; the other bits of dst stay.
void copy(uint64_t* dst, size_t to, const uint64_t* src, size_t from, size_t count);
void set_range(uint64_t* map, size_t from, size_t count, bool value);

}  // namespace pmjit::bits

namespace pmjit {

// Real to whole numbers as x86-64 truncates them: toward zero; what does not fit becomes the
// "indefinite" number (the smallest signed one), and unsigned 32 bits are the low half of 64.
// C leaves these undefined; the reference's results are the processor's.
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

namespace pmjit {

// 128-bit integers: exact sums, products and times. A compiler extension, named in one place.
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

}  // namespace pmjit
