#include "runtime/base/bits.h"

#include <bit>
#include <cstring>

namespace pmjit::bits {

namespace {

// The low `count` bits, at most 64.
uint64_t ones(size_t count) { return count == 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1; }

// Up to 64 bits of src starting at bit `from`, in the low bits of the result.
uint64_t load(const uint64_t* src, size_t from, size_t count) {
  const size_t word = from / 64, shift = from % 64;
  uint64_t value = src[word] >> shift;
  if (shift != 0 && shift + count > 64) value |= src[word + 1] << (64 - shift);
  return value & ones(count);
}

void store(uint64_t* dst, size_t to, uint64_t value, size_t count) {
  const size_t word = to / 64, shift = to % 64;
  const uint64_t mask = ones(count);
  dst[word] = (dst[word] & ~(mask << shift)) | (value << shift);
  if (shift != 0 && shift + count > 64) {
    const size_t high = 64 - shift;
    dst[word + 1] = (dst[word + 1] & ~(mask >> high)) | (value >> high);
  }
}

}  // namespace

void fill(uint64_t* map, size_t count, bool value) {
  const size_t words = words_for(count);
  if (words == 0) return;
  std::memset(map, value ? 0xff : 0, words * sizeof(uint64_t));
  if (value) map[words - 1] = tail_mask(count);
}

bool all_set(const uint64_t* map, size_t count) {
  const size_t whole = count / 64;
  for (size_t i = 0; i < whole; ++i) {
    if (map[i] != ~uint64_t{0}) return false;
  }
  return count % 64 == 0 || (map[whole] & tail_mask(count)) == tail_mask(count);
}

bool all_set(const uint64_t* map, size_t from, size_t count) {
  while (count > 0) {
    const size_t step = count < 64 ? count : 64;
    if (load(map, from, step) != ones(step)) return false;
    from += step, count -= step;
  }
  return true;
}

size_t count_set(const uint64_t* map, size_t count) {
  size_t total = 0;
  for (size_t i = 0; i < count / 64; ++i) total += static_cast<size_t>(std::popcount(map[i]));
  if (count % 64 != 0) {
    total += static_cast<size_t>(std::popcount(map[count / 64] & tail_mask(count)));
  }
  return total;
}

void copy(uint64_t* dst, size_t to, const uint64_t* src, size_t from, size_t count) {
  while (count > 0) {
    const size_t step = count < 64 ? count : 64;
    store(dst, to, load(src, from, step), step);
    to += step, from += step, count -= step;
  }
}

void set_range(uint64_t* map, size_t from, size_t count, bool value) {
  while (count > 0) {
    const size_t step = count < 64 ? count : 64;
    store(map, from, value ? ones(step) : 0, step);
    from += step, count -= step;
  }
}

}  // namespace pmjit::bits
