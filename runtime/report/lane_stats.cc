#include "runtime/report/lane_stats.h"

#include <algorithm>
#include <cmath>

namespace pmjit {

void Picture::fold(std::array<Cell, kCells>& cells) {
  for (size_t i = 0; i < kCells / 2; ++i) {
    cells[i] = {cells[2 * i].sum + cells[2 * i + 1].sum,
                cells[2 * i].count + cells[2 * i + 1].count};
  }
  std::fill(cells.begin() + kCells / 2, cells.end(), Cell{});
}

void Picture::add(uint64_t time_index, double value) {
  if (!std::isfinite(value)) return;
  for (; (time_index >> shift_) >= kCells; ++shift_) fold(cells_);
  Cell& cell = cells_[time_index >> shift_];
  cell.sum += value;
  ++cell.count;
}

std::vector<std::optional<double>> Picture::cells(uint64_t times, size_t most) const {
  std::array<Cell, kCells> folded = cells_;
  uint32_t shift = shift_;
  if (times == 0) return {};
  for (; ((times - 1) >> shift) >= std::min(most, kCells); ++shift) fold(folded);
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
