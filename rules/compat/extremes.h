// Extremes: the least and the greatest number of a set, in one pass.
#pragma once

#include <cstddef>

namespace pmjit::pmie {

struct Extremes {
  double least = 0, greatest = 0;
  bool ordered = false;  // nothing of it is NaN; else the others mean nothing
};

// Of at least one number.
[[nodiscard]] Extremes extremes_of(const double* first, size_t count);

}  // namespace pmjit::pmie
