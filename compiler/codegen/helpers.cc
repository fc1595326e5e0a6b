#include "compiler/codegen/helpers.h"

#include <algorithm>
#include <bit>

#include "runtime/base/bits.h"

namespace pmjit::codegen {

namespace {

bool range_valid(const uint64_t* valid, uint64_t from, uint64_t count) {
  while (count != 0) {
    const uint64_t bit = from % 64;
    const uint64_t here = std::min(count, 64 - bit);
    const uint64_t wanted = (~uint64_t{0} >> (64 - here)) << bit;
    if ((valid[from / 64] & wanted) != wanted) return false;
    from += here;
    count -= here;
  }
  return true;
}

uint64_t count_true(const uint8_t* truths, uint64_t count) {
  uint64_t out = 0;
  for (uint64_t i = 0; i < count; ++i) out += truths[i] != 0 ? 1 : 0;
  return out;
}

struct Judged {
  uint64_t are_true = 0, known = 0;
};

// Word by word of the validity: mostly all or none of a word is known.
Judged judge_row(const uint8_t* truths, const uint64_t* valid, uint64_t from, uint64_t count) {
  if (valid == nullptr) return {count_true(truths + from, count), count};
  Judged out;
  for (const uint64_t end = from + count; from < end;) {
    const uint64_t bit = from % 64;
    const uint64_t here = std::min(end - from, 64 - bit);
    const uint64_t lanes = ~uint64_t{0} >> (64 - here);
    const uint64_t known = valid[from / 64] >> bit & lanes;
    if (known == lanes) out.are_true += count_true(truths + from, here);
    for (uint64_t rest = known == lanes ? 0 : known; rest != 0; rest &= rest - 1) {
      out.are_true += truths[from + static_cast<uint64_t>(std::countr_zero(rest))] != 0 ? 1 : 0;
    }
    out.known += static_cast<uint64_t>(std::popcount(known));
    from += here;
  }
  return out;
}

template <class Function>
Helper helper(const char* name, Function* function) {
  return {name, reinterpret_cast<void (*)()>(function)};
}

}  // namespace

std::span<const Helper> helpers() {
  static const Helper kHelpers[] = {
      helper(kRowsValid, rows_valid),
      helper(kWideToReal, wide_to_real),
      helper(kRowsJudged, rows_judged),
  };
  return kHelpers;
}

uint64_t rows_valid(const uint64_t* valid, uint64_t first_row, uint64_t rows, uint64_t lanes) {
  uint64_t mask = 0;
  const uint64_t count = std::min<uint64_t>(rows - first_row, 8);
  for (uint64_t k = 0; k < count; ++k) {
    const bool all = valid == nullptr || range_valid(valid, (first_row + k) * lanes, lanes);
    mask |= uint64_t{all} << k;
  }
  return mask;
}

double wide_to_real(uint64_t low, int64_t high) {
  return static_cast<double>(Int128{high} * (Int128{1} << 64) + low);
}

uint64_t rows_judged(const uint8_t* truths, const uint64_t* valid, uint64_t first_row,
                     uint64_t rows, uint64_t lanes, uint64_t need) {
  uint64_t out = 0;
  const uint64_t count = std::min<uint64_t>(rows - first_row, 8);
  for (uint64_t k = 0; k < count; ++k) {
    const Judged row = judge_row(truths, valid, (first_row + k) * lanes, lanes);
    const bool holds = row.are_true >= need;
    const bool fails = row.are_true + (lanes - row.known) < need;
    out |= (holds ? uint64_t{1} : uint64_t{0}) << k;
    out |= (holds || fails ? uint64_t{1} : uint64_t{0}) << (8 + k);
  }
  return out;
}

}  // namespace pmjit::codegen
