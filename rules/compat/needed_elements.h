// Of how many elements `N %_inst` must be true. Source: spec rules-language.md §9 (Q6).
#pragma once

#include <cstddef>

namespace pmjit::pmie {

// `sum`: of the codes of truth.
[[nodiscard]] inline bool is_share(double sum, double percentage, size_t count) {
  const double share = percentage / 100;
  return sum >= static_cast<int>(0.5 + share * static_cast<double>(count));
}

}  // namespace pmjit::pmie
