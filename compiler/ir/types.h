// The rules of types: what an operator's operands may be, and what its result then is. Lowering
// asks here which casts it must add, verify() holds every node to the answer, and the tests
// enumerate all that is legal.
//
//   result_elem(Op::add, {{Elem::i64, Elem::u64}})  →  i64
//   result_elem(Op::add, {{Elem::i64, Elem::f64}})  →  none: a to_f64 is missing
#pragma once

#include <optional>
#include <span>

#include "compiler/ir/ir.h"

namespace pmjit {

// None: the operator does not take these, or (constant, fetch) its element is its own.
std::optional<Elem> result_elem(Op op, std::span<const Elem> operands);

// None: two operands have the same axis with different identities. Reducing and selecting remove
// the domain; of `meet` it is the result's own.
std::optional<Axes> result_axes(Op op, std::span<const Axes> operands);

// The elements that expressions compute in; the others are storage, widened first.
inline constexpr bool is_integer64(Elem e) { return e == Elem::i64 || e == Elem::u64; }
inline constexpr bool is_computed(Elem e) { return is_integer64(e) || e == Elem::f64; }

}  // namespace pmjit
