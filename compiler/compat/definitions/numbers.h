// What one operator makes of two numbers of a type, as libpcp's C does it. Source: spec
// derived-metrics.md §13.2–§13.4.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "compiler/ast/ast.h"
#include "compiler/compat/definitions/tree.h"
#include "runtime/model/stamp.h"
#include "runtime/model/value.h"
#include "runtime/text/interval.h"

namespace pmjit::pcp {

// f(a number of the type's C type); false: it is none.
template <class F>
bool with_number_type(int type, F&& f) {
  switch (type) {
    case pm_type::i32: f(int32_t{}); return true;
    case pm_type::u32: f(uint32_t{}); return true;
    case pm_type::i64: f(int64_t{}); return true;
    case pm_type::u64: f(uint64_t{}); return true;
    case pm_type::f32: f(float{}); return true;
    case pm_type::f64: f(double{}); return true;
    default: return false;
  }
}

// Of two fetches. The last digit of a rate is libpcp's: it divides nanoseconds in long double.
inline double seconds_since(Stamp before, Stamp now) {
  return pm_sub(NanoTime{now.sec, now.nsec}, NanoTime{before.sec, before.nsec});
}

// The member of an Atom that has such a number.
template <class T, class A>
auto& number_in(A& atom) {
  if constexpr (std::is_same_v<T, int32_t>) return (atom.i32);
  if constexpr (std::is_same_v<T, uint32_t>) return (atom.u32);
  if constexpr (std::is_same_v<T, int64_t>) return (atom.i64);
  if constexpr (std::is_same_v<T, uint64_t>) return (atom.u64);
  if constexpr (std::is_same_v<T, float>) return (atom.f32);
  if constexpr (std::is_same_v<T, double>) return (atom.f64);
}

// As x86 does it: what does not fit gives the smallest number.
template <class To, class From>
To cast(From from) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    using Wide = int64_t;
    const bool fits = from >= static_cast<From>(std::numeric_limits<Wide>::min()) &&
                      from < -static_cast<From>(std::numeric_limits<Wide>::min());
    return static_cast<To>(fits ? static_cast<Wide>(from) : std::numeric_limits<Wide>::min());
  } else {
    return static_cast<To>(from);
  }
}

// Before it meets a number of another type. The factor is for reals, and a signalling NaN is quiet
// behind it, be it 1 or not.
template <class To, class From>
To convert(From value, const Factor& factor) {
  if constexpr (std::is_same_v<From, To> && !std::is_same_v<To, double>) return value;
  const To result = cast<To>(value);
  if constexpr (std::is_same_v<To, double>) {
    return result / static_cast<double>(factor.div) * static_cast<double>(factor.mul);
  }
  return result;
}

template <class T>
T combine(Operator op, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using Bits = std::make_unsigned_t<T>;
    const Bits x = static_cast<Bits>(a), y = static_cast<Bits>(b);
    if (op == Operator::add) return static_cast<T>(static_cast<Bits>(x + y));
    if (op == Operator::sub) return static_cast<T>(static_cast<Bits>(x - y));
    return static_cast<T>(static_cast<Bits>(x * y));
  } else {
    if (std::isnan(a)) return a;  // of two the left one, and its sign is printed
    if (op == Operator::add) return a + b;
    if (op == Operator::sub) return a - b;
    if (op == Operator::mul) return a * b;
    return a == 0 ? 0 : a / b;  // 0/0 too
  }
}

template <class T>
bool compare(Operator op, T a, T b) {
  switch (op) {
    case Operator::lt: return a < b;
    case Operator::le: return a <= b;
    case Operator::eq: return a == b;
    case Operator::ge: return a >= b;
    case Operator::gt: return a > b;
    case Operator::ne: return a != b;
    case Operator::and_: return a != 0 && b != 0;
    case Operator::or_: return a != 0 || b != 0;
    default: return false;
  }
}

template <class T>
T negative(T value) {
  if constexpr (std::is_integral_v<T>) {
    using Bits = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Bits>(Bits{0} - static_cast<Bits>(value)));
  } else {
    return -value;
  }
}

}  // namespace pmjit::pcp
