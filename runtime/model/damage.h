// Damage: bytes that are not what they should be. Readers of single records know the offset and the
// cause and nothing of files or hosts; the caller that opened them makes the Error, once.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

#include "runtime/model/pm_error.h"

namespace pmjit {

struct Damage {
  std::string_view what;  // a literal
  uint64_t offset = 0;    // in the record, until its reader adds the record's own
  int pm_code = pm_err::E_LOGREC;
};

template <class T>
using OrDamage = std::expected<T, Damage>;

inline std::unexpected<Damage> damaged(std::string_view what, uint64_t offset) {
  return std::unexpected<Damage>(Damage{.what = what, .offset = offset});
}

}  // namespace pmjit
