#include "runtime/archive/summary/pauses.h"

#include <algorithm>
#include <utility>

#include "runtime/base/limits.h"

namespace pmjit {

void Pauses::add(Stamp stamp, std::optional<GapCause> cause) {
  const std::optional<Stamp> from = std::exchange(last_, stamp);
  if (!from) return;
  if (cause) {
    // Bounded where a damaged archive is all marks.
    if (told_.size() < limits::kGapsMax) {
      told_.push_back({.from = *from, .to = stamp, .cause = *cause});
    } else {
      dropped_ = true;
    }
    return;
  }
  const double seconds = seconds_between(stamp, *from);
  const auto shorter = [](const Pause& a, const Pause& b) { return a.seconds > b.seconds; };
  if (longest_.size() == limits::kGapsMax) {
    if (seconds <= longest_.front().seconds) return;
    std::ranges::pop_heap(longest_, shorter);
    longest_.pop_back();
  }
  longest_.push_back({.seconds = seconds, .from = *from, .to = stamp});
  std::ranges::push_heap(longest_, shorter);
}

void Pauses::end(std::optional<GapCause> cause, std::optional<Stamp> to) {
  if (!cause || !last_) return;
  if (to && *to <= *last_) to.reset();
  told_.push_back({.from = *last_, .to = to, .cause = *cause});
}

Pauses::Found Pauses::longer_than(double least) const {
  Found found{.gaps = told_, .more = dropped_};
  for (const Pause& pause : longest_) {
    if (pause.seconds > least) found.gaps.push_back({.from = pause.from, .to = pause.to});
  }
  const bool full = longest_.size() == limits::kGapsMax;
  found.more = found.more || (full && longest_.front().seconds > least);
  std::ranges::stable_sort(found.gaps, {}, &Gap::from);
  return found;
}

}  // namespace pmjit
