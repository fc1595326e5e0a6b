#include "runtime/exec/intervals.h"

#include <algorithm>
#include <utility>

namespace pmjit {

void Intervals::update(Stamp stamp) {
  if (any_ && stamp == last_) return;
  if (any_) {
    const Nanos difference = nanos(stamp) - nanos(last_);
    const Nanos forgotten = std::exchange(differences_[next_], difference);
    next_ = (next_ + 1) % kDifferences;
    // Nearly always the two largest of nine stay the same.
    const bool full = count_ == kDifferences;
    const bool same =
        full && (difference == forgotten || (forgotten < *interval_ && difference <= *interval_));
    count_ = std::min(count_ + 1, kDifferences);
    if (!same) find_interval();
  }
  any_ = true;
  last_ = stamp;
}

void Intervals::find_interval() {
  Nanos largest = 0, second = 0;
  for (uint32_t i = 0; i < count_; ++i) {
    second = std::max(second, std::min(largest, differences_[i]));
    largest = std::max(largest, differences_[i]);
  }
  if (count_ >= kDefined) interval_ = count_ < kSecondLargest ? largest : second;
}

}  // namespace pmjit
