// Moments: the times of an evaluation as a chart needs them: a fixed number of cells on the axis of
// time, however many times there are, and where the line from one time to the next is broken.
//
//   const Moment& now = moments.add(time, segment);
//   line.add(now, value);
#pragma once

#include <array>
#include <vector>

#include "runtime/model/stamp.h"
#include "runtime/report/buckets.h"

namespace pmjit {

inline constexpr size_t kLineCells = 1'024;  // about the columns of pixels that a panel has
inline constexpr size_t kHeatCells = 256;    // as wide as can be told apart
inline constexpr uint32_t kHeatShift = 2;    // a cell of the heat map is 2^2 cells of a line

struct Moment {
  uint64_t index = 0;    // counts times
  size_t cell = 0;       // of kLineCells
  uint32_t shift = 0;    // a cell is 2^shift nanoseconds
  uint64_t stretch = 0;  // counts pauses and interruptions: no line crosses one …
  uint64_t segment = 0;  // … but what is discrete stands until the recording was interrupted
};

// The times in one cell, in nanoseconds since the first of all.
struct TimeCell {
  Nanos first = 0, last = 0;
  Nanos step = 0;  // from the time before the last one to it, in the same stretch; 0: none
  bool any = false;
  bool broken = false;  // from the cell before: a pause or an interruption ended there
  void join(const TimeCell& later);
};

class Moments {
 public:
  // The next time, not before the last one.
  const Moment& add(Stamp time, uint64_t segment);
  [[nodiscard]] uint64_t count() const { return moment_count_; }
  [[nodiscard]] Stamp first() const { return first_; }
  [[nodiscard]] Stamp last() const { return last_; }
  [[nodiscard]] uint32_t shift() const { return cells_.shift(); }
  // Cells of a line, or of a heat map: those that no time fell in are not `any`.
  [[nodiscard]] std::vector<TimeCell> cells() const;
  [[nodiscard]] std::vector<TimeCell> heat_cells() const;
  // Does a cell stand for more than one time?
  [[nodiscard]] bool several_in_a_cell() const { return several(cells()); }
  [[nodiscard]] bool several_in_a_heat_cell() const { return several(heat_cells()); }

 private:
  static bool several(const std::vector<TimeCell>& cells);
  bool is_pause(Nanos step) const;
  void remember(Nanos step);

  static constexpr size_t kStepsKept = 64;
  Moment moment_;
  uint64_t moment_count_ = 0;
  Stamp first_, last_;
  std::array<Nanos, kStepsKept> steps_{};  // the newest steps, in a ring
  size_t steps_count_ = 0;
  Buckets<TimeCell, kLineCells> cells_;
};

}  // namespace pmjit
