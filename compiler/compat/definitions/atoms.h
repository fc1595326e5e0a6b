// Arithmetic on atoms as libpcp's C does it: in the type of the result, wrapping. Source: spec
// derived-metrics.md §13.2–§13.4, §14.
#pragma once

#include <string_view>

#include "compiler/compat/definitions/tree.h"
#include "runtime/model/atom.h"

namespace pmjit::pcp {

// As C converts it; with the factor where a real comes out.
[[nodiscard]] Atom converted(const Atom& atom, int from, int to, const Factor& factor);
// a op b; both are of `type`.
[[nodiscard]] Atom arithmetic(Operator op, int type, const Atom& a, const Atom& b);
[[nodiscard]] bool holds(Operator op, int type, const Atom& a, const Atom& b);
[[nodiscard]] Atom negated(int type, const Atom& a);
[[nodiscard]] bool is_zero(int type, const Atom& a);
[[nodiscard]] bool less(int type, const Atom& a, const Atom& b);
// What a number's text is in a type: whole ones modulo 2^32 or 2^64.
[[nodiscard]] Atom atom_of_number(std::string_view text, int type);
// 1 or 0.
[[nodiscard]] Atom truth(bool value, int type);

}  // namespace pmjit::pcp
