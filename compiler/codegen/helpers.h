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

}  // namespace pmjit::codegen
