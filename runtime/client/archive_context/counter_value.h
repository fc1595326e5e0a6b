// A counter between two observations. The arithmetic of every type is the reference's, to the bit.
// Source: spec archives.md §14.5.
#pragma once

#include <cstdint>

#include "runtime/base/bits.h"

namespace pmjit {

struct CounterSpan {
  int type = 0;                  // 32 … DOUBLE
  uint64_t prior = 0, next = 0;  // their bits, in the type
  double done = 0, whole = 0;    // seconds since the observation before; between the two
};

// The bits of the value, in the same type. `wrap`: PCP_COUNTER_WRAP is set.
[[nodiscard]] uint64_t counter_between(const CounterSpan& span, bool wrap);

// Is PCP_COUNTER_WRAP in the environment?
[[nodiscard]] bool counters_wrap();

// A whole-number counter between two observations, exactly: on the line through them, rounded half
// up. Source: spec dialects.md, row 137.
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
