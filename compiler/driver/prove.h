// prove(): derived metrics of a compatible dialect become core operators, which kernels compute,
// wherever these give the same bits at every time and for every instance, whatever is recorded:
// names, and arithmetic in binary64 without scales. Source: spec dialects.md §7–§10, design §6.
//
//   %0 = derived "half" : f64 …     →  %0 = fetch x : u64 …   %1 = to_f64 %0   %2 = constant 2
//                                      %3 = div_or_0 %1 %2    %4 = proven "half" %3
//
// What stays as it is: integers (they wrap), single precision, aggregates (in the order of the
// fetch), relations (of NaN), ?: (by position), selections, scales, everything with a history, and
// all that is used beneath a history of a strict expression.
#pragma once

#include "compiler/ir/ir.h"
#include "compiler/plan/plan.h"

namespace pmjit {

// `bodies`: of Ir::derived.
[[nodiscard]] Ir prove(const Ir& ir, const Bodies& bodies);

}  // namespace pmjit
