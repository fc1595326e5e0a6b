// Gather: the results of an evaluation, reduced to what a chart shows of them. A result is drawn as
// lines as long as it has few lanes; with one more than kLinesMax it becomes a heat map.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "runtime/report/lane_index.h"
#include "runtime/report/lane_labels.h"
#include "runtime/report/plot/chart_series.h"

namespace pmjit {

inline constexpr size_t kLinesMax = 12;  // more in one panel cannot be told apart
// Results that a chart has: what anybody scrolls through. 12 lines of 40 KB each: 20 MB at most.
inline constexpr size_t kResultsMax = 40;
// Rows of heat maps that are kept, to show the largest of them: 4 KB each, 16 MB. Each result has
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
  uint64_t not_numbers = 0, infinite = 0;
  bool lanes_left_out = false;  // beyond its share of kHeatLanesMax
};

class Gather {
 public:
  explicit Gather(const Schema& schema);
  // Returns how many values are known.
  uint64_t add(const ResultBlock& block);

  [[nodiscard]] const Moments& moments() const { return moments_; }
  [[nodiscard]] std::vector<Gathered>& results() { return results_; }
  [[nodiscard]] size_t rows_max() const { return kHeatLanesMax / results_.size(); }  // of a result
  [[nodiscard]] size_t results_left_out() const { return left_out_; }

 private:
  uint64_t add_row(size_t k, const Column& column, uint32_t row, const Moment& now, Stamp when);
  bool add_lane(Gathered& result, const std::string& instance);
  void turn_into_heat(Gathered& result);

  Labels labels_;
  Moments moments_;
  std::vector<Gathered> results_;
  size_t left_out_ = 0;
};

}  // namespace pmjit
