// What a chart remembers of one lane in a fixed space: of a line the first, least, largest, last
// and mean value of each cell, of a row of the heat map the largest and the mean. No peak is lost,
// however many times a cell stands for.
#pragma once

#include <cmath>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "runtime/model/stamp.h"
#include "runtime/report/buckets.h"
#include "runtime/report/lane_index.h"
#include "runtime/report/lane_labels.h"
#include "runtime/report/plot/pause_watch.h"
#include "runtime/report/plot/plot.h"

namespace pmjit {

// Moments: the times of an evaluation as a chart needs them: a fixed number of cells on the axis of
// time, however many times there are, and where the line from one time to the next is broken.
//
//   const Moment& now = moments.add(time, segment);
//   line.add(now, value);
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
  bool broken = false;       // from the cell before: a pause or an interruption ended there
  bool interrupted = false;  // by a mark, or a border of archives: one of those breaks
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
  // Do cells stand for more than two times on average? Then a line is a block of colour.
  [[nodiscard]] bool dense() const;
  // Does a cell stand for more than one time?
  [[nodiscard]] bool several_in_a_cell() const { return several(cells()); }
  [[nodiscard]] bool several_in_a_heat_cell() const { return several(heat_cells()); }

 private:
  static bool several(const std::vector<TimeCell>& cells);

  Moment moment_;
  uint64_t moment_count_ = 0;
  Stamp first_, last_;
  PauseWatch pauses_;
  Buckets<TimeCell, kLineCells> cells_;
};

// What is left of rounding and overflow never leads out of the values.
[[nodiscard]] double mean_within(double sum, uint64_t count, double least, double most);

struct LineCell {
  double first = 0, least = 0, most = 0, last = 0;  // finite
  double sum = 0;                                   // of the finite values; may overflow
  uint64_t count = 0;                               // of them
  bool any = false;                                 // there is a finite value
  bool joined = false;                // the first follows the value before it without a gap
  bool whole = true;                  // so do all the others
  bool least_first = false;           // the least was before the largest
  bool above = false, below = false;  // inf, -inf
  void join(const LineCell& later);
  [[nodiscard]] double mean() const { return mean_within(sum, count, least, most); }
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

struct HeatCell {  // without holes, so that thousands of them are cleared at once
  double most = 0;
  double sum = 0;  // may overflow
  uint64_t count = 0;
  [[nodiscard]] bool any() const { return count > 0; }
  // Here, for of thousands of rows every cell is joined whenever cells double.
  void join(const HeatCell& later) {
    if (!later.any()) return;
    most = any() && most > later.most ? most : later.most;
    sum += later.sum;
    count += later.count;
  }
  [[nodiscard]] double mean() const;
};

class HeatSeries {
 public:
  HeatSeries() = default;
  explicit HeatSeries(LineSeries& line, uint32_t shift);  // what the line has, so far
  // Of every value of thousands of instances: no call, and no cell to join.
  void add(const Moment& now, double value) {
    if (std::isnan(value)) return;
    cells_.fold_to(now.shift);
    HeatCell& cell = cells_[now.cell >> kHeatShift];
    cell.most = cell.count > 0 && cell.most > value ? cell.most : value;
    cell.sum += value;
    ++cell.count;
  }
  // Cells that are 2^(shift + kHeatShift) nanoseconds wide.
  const Buckets<HeatCell, kHeatCells>& cells(uint32_t shift) {
    cells_.fold_to(shift);
    return cells_;
  }

 private:
  Buckets<HeatCell, kHeatCells> cells_;  // their shift is that of a line's cells
};

// Gather: the results of an evaluation, reduced to what a chart shows of them. A result is drawn as
// lines as long as it has few lanes; with one more than kLinesMax it becomes a heat map.
inline constexpr size_t kLinesMax = 12;  // small panels of one result: four rows of three
// Results that a chart has: what anybody scrolls through. 12 lines of 64 KB each: 31 MB at most.
inline constexpr size_t kResultsMax = 40;
// Rows of heat maps that are kept, to show the largest of them: 6 KB each, 24 MB. Each result has
// its share.
inline constexpr size_t kHeatLanesMax = 4'096;

// One result. Truth is a row a lane from the beginning: a heat map of two colours.
struct Gathered {
  ResultInfo info;
  bool is_heat = false;
  std::vector<std::string> instances;  // of the lanes; empty: the one of a singular result
  std::deque<LineSeries> lines;
  std::deque<HeatSeries> rows;
  LaneIndex index;
  uint64_t known = 0;  // values
  uint64_t not_numbers = 0, infinite = 0;
  bool lanes_left_out = false;  // beyond its share of kHeatLanesMax
};

class Gather {
 public:
  // `pauses`: as PlotOptions has them.
  explicit Gather(const Schema& schema, const std::vector<HostPauses>& pauses = {});
  // Returns how many values are known.
  uint64_t add(const ResultBlock& block);

  [[nodiscard]] const Moments& moments() const { return moments_; }
  [[nodiscard]] std::vector<Gathered>& results() { return results_; }
  [[nodiscard]] size_t rows_max() const { return kHeatLanesMax / results_.size(); }  // of a result
  [[nodiscard]] size_t results_left_out() const { return left_out_; }
  // Whose a result is: an index into the hosts, or their number where it is of all of several.
  [[nodiscard]] size_t host_of(size_t result) const { return hosts_of_results_[result]; }
  // Lines become the rows of a heat map.
  void turn_into_heat(Gathered& result);

 private:
  uint64_t add_row(size_t k, const Column& column, uint32_t row, const Moment& now, Stamp when);
  void read_numbers(const Column& column, uint64_t offset, size_t count);
  bool add_lane(Gathered& result, const std::string& instance);

  // Interruptions of one host: they end its own lines and no others.
  struct Interruptions {
    std::vector<Stamp> ends;
    size_t passed = 0;
  };
  [[nodiscard]] Moment moment_of(size_t k, const Moment& now) const;

  Labels labels_;
  Moments moments_;
  bool several_hosts_;
  std::vector<Interruptions> interruptions_;  // of several hosts
  std::vector<size_t> hosts_of_results_;
  std::vector<Gathered> results_;
  std::vector<double> numbers_;  // of the row at hand
  size_t left_out_ = 0;
};

}  // namespace pmjit
