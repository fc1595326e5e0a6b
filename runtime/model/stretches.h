// Stretches: how lanes of one list of instances are found in another. Lists mostly differ by a few
// instances, so that a few stretches say it all, and their values are copied side by side.
//
//   walk_both(x, y, [](size_t i, size_t k, size_t count) { … },   // x[i …] is y[k …]
//             [](size_t i, size_t count) { … },                   // in x alone
//             [](size_t k, size_t count) { … });                  // in y alone
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pmjit {

using InstanceIds = std::span<const int32_t>;

// Lanes [to, to + count) of the one are lanes [from, from + count) of the other.
struct Stretch {
  uint32_t to = 0, from = 0, count = 0;
  friend bool operator==(const Stretch&, const Stretch&) = default;
};
using Stretches = std::vector<Stretch>;  // ascending by `to`; what none covers is absent

// Goes on with the last one where it can.
void append(Stretches& out, Stretch more);

// The first lanes of all instances of a list, in ascending order of the instances.
Stretches ascending_order(InstanceIds list);

// Behind the last value, from `from` on, that is greater than the one before it.
size_t ascent_end(InstanceIds list, size_t from);

// How far two lists are equal from their beginnings on, and where the first value that is not below
// `limit` stands at or behind `from`. Both look near by first.
size_t equal_length(InstanceIds x, InstanceIds y);
size_t reach(InstanceIds list, size_t from, int32_t limit);

// Two lists that ascend, each instance once, side by side.
template <class Both, class OnlyX, class OnlyY>
void walk_both(InstanceIds x, InstanceIds y, Both both, OnlyX only_x, OnlyY only_y) {
  size_t i = 0, k = 0;
  while (i < x.size() && k < y.size()) {
    if (x[i] == y[k]) {
      const size_t count = equal_length(x.subspan(i), y.subspan(k));
      both(i, k, count);
      i += count;
      k += count;
    } else if (x[i] < y[k]) {
      const size_t end = reach(x, i, y[k]);
      only_x(i, end - i);
      i = end;
    } else {
      const size_t end = reach(y, k, x[i]);
      only_y(k, end - k);
      k = end;
    }
  }
  if (i < x.size()) only_x(i, x.size() - i);
  if (k < y.size()) only_y(k, y.size() - k);
}

}  // namespace pmjit
