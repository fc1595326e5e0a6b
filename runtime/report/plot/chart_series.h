// What a chart remembers of one lane in a fixed space: of a line the first, least, largest and last
// value of each cell, of a row of the heat map the largest. No peak is lost, however many times a
// cell stands for.
#pragma once

#include <optional>

#include "runtime/report/plot/chart_times.h"

namespace pmjit {

struct LineCell {
  double first = 0, least = 0, most = 0, last = 0;  // finite
  bool any = false;                                 // there is a finite value
  bool joined = false;                // the first follows the value before it without a gap
  bool whole = true;                  // so do all the others
  bool least_first = false;           // the least was before the largest
  bool above = false, below = false;  // inf, -inf
  void join(const LineCell& later);
};

class LineSeries {
 public:
  // A discrete one stands until the recording is interrupted: no pause ends it.
  explicit LineSeries(bool discrete) : discrete_(discrete) {}
  void add(const Moment& now, double value);
  [[nodiscard]] bool discrete() const { return discrete_; }
  // Cells that are 2^shift nanoseconds wide.
  const Buckets<LineCell, kLineCells>& cells(uint32_t shift) {
    cells_.fold_to(shift);
    return cells_;
  }

 private:
  bool discrete_;
  uint64_t next_ = UINT64_MAX;  // index of the time after the last value
  uint64_t stretch_ = 0;        // of that value
  Buckets<LineCell, kLineCells> cells_;
};

struct HeatCell {
  double most = 0;
  bool any = false;
  void join(const HeatCell& later);
};

class HeatSeries {
 public:
  HeatSeries() = default;
  explicit HeatSeries(LineSeries& line, uint32_t shift);  // what the line has, so far
  void add(const Moment& now, double value);
  // Cells that are 2^(shift + kHeatShift) nanoseconds wide.
  const Buckets<HeatCell, kHeatCells>& cells(uint32_t shift) {
    cells_.fold_to(shift);
    return cells_;
  }

 private:
  Buckets<HeatCell, kHeatCells> cells_;  // their shift is that of a line's cells
};

}  // namespace pmjit
