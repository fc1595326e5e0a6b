// Values that break evaluators, for every element: zeros, one, minus one, the ends and their
// neighbours, infinities, NaN, the smallest denormal and normal numbers, and the integers around
// which conversions round.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/model/desc.h"
#include "tests/unit/evaluators/rng.h"

namespace pmjit::tests {

// The low bytes are the value as it lies in a column.
std::span<const uint64_t> edge_values(Elem elem);
// An edge, a small number, or any bits.
uint64_t random_value(Elem elem, Rng& rng);
// What may stand in a lane that is not valid: anything.
uint64_t garbage(Rng& rng);

}  // namespace pmjit::tests
