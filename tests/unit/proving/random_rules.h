// Random recordings and rules: of sets with gaps, instances that go, counters that fall and NaN;
// quantifiers, some of which core operators decide, some of which must be interpreted.
#pragma once

#include <string>

#include "tests/unit/evaluators/rng.h"

namespace pmjit::tests {

[[nodiscard]] std::string random_metrics();
[[nodiscard]] std::string random_samples(Rng& rng, size_t ticks);
// Named r0 …, or from another number on.
[[nodiscard]] std::string random_rules(Rng& rng, size_t count, size_t first = 0);

}  // namespace pmjit::tests
