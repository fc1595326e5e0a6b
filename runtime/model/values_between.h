// Between: what values there are between two observations, where a source makes any.
#pragma once

#include <cstdint>

namespace pmjit {

enum class Between : uint8_t {
  exact,   // whole-number counters without rounding error, texts from their own time on
  as_pcp,  // libpcp's, to the bit
};

}  // namespace pmjit
