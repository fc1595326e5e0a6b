// GridRows: rows of a batch of grid times that are all alike, made once for all columns with such
// rows. Mostly a column has a value of every instance at every time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "runtime/model/row_list.h"

namespace pmjit {

// A time of a grid.
struct GridTime {
  Stamp asked;  // as interpolation has it, which carries in its own way
  Stamp stamp;
  double t = 0;              // `asked` in seconds since the start of the recording
  bool behind_mark = false;  // a mark stands before it in the block
  uint32_t record = 0;       // of the block
};

class GridRows {
 public:
  // A new batch; it outlives what follows.
  void start(std::span<const GridTime> times);
  // Of the first `count` times: each of `lanes` values, one behind the other.
  [[nodiscard]] const RowList& of(RosterId roster, size_t lanes, size_t count);

 private:
  std::span<const GridTime> times_;
  std::unordered_map<uint64_t, RowList> made_;  // by roster and count
};

}  // namespace pmjit
