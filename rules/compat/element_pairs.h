// How the elements of two operands meet: by position, or each with the one value of a scalar.
// Source: spec rules-language.md §7.
#pragma once

#include <algorithm>

#include "rules/compat/node_state.h"

namespace pmjit::pmie {

struct Pairing {
  bool left_is_set = false, right_is_set = false;
  size_t span = 0;  // of the node
};

// May they meet at all? The result of two scalars is one element.
[[nodiscard]] inline bool can_pair(const Pairing& pairing, size_t left_span, size_t right_span) {
  if (pairing.left_is_set && (left_span != pairing.span || pairing.span == 0)) return false;
  if (pairing.right_is_set && (right_span != pairing.span || pairing.span == 0)) return false;
  return left_span > 0 && right_span > 0 && pairing.span > 0;
}

template <class L, class R, class Out, class F>
void pair_up(const Pairing& pairing, const L* left, const R* right, Out* out, F f) {
  const size_t n = pairing.span;
  if (pairing.left_is_set && pairing.right_is_set) {
    for (size_t i = 0; i < n; ++i) out[i] = f(left[i], right[i]);
  } else if (pairing.left_is_set) {
    const R& one = *right;
    for (size_t i = 0; i < n; ++i) out[i] = f(left[i], one);
  } else if (pairing.right_is_set) {
    const L& one = *left;
    for (size_t i = 0; i < n; ++i) out[i] = f(one, right[i]);
  } else {
    out[0] = f(*left, *right);
  }
}

}  // namespace pmjit::pmie
