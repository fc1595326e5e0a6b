// LaneStats: what the table remembers of one metric and instance: counts, extremes, the last value,
// and a picture over time in a fixed number of cells. When the times outgrow the cells, two
// neighbours become one and a cell stands for twice as many times.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/report/buckets.h"

namespace pmjit {

class Picture {
 public:
  static constexpr size_t kCells = 24;
  // Times are counted from 0 and never go back.
  void add(uint64_t time_index, double value);
  // The mean of each cell, for `times` times in all: at most `most` cells.
  [[nodiscard]] std::vector<std::optional<double>> cells(uint64_t times, size_t most) const;

 private:
  struct Cell {
    double sum = 0;
    uint32_t count = 0;
    void join(const Cell& later) { sum += later.sum, count += later.count; }
  };
  Buckets<Cell, kCells> cells_;
};

struct LaneStats {
  size_t metric = 0;
  std::optional<std::string> instance;
  uint64_t known = 0, unknown = 0, trues = 0;
  double least = 0, most = 0;  // of the values that are not NaN, if any
  bool ordered = false;        // there was one
  double last = 0;
  std::string last_text;  // Elem::text, Elem::bytes
  Picture picture;
  std::vector<std::string> by_time;  // the values of the first times; "?" unknown, empty: vacant

  void add(uint64_t time_index, double value);
};

}  // namespace pmjit
