// Where one thread hands memory over to another through TBB, whose library the thread sanitizer
// does not see into: it is told here.
#pragma once

#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void* at);
extern "C" void __tsan_release(void* at);
#endif

namespace pmjit {

// All that was written before is for whoever takes over `at`.
inline void hand_over([[maybe_unused]] void* at) {
#if defined(__SANITIZE_THREAD__)
  __tsan_release(at);
#endif
}

inline void take_over([[maybe_unused]] void* at) {
#if defined(__SANITIZE_THREAD__)
  __tsan_acquire(at);
#endif
}

}  // namespace pmjit
