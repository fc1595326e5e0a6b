// Names that are defined twice (D30). Who reads the texts asks, where it is not settled yet whose a
// name is: among the derived metrics of a process the registry knows (compiler/compat/registry).
#pragma once

#include <span>

#include "compiler/sema/sema.h"

namespace pmjit {

// A strict definition whose name another one before it has, or one of a compatible dialect,
// wherever that stands: told in the diagnostics of its own text, with the place of the other.
void refuse_repeated(std::span<const NamedExpr> exprs, const CompatibleMetrics& compatible);

}  // namespace pmjit
