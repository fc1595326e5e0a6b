// How often a test with random input goes round: under sanitizers, which make each turn five times
// as long, a fifth as often. What is compiled without them does the others.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/base/sanitized.h"

namespace pmjit::test {

#if defined(__SANITIZE_THREAD__)
constexpr bool kSlow = true;
#elif defined(__clang__)
constexpr bool kSlow = kSanitized || __has_feature(thread_sanitizer);
#else
constexpr bool kSlow = kSanitized;
#endif

constexpr uint32_t turns(uint32_t all) { return kSlow ? all / 5 : all; }

// From one place of many to the next that a test looks at.
constexpr size_t kPlaceStep = kSlow ? 5 : 1;

}  // namespace pmjit::test
