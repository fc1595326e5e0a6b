// A whole-number counter between two observations, exactly: on the line through them, rounded half
// up. Source: spec dialects.md, row 137.
#pragma once

#include <cstdint>

#include "runtime/base/wide.h"

namespace pmjit {

struct ExactSpan {
  int type = 0;                  // 32, U32, 64 or U64
  uint64_t prior = 0, next = 0;  // their bits, in the type
  // Nanoseconds since the observation before; between the two. 0 ≤ done ≤ whole < 2^94, 0 < whole
  Int128 done = 0, whole = 1;
};

// The bits of the value, in the same type. `wrap`: a counter that falls has passed the top of its
// range (PCP_COUNTER_WRAP); else it goes down.
[[nodiscard]] uint64_t exact_counter_between(const ExactSpan& span, bool wrap);

}  // namespace pmjit
