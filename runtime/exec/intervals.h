// The logging interval L of an operand or of an expression over several, and what follows from it:
// the age limit k·L with k = 5/2, and which observations belong to one tick. Source: spec
// dialects.md §13.1.
//
// L is taken from the last up to nine differences between consecutive updates in this segment:
// undefined with fewer than two, the largest with two to four, the second largest from five on.
// Loggers write one metric in two or three groups, some milliseconds apart: of the differences 10
// s, 20 ms, 10 s, 20 ms a median would be the milliseconds. One pause among nine is not the rhythm.
//
//   Intervals intervals;
//   intervals.update(stamp);                        // of every update
//   intervals.limit().within_tick(nanos(next) - nanos(stamp));
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "runtime/model/feed.h"

namespace pmjit {

class Intervals {
 public:
  // L is the second largest of so many differences. So the newest observation that is at least L
  // older than the last is at most so many observations before it.
  static constexpr uint32_t kDifferences = 9;

  void start_segment() { *this = Intervals(); }
  // A new update; one at the stamp of the last replaces it and adds no difference.
  void update(Stamp stamp);
  [[nodiscard]] std::optional<Nanos> interval() const { return interval_; }
  // Will they always agree, given the same updates from now on?
  friend bool operator==(const Intervals& one, const Intervals& other);
  [[nodiscard]] AgeLimit limit() const {
    return interval_ ? AgeLimit{.limited = true, .interval = *interval_} : AgeLimit{};
  }

 private:
  static constexpr uint32_t kDefined = 2;        // differences that there must be
  static constexpr uint32_t kSecondLargest = 5;  // from so many on one of them may be a pause

  void find_interval();

  std::array<Nanos, kDifferences> differences_{};
  uint32_t count_ = 0, next_ = 0;
  bool any_ = false;
  Stamp last_;
  std::optional<Nanos> interval_;
};

}  // namespace pmjit
