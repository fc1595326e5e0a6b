// At how many times something was computed together with others, and which guard did not hold at
// the others: of definitions and of parts of rules. For `pmjit explain`.
//
//   GuardCounts counts;
//   counts.hold(8638);  counts.fail(Guard::changes);  …  counts.stretches[…]
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pmjit {

// `held`: none failed.
enum class Guard : uint8_t {
#define GUARD(name, text) name,
#include "runtime/program/guards.def"
#undef GUARD
  held
};
inline constexpr size_t kGuards = static_cast<size_t>(Guard::held);

// For people.
[[nodiscard]] constexpr std::string_view text_of(Guard guard) {
  constexpr std::array<std::string_view, kGuards + 1> kTexts = {
#define GUARD(name, text) text,
#include "runtime/program/guards.def"
#undef GUARD
      ""};
  return kTexts[static_cast<size_t>(guard)];
}

struct GuardCounts {
  uint64_t held = 0, failed = 0;              // times
  std::array<uint64_t, kGuards> times{};      // that failed, by guard
  std::array<uint64_t, kGuards> stretches{};  // of such times in a row
  Guard last = Guard::held;
  [[nodiscard]] uint64_t all() const { return held + failed; }

  void hold(uint64_t count) {
    held += count;
    last = Guard::held;
  }
  void fail(Guard guard) {
    const auto at = static_cast<size_t>(guard);
    ++failed;
    ++times[at];
    if (guard != last) ++stretches[at];
    last = guard;
  }
};

}  // namespace pmjit
