// The logging interval L of an operand or of an expression over several: the lower median of the
// last up to five differences between consecutive updates in this segment; and what follows from
// it, the age limit k·L with k = 5/2. Source: spec dialects.md §13.1.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "runtime/model/feed.h"

namespace pmjit {

class Intervals {
 public:
  void start_segment() { *this = Intervals(); }
  // A new update; one at the stamp of the last replaces it and adds no difference.
  void update(Stamp stamp);
  [[nodiscard]] std::optional<Nanos> interval() const { return interval_; }
  [[nodiscard]] AgeLimit limit() const {
    return interval_ ? AgeLimit{.limited = true, .interval = *interval_} : AgeLimit{};
  }

 private:
  static constexpr uint32_t kDifferences = 5;
  std::array<Nanos, kDifferences> differences_{};
  uint32_t count_ = 0, next_ = 0;
  bool any_ = false;
  Stamp last_;
  std::optional<Nanos> interval_;
};

}  // namespace pmjit
