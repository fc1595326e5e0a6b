// kSanitized: compiled with the address sanitizer. The product then lets go of memory as early as
// it can, so that whoever holds on to it without saying so is found. Tests take fewer turns; tests
// of kernels, which sanitizers do not see, run one of each kind.
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
