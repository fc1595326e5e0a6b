// How often a test with random input goes round: under the address sanitizer, which makes each turn
// five times as long, a fifth as often. What is compiled without it does the others.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/base/sanitized.h"

namespace pmjit::test {

constexpr uint32_t turns(uint32_t all) { return kSanitized ? all / 5 : all; }

// From one place of many to the next that a test looks at.
constexpr size_t kPlaceStep = kSanitized ? 5 : 1;

}  // namespace pmjit::test
