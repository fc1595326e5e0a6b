#include "runtime/report/plot/chart_series.h"

#include <algorithm>
#include <cmath>

namespace pmjit {

void LineCell::join(const LineCell& later) {
  above |= later.above;
  below |= later.below;
  if (!later.any) return;
  if (!any) {
    const bool was_above = above, was_below = below;
    *this = later;
    above = was_above, below = was_below;
    return;
  }
  const bool lower = later.least<least, higher = later.most> most;
  if (lower || higher) least_first = lower && higher ? later.least_first : higher;
  least = std::min(least, later.least);
  most = std::max(most, later.most);
  last = later.last;
  whole = whole && later.whole && later.joined;
}

void LineSeries::add(const Moment& now, double value) {
  cells_.fold_to(now.shift);
  if (!std::isfinite(value)) {
    if (std::isinf(value)) cells_[now.cell].join({.above = value > 0, .below = value < 0});
    return;  // a NaN is a gap
  }
  const uint64_t stretch = discrete_ ? now.segment : now.stretch;
  cells_[now.cell].join({.first = value,
                         .least = value,
                         .most = value,
                         .last = value,
                         .any = true,
                         .joined = next_ == now.index && stretch_ == stretch});
  next_ = now.index + 1;
  stretch_ = stretch;
}

void HeatCell::join(const HeatCell& later) {
  if (!later.any) return;
  most = any ? std::max(most, later.most) : later.most;
  any = true;
}

HeatSeries::HeatSeries(LineSeries& line, uint32_t shift) {
  const auto& cells = line.cells(shift);
  cells_.fold_to(shift);
  for (size_t i = 0; i < kLineCells; ++i) {
    const LineCell& cell = cells[i];
    HeatCell& target = cells_[i >> kHeatShift];
    if (cell.any) target.join({.most = cell.most, .any = true});
    if (cell.above) target.join({.most = INFINITY, .any = true});
    if (cell.below) target.join({.most = -INFINITY, .any = true});
  }
}

void HeatSeries::add(const Moment& now, double value) {
  if (std::isnan(value)) return;
  cells_.fold_to(now.shift);
  cells_[now.cell >> kHeatShift].join({.most = value, .any = true});
}

}  // namespace pmjit
