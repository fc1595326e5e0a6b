// LowerLimit: a limit of this process that is lower for a while.
//
//   {
//     const LowerLimit limit(RLIMIT_NOFILE, 10);
//     …                                             // descriptors above 9: EMFILE
//   }                                               // as before
#pragma once

#include <sys/resource.h>

namespace pmjit {

// UBSan looks at memory through a pipe: with it, tests without descriptors are skipped.
#if defined(__clang__)
inline constexpr bool kNeedsDescriptors = __has_feature(undefined_behavior_sanitizer);
#else
inline constexpr bool kNeedsDescriptors = false;
#endif

class LowerLimit {
 public:
  LowerLimit(decltype(RLIMIT_NOFILE) what, rlim_t most) : what_(what) {
    ::getrlimit(what, &before_);
    const rlimit lower{.rlim_cur = most, .rlim_max = before_.rlim_max};
    ::setrlimit(what, &lower);
  }
  ~LowerLimit() { ::setrlimit(what_, &before_); }
  LowerLimit(const LowerLimit&) = delete;
  LowerLimit& operator=(const LowerLimit&) = delete;

 private:
  decltype(RLIMIT_NOFILE) what_;
  rlimit before_{};
};

}  // namespace pmjit
