// Ranges: which numbers an expression may be, and which types of numbers there are. What cannot
// leave its type cannot wrap.
#pragma once

#include <cstdint>

#include "compiler/ast/ast.h"

namespace pmjit {

// A bit a PM_TYPE_* of numbers, by its number; and one for texts.
using TypeSet = uint8_t;
inline constexpr int kNumberTypes = 6;
inline constexpr TypeSet kAllNumbers = 0x3F, kTexts = 0x40, kNoType = 0x80;
[[nodiscard]] constexpr TypeSet only(int pm_type) { return static_cast<TypeSet>(1u << pm_type); }

// 64 bits of mantissa or more hold every border of an integer type, and one beyond.
struct Range {
  long double lo = 0, hi = 0;
  [[nodiscard]] bool contains(long double value) const { return lo <= value && value <= hi; }
  [[nodiscard]] bool within(const Range& other) const { return other.lo <= lo && hi <= other.hi; }
};
[[nodiscard]] Range hull(const Range& a, const Range& b);
[[nodiscard]] Range common(const Range& a, const Range& b);
[[nodiscard]] Range of_type(int pm_type);
[[nodiscard]] Range of_types(TypeSet types);
// Of two numbers of these ranges, exact.
[[nodiscard]] Range combined(Operator op, const Range& a, const Range& b);
// What is left of exact results in a type that wraps.
[[nodiscard]] Range kept(const Range& exact, TypeSet types);

// Calls f(type) for every type of numbers in the set.
template <class F>
void each_type(TypeSet types, F&& f) {
  for (int type = 0; type < kNumberTypes; ++type) {
    if ((types & only(type)) != 0) f(type);
  }
}

}  // namespace pmjit
