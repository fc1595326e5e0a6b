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

bool operator==(const Intervals& one, const Intervals& other) {
  if (one.any_ != other.any_ || one.count_ != other.count_) return false;
  if (one.any_ && one.last_ != other.last_) return false;
  constexpr uint32_t all = Intervals::kDifferences;
  for (uint32_t back = 1; back <= one.count_; ++back) {
    if (one.differences_[(one.next_ + all - back) % all] !=
        other.differences_[(other.next_ + all - back) % all]) {
      return false;
    }
  }
  return true;
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
