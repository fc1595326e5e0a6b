#include "runtime/exec/intervals.h"

#include <algorithm>

namespace pmjit {

void Intervals::update(Stamp stamp) {
  if (any_ && stamp == last_) return;
  if (any_) {
    differences_[next_] = nanos(stamp) - nanos(last_);
    next_ = (next_ + 1) % kDifferences;
    count_ = std::min(count_ + 1, kDifferences);
    std::array<Nanos, kDifferences> ordered = differences_;
    const uint32_t middle = (count_ - 1) / 2;
    std::nth_element(ordered.begin(), ordered.begin() + middle, ordered.begin() + count_);
    interval_ = ordered[middle];
  }
  any_ = true;
  last_ = stamp;
}

}  // namespace pmjit
