// PauseWatch: which steps from one time to the next are pauses: 2.5 times as long as is usual.
//
//   PauseWatch watch;
//   for (const Nanos step : steps) {
//     if (watch.is_pause(step)) …
//     watch.remember(step);
//   }
//
// Metrics are logged in turn, so steps of very different length may be usual: a pause is longer
// than all of the newest ones but a few, which may have been pauses themselves.
#pragma once

#include <algorithm>
#include <array>
#include <functional>

#include "runtime/model/stamp.h"

namespace pmjit {

class PauseWatch {
 public:
  static constexpr size_t kStepsKept = 64;

  [[nodiscard]] bool is_pause(Nanos step) const {
    const size_t kept = std::min(count_, kStepsKept);
    if (kept == 0) return false;
    if (2 * step <= 5 * steps_[(count_ - 1) % kStepsKept]) return false;
    std::array<Nanos, kStepsKept> steps = steps_;
    const size_t passed_over = std::min(kPausesKept, kept / 8);
    const auto usual = steps.begin() + static_cast<std::ptrdiff_t>(passed_over);
    std::nth_element(steps.begin(), usual, steps.begin() + static_cast<std::ptrdiff_t>(kept),
                     std::greater<>());
    return 2 * step > 5 * *usual;  // 2.5 times, as the age limit of a value
  }
  void remember(Nanos step) { steps_[count_++ % kStepsKept] = step; }

 private:
  static constexpr size_t kPausesKept = 3;
  std::array<Nanos, kStepsKept> steps_{};  // the newest steps, in a ring
  size_t count_ = 0;
};

}  // namespace pmjit
