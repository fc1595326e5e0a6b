// Which values of two sets over one domain meet: what both have, in the order of the left. A search
// goes on behind the last one found, and begins anew where there is none. Source: spec
// derived-metrics.md §13.1.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace pmjit::pcp {

// pair(i, j) for each; `instance` projects an element of either set to its instance.
template <class Set, class Instance, class Pair>
void each_pair(const Set& left, const Set& right, Instance instance, Pair pair) {
  const auto of = [&](const auto& item) { return std::invoke(instance, item); };
  const size_t count = std::min(left.size(), right.size());
  size_t made = 0;
  for (size_t i = 0, j = 0; made < count && i < left.size() && j < right.size();) {
    if (of(left[i]) != of(right[j])) {
      const auto found = std::ranges::find(right, of(left[i]), instance);
      if (found == right.end()) {
        ++i;
        j = 0;
        continue;
      }
      j = static_cast<size_t>(found - right.begin());
    }
    pair(i++, j);
    ++made;
    j = j + 1 < right.size() ? j + 1 : 0;
  }
}

}  // namespace pmjit::pcp
