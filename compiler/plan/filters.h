// Filters after joins: an instance that matchinst() leaves out is out of every expression that has
// it as an operand, whether its metric delivered it or not (spec dialects.md §4.3, §13.3 rule 3).
// So a filter moves above what works lane by lane, up to where lanes end.
//
//   x + matchinst(/a/, y)   →   matchinst(/a/, x + y)
//
// Private to compiler/plan.
#pragma once

#include "compiler/ir/ir.h"

namespace pmjit {

Ir lift_filters(Ir ir);

}  // namespace pmjit
