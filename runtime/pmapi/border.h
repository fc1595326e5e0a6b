// The border to C: what every function that C calls does at its edges. Exceptions end here, and
// memory that the caller frees comes from malloc.
//
//   int pmLookupDesc(pmID pmid, pmDesc* out) {
//     if (out == nullptr) return -EINVAL;
//     return at_c_border([&] { … });
//   }
#pragma once

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>

// Functions that C calls are exported; nothing else of this library is.
#pragma GCC visibility push(default)
#include "runtime/pmapi/include/pcp/pmapi.h"
#pragma GCC visibility pop

namespace pmjit {

// Of a call that returns a number: a code, whatever is thrown.
template <class Call>
int at_c_border(Call&& call) noexcept {
  try {
    return std::forward<Call>(call)();
  } catch (const std::bad_alloc&) {
    return -ENOMEM;
  } catch (...) {
    return PM_ERR_GENERIC;
  }
}

// Of any other: what it says if it cannot say more.
template <class T, class Call>
T at_c_border_or(T otherwise, Call&& call) noexcept {
  try {
    return std::forward<Call>(call)();
  } catch (...) {
    return otherwise;
  }
}

// For the caller to free.
inline void* give_bytes(size_t bytes) {
  void* out = std::malloc(bytes == 0 ? 1 : bytes);
  if (out == nullptr) throw std::bad_alloc();
  return out;
}
inline char* give_text(std::string_view text) {
  auto* out = static_cast<char*>(give_bytes(text.size() + 1));
  std::memcpy(out, text.data(), text.size());
  out[text.size()] = '\0';
  return out;
}
// A list and its texts in one block.
char** give_texts(std::span<const std::string> texts);

// Into room of the caller's, cut where it ends. Null where there is no room at all.
char* put_text(std::string_view text, char* buffer, int bytes);

}  // namespace pmjit
