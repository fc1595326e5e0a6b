// Where libpcp's values are no longer those of rows side by side, as at a mark, interpolation gives
// them, and columns are tried again later: what both ways out of columns share.
#pragma once

#include <algorithm>
#include <cstdint>

namespace pmjit {

// Interpolation knows a bound on either side of every instance. Where the lengths of all records
// are sound it knows the same after so many fetches as after all.
inline constexpr uint64_t kWarmUpFetches = 3;
// So few are made again, from where it stood.
inline constexpr uint64_t kFewFetches = 32;

// How many fetches the next try waits, behind one in vain that waited `before`: later and later.
[[nodiscard]] constexpr uint32_t wait_for_columns(uint32_t before) {
  constexpr uint32_t kLeast = 4, kTimesLater = 4, kMost = 1U << 20;
  return std::clamp(kTimesLater * before, kLeast, kMost);
}

}  // namespace pmjit
