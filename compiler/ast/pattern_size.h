// How much memory regcomp() takes for a POSIX extended regular expression, told without asking it.
// glibc copies the tree below every `+` and `{m,n}`, so that b+++… with a hundred of them wants
// more memory than there is, and it calls itself for every `(`, so that many of them end the stack.
//
//   pattern_bytes("sd[a-z]+") < 2'000; pattern_bytes("((a{255}){255}){255}") == kPatternUnbounded
#pragma once

#include <cstddef>
#include <limits>
#include <string_view>

namespace pmjit {

inline constexpr size_t kPatternUnbounded = std::numeric_limits<size_t>::max();

// In bytes; kPatternUnbounded beyond limits::kPatternBytesMax or limits::kNestingMax. Of a pattern
// that regcomp() refuses: what it takes until it does, or more.
[[nodiscard]] size_t pattern_bytes(std::string_view pattern);

}  // namespace pmjit
