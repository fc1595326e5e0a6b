// A short text copied in whole vectors: kShortStep bytes behind it are read, and written.
#pragma once

#include <cstring>
#include <string_view>

namespace pmjit {

inline constexpr size_t kShortStep = 16;

// Returns the end of the copy.
inline char* copy_short(char* at, std::string_view text) {
  for (size_t i = 0; i < text.size(); i += kShortStep) {
    std::memcpy(at + i, text.data() + i, kShortStep);
  }
  return at + text.size();
}

}  // namespace pmjit
