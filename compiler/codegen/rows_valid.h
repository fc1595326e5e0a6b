// The one helper that compiled kernels call: which of eight rows have all their lanes.
#pragma once

#include <cstdint>

namespace pmjit::codegen {

inline constexpr char kRowsValidName[] = "pmjit_rows_valid";

// Bit k: row first_row + k exists and all of its lanes are valid. Null bitmap: all are.
uint64_t rows_valid(const uint64_t* valid, uint64_t first_row, uint64_t rows, uint64_t lanes);

}  // namespace pmjit::codegen
