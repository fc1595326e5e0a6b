// What compiled kernels may call: a closed table, for they see no other symbol of the process.
#pragma once

#include <cstdint>
#include <span>

namespace pmjit::codegen {

struct Helper {
  const char* name;
  void (*address)();
};
std::span<const Helper> helpers();

// pmjit_rows_valid: which of eight rows have all their lanes. Bit k: row first_row + k exists and
// all of its lanes are valid. Null bitmap: all are.
inline constexpr char kRowsValid[] = "pmjit_rows_valid";
uint64_t rows_valid(const uint64_t* valid, uint64_t first_row, uint64_t rows, uint64_t lanes);

// pmjit_wide_to_real: the 128-bit integer high·2^64 + low, rounded to the nearest double.
inline constexpr char kWideToReal[] = "pmjit_wide_to_real";
double wide_to_real(uint64_t low, int64_t high);

// pmjit_rows_judged: are at least `need` of the lanes true, in each of eight rows of truths? Bit k:
// they are in row first_row + k; bit 8 + k: that is known, whatever the lanes are that are not
// valid.
inline constexpr char kRowsJudged[] = "pmjit_rows_judged";
uint64_t rows_judged(const uint8_t* truths, const uint64_t* valid, uint64_t first_row,
                     uint64_t rows, uint64_t lanes, uint64_t need);

}  // namespace pmjit::codegen
