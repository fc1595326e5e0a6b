// Shares of truths, lane by lane: `50 %_sample` of a rule, in terms of && and ||.
#pragma once

#include <span>

#include "compiler/ir/ir.h"

namespace pmjit {

// True where at least `percent` of the truths are, false where too few may be, and unknown between
// (spec dialects.md §4.2). `like` has the type and the place of what is made.
NodeId at_least_of(Ir& ir, std::span<const NodeId> truths, uint64_t percent, const Node& like);

}  // namespace pmjit
