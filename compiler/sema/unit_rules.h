// What units operands must have together, and what comes out: one function an operator family. In
// `+ -` and the arms of ?: the larger scale of each dimension wins, as in the compatible dialects,
// and both value and label are right; comparisons go to the smaller scale, where whole numbers stay
// exact. Source: spec dialects.md §4.4 and rows 47–54.
#pragma once

#include <optional>

#include "runtime/model/desc.h"
#include "runtime/model/units.h"

namespace pmjit {

// Both operands are converted to the result. None: dimensions differ.
std::optional<Units> sum_units(Units a, Units b);
std::optional<Units> comparison_units(Units a, Units b);

// The operands' scales are made equal where both have a dimension. None: a dimension leaves -8 … 7,
// or two extra units do not cancel out.
struct ProductUnits {
  Units left, right, result;
};
std::optional<ProductUnits> product_units(Units a, Units b);
std::optional<ProductUnits> quotient_units(Units a, Units b);

// rate(): one time dimension less, in seconds; a time becomes a plain number (utilisation). None: a
// dimension leaves -8 … 7.
std::optional<Units> rate_units(Units operand);

// The number type after a change of scale: whole numbers stay whole if the factor is.
Elem scaled_elem(Elem elem, Units from, Units to);

}  // namespace pmjit
