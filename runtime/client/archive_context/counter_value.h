// A counter between two observations. The arithmetic of every type is the reference's, to the bit.
// Source: spec archives.md §14.5.
#pragma once

#include <cstdint>

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

}  // namespace pmjit
