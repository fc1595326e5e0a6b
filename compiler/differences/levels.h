// How loud `check` is about a row of the dialect table: the one table of levels.
//
//   diag.severity = level_of(diag.code, metadata_known);
//
// A warning is what most users would change if they knew: it can never fire, hides a value, or
// reads another way than it looks. Everything else is a difference, which `check --differences`
// lists. A row that depends on what a metric is warns only where the metadata say so.
#pragma once

#include "compiler/diag/diag.h"

namespace pmjit {

// The level of a code that a text in a dialect of PCP gets (Diags::add_here): Severity::warning, or
// Severity::note for a difference. `known`: the metadata of all metrics in the text are known.
[[nodiscard]] Severity level_of(DiagCode code, bool known);

}  // namespace pmjit
