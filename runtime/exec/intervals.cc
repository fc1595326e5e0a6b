#include "runtime/exec/intervals.h"

#include <algorithm>

namespace pmjit {

void Intervals::update(Stamp stamp) {
  if (any_ && stamp == last_) return;
  if (any_) {
    differences_[next_] = nanos(stamp) - nanos(last_);
    next_ = (next_ + 1) % kDifferences;
    count_ = std::min(count_ + 1, kDifferences);
    Nanos largest = 0, second = 0;
    for (uint32_t i = 0; i < count_; ++i) {
      second = std::max(second, std::min(largest, differences_[i]));
      largest = std::max(largest, differences_[i]);
    }
    if (count_ >= kDefined) interval_ = count_ < kSecondLargest ? largest : second;
  }
  any_ = true;
  last_ = stamp;
}

}  // namespace pmjit
