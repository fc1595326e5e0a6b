// kSanitized: compiled with the address sanitizer. Sanitizers do not see the code of kernels, so
// tests of kernels then run one of each kind; and what forks or repeats takes less turns.
#pragma once

namespace pmjit {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#elif defined(__clang__)
inline constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace pmjit
