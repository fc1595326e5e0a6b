// How often a test with random input goes round: under the address sanitizer, which makes each turn
// five times as long, a fifth as often. The release build does the others.
#pragma once

#include <cstdint>

#include "runtime/base/sanitized.h"

namespace pmjit::test {

constexpr uint32_t turns(uint32_t all) { return kSanitized ? all / 5 : all; }

}  // namespace pmjit::test
