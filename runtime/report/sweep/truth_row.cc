#include "runtime/report/sweep/truth_row.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "runtime/base/bits.h"

namespace pmjit {

namespace {

constexpr uint64_t kWordLanes = 64;

// The lowest bits of eight bytes, the first byte's first: each is moved to a place of its own above
// bit 55. What is not known may be any byte.
uint64_t bits_of_eight(uint64_t bytes) {
  return ((bytes & 0x0101010101010101) * 0x0102040810204080) >> 56;
}

uint64_t truth_bits(const uint8_t* truths, uint64_t lanes) {
  uint64_t out = 0;
  uint64_t at = 0;
  for (; at + 8 <= lanes; at += 8) {
    uint64_t bytes = 0;
    std::memcpy(&bytes, truths + at, 8);
    out |= bits_of_eight(bytes) << at;
  }
  for (; at < lanes; ++at) out |= uint64_t{truths[at] & 1u} << at;
  return out;
}

uint64_t valid_bits(const uint64_t* valid, uint64_t from, uint64_t lanes) {
  const uint64_t word = from / kWordLanes, shift = from % kWordLanes;
  uint64_t out = valid[word] >> shift;
  if (shift + lanes > kWordLanes) out |= valid[word + 1] << (kWordLanes - shift);
  return out & bits::tail_mask(lanes);
}

}  // namespace

RowTruth fold_truths(const Column& column, uint64_t offset, uint64_t lanes, uint64_t* ever) {
  const auto* truths = column.values.as<uint8_t>() + offset;
  const uint64_t* valid = column.valid_or_null();
  RowTruth out;
  for (uint64_t at = 0; at < lanes; at += kWordLanes) {
    const uint64_t count = std::min(kWordLanes, lanes - at);
    uint64_t trues = truth_bits(truths + at, count);
    if (valid != nullptr) {
      const uint64_t known = valid_bits(valid, offset + at, count);
      trues &= known;
      out.unknown += count - static_cast<uint64_t>(std::popcount(known));
    }
    out.trues += static_cast<uint64_t>(std::popcount(trues));
    ever[at / kWordLanes] |= trues;
  }
  return out;
}

}  // namespace pmjit
