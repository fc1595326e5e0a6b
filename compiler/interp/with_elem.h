// From an element known when running to a C++ type: f is called with a value of it, for its type
// alone. A truth value is a byte and a text the index into its dictionary.
#pragma once

#include <cstdint>

#include "runtime/base/result.h"
#include "runtime/model/desc.h"

namespace pmjit::interp {

template <class F>
void with_integer64(Elem elem, F f) {
  if (elem == Elem::i64) return f(int64_t{});
  check(elem == Elem::u64, "an element that is no 64-bit integer");
  f(uint64_t{});
}

template <class F>
void with_computed(Elem elem, F f) {
  if (elem == Elem::f64) return f(double{});
  with_integer64(elem, f);
}

template <class F>
void with_number(Elem elem, F f) {
  switch (elem) {
    case Elem::i32: return f(int32_t{});
    case Elem::u32: return f(uint32_t{});
    case Elem::f32: return f(float{});
    default: return with_computed(elem, f);
  }
}

template <class F>
void with_any(Elem elem, F f) {
  switch (elem) {
    case Elem::truth: return f(uint8_t{});
    case Elem::text:
    case Elem::bytes: return f(int32_t{});
    default: return with_number(elem, f);
  }
}

// Two computed operands: both real, or both integers of any sign.
template <class F>
void with_pair(Elem a, Elem b, F f) {
  if (a == Elem::f64 && b == Elem::f64) return f(double{}, double{});
  with_integer64(a, [&](auto x) { with_integer64(b, [&](auto y) { f(x, y); }); });
}

}  // namespace pmjit::interp
