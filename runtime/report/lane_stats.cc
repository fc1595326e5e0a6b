#include "runtime/report/lane_stats.h"

#include <algorithm>
#include <cmath>

namespace pmjit {

void Picture::add(uint64_t time_index, double value) {
  if (!std::isfinite(value)) return;
  const uint32_t shift = cells_.shift_for(time_index, cells_.shift());
  cells_.fold_to(shift);
  Cell& cell = cells_[time_index >> shift];
  cell.sum += value;
  ++cell.count;
}

std::vector<std::optional<double>> Picture::cells(uint64_t times, size_t most) const {
  Buckets<Cell, kCells> folded = cells_;
  uint32_t shift = folded.shift();
  if (times == 0) return {};
  while (((times - 1) >> shift) >= std::min(most, kCells)) ++shift;
  folded.fold_to(shift);
  std::vector<std::optional<double>> out;
  for (size_t i = 0; i <= (times - 1) >> shift; ++i) {
    const Cell& cell = folded[i];
    out.push_back(cell.count == 0 ? std::nullopt : std::optional(cell.sum / cell.count));
  }
  return out;
}

void LaneStats::add(uint64_t time_index, double value) {
  ++known;
  last = value;
  picture.add(time_index, value);
  if (std::isnan(value)) return;
  least = ordered ? std::min(least, value) : value;
  most = ordered ? std::max(most, value) : value;
  ordered = true;
}

}  // namespace pmjit
