#include "compiler/codegen/helpers.h"

#include <algorithm>

#include "runtime/base/wide.h"

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

template <class Function>
Helper helper(const char* name, Function* function) {
  return {name, reinterpret_cast<void (*)()>(function)};
}

}  // namespace

std::span<const Helper> helpers() {
  static const Helper kHelpers[] = {
      helper(kRowsValid, rows_valid),
      helper(kWideToReal, wide_to_real),
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

}  // namespace pmjit::codegen
