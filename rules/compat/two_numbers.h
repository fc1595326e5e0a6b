// Two numbers in one register, for loops that the compilers find no vector for: theirs would have
// to give up what NaN and -0 mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pmjit::pmie {

typedef double TwoNumbers __attribute__((vector_size(16)));
typedef int64_t TwoMasks __attribute__((vector_size(16)));
inline constexpr size_t kTwo = 2;

[[nodiscard]] inline TwoNumbers two_numbers(const double* from) {
  TwoNumbers out;
  std::memcpy(&out, from, sizeof out);
  return out;
}

}  // namespace pmjit::pmie
