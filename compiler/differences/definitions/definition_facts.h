// Facts: what an expression of a compatible dialect may be, as libpcp has it, one for every node.
// Where a metric is not known everything is possible of it; a fact is a set of possibilities, and a
// difference is possible if one of them has it. Source: spec derived-metrics.md §11–§14.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/ast/ast.h"
#include "compiler/differences/definitions/definition_differences.h"
#include "runtime/model/pm_codes.h"
#include "runtime/model/units.h"

namespace pmjit {

// Ranges: which numbers an expression may be, and which types of numbers there are. What cannot
// leave its type cannot wrap.

// A bit a PM_TYPE_* of numbers, by its number; and one for texts.
using TypeSet = uint8_t;
inline constexpr int kNumberTypes = 6;
inline constexpr TypeSet kAllNumbers = 0x3F, kTexts = 0x40, kNoType = 0x80;
[[nodiscard]] constexpr TypeSet only(int pm_type) { return static_cast<TypeSet>(1u << pm_type); }
inline constexpr TypeSet kReals = only(pm_type::f32) | only(pm_type::f64);
inline constexpr TypeSet kUnsigned = only(pm_type::u32) | only(pm_type::u64);

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

// A number for everything that lanes or values come from, equal for equal ones.
using Origin = uint32_t;
using Origins = std::vector<Origin>;  // ascending

// A bit a kind of semantics.
inline constexpr uint8_t kCounter = 1, kInstant = 2, kDiscrete = 4, kAnySemantics = 7;

struct Facts {
  TypeSet types = kAllNumbers;
  std::optional<Units> units{};  // none: not known
  ExtraUnit extra{};             // that libpcp does not see (pcp6)
  bool degrees = false;          // a difference, sum or multiple, to strict
  uint8_t semantics = kAnySemantics;
  Range range{};
  bool may_be_nan = false, may_be_infinite = false;

  bool may_be_set = false, may_be_singular = true;
  InDomId indom = kNullId;  // of a set, where it is known
  bool several = false;     // there may be more than one instance at a time
  bool selected = false;    // x[name]: a set of one
  std::string instance{};   // its name
  Origin lanes = 0;         // equal: the same instances in the same order
  Origins sets{};           // the metrics that instances come from
  Origins lacks{};          // what may have no values, so that this has none

  bool truth = false;     // to strict
  bool constant = false;  // no metric in it
  bool bare = false;      // a number without a unit, to strict
  bool literal = false;   // a number or mkconst() as written
  bool nobody = false;    // novalue()
  bool missing = false;   // a metric that is not there, or in it
  bool unused = false;    // an arm that never counts, the number of a mkconst(), beneath defined()
  bool asks = false;      // made of defined() alone
  bool idle = false;      // an arm that strict never picks; libpcp needs it all the same
  std::optional<bool> settled{};  // to libpcp, whatever the values are

  [[nodiscard]] bool is(uint8_t semantics_bit) const { return (semantics & semantics_bit) != 0; }
  [[nodiscard]] bool has(TypeSet some) const { return (types & some) != 0; }
  [[nodiscard]] bool zero() const { return range.lo == 0 && range.hi == 0; }
};

[[nodiscard]] inline bool includes(const Origins& all, const Origins& some) {
  return std::ranges::includes(all, some);
}
[[nodiscard]] Origins together(const Origins& a, const Origins& b);

// One a node of the Ast, by ExprId.
[[nodiscard]] std::vector<Facts> find_facts(const Ast& ast, const DifferenceOptions& options);

// What libpcp's arithmetic makes of two operands' units.
struct CombinedUnits {
  Units result;
  bool converted = false;
  bool left_both = false, right_both = false;  // a factor that multiplies and divides
  bool wraps = false;                          // a factor that libpcp's 32 bits do not hold
};
[[nodiscard]] CombinedUnits combine(Operator op, const Facts& left, const Facts& right);

[[nodiscard]] inline bool is_relation(Operator op) {
  return op >= Operator::lt && op <= Operator::ne;
}
[[nodiscard]] inline bool is_logic(Operator op) {
  return op == Operator::and_ || op == Operator::or_;
}

}  // namespace pmjit
