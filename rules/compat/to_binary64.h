// Reals: the bits of numbers as they were recorded, of any type, as binary64 in canonical units:
// the nearest, ties to even; and what is asked of whole columns of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pmjit::pmie {

// As many as there are bits; `type` is one of numbers. What has 32 bits stands in the lower ones.
void reals_of(int type, std::span<const uint64_t> bits, double scale, double* out);

// Is one of `n` numbers less than the one in its place?
[[nodiscard]] bool any_less(const double* numbers, const double* than, size_t n);

// Extremes: the least and the greatest number of a set, in one pass.
struct Extremes {
  double least = 0, greatest = 0;
  bool ordered = false;  // nothing of it is NaN; else the others mean nothing
};

// Of at least one number.
[[nodiscard]] Extremes extremes_of(const double* first, size_t count);

}  // namespace pmjit::pmie
