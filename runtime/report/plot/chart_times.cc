#include "runtime/report/plot/chart_times.h"

#include <algorithm>

namespace pmjit {

void TimeCell::join(const TimeCell& later) {
  if (!later.any) return;
  if (!any) {
    *this = later;
    return;
  }
  last = later.last;
  if (later.step != 0) step = later.step;
}

const Moment& Moments::add(Stamp time, uint64_t segment) {
  Nanos step = 0;
  const bool is_first = moment_count_ == 0;
  if (is_first) {
    first_ = time;
  } else {
    ++moment_.index;
    step = nanos(time) - nanos(last_);
    const bool interrupted = segment != moment_.segment;
    const bool pause = !interrupted && is_pause(step);
    moment_.stretch += interrupted || pause;
    if (!interrupted) remember(step);
    if (interrupted || pause) step = 0;
  }
  const bool broken = !is_first && step == 0;
  last_ = time;
  ++moment_count_;
  moment_.segment = segment;
  const Nanos place = nanos(time) - nanos(first_);
  moment_.shift = cells_.shift_for(place, cells_.shift());
  cells_.fold_to(moment_.shift);
  moment_.cell = static_cast<size_t>(place >> moment_.shift);
  cells_[moment_.cell].join(
      {.first = place, .last = place, .step = step, .any = true, .broken = broken});
  return moment_;
}

// Metrics are logged in turn, so steps of very different length may be usual: a pause is longer
// than all of the newest ones but a few, which may have been pauses themselves.
bool Moments::is_pause(Nanos step) const {
  constexpr size_t kPausesKept = 3;
  const size_t kept = std::min(steps_count_, kStepsKept);
  if (kept == 0) return false;
  if (2 * step <= 5 * steps_[(steps_count_ - 1) % kStepsKept]) return false;
  std::array<Nanos, kStepsKept> steps = steps_;
  const size_t passed_over = std::min(kPausesKept, kept / 8);
  const auto usual = steps.begin() + static_cast<std::ptrdiff_t>(passed_over);
  std::nth_element(steps.begin(), usual, steps.begin() + static_cast<std::ptrdiff_t>(kept),
                   std::greater<>());
  return 2 * step > 5 * *usual;  // 2.5 times, as the age limit of a value
}

void Moments::remember(Nanos step) { steps_[steps_count_++ % kStepsKept] = step; }

bool Moments::several(const std::vector<TimeCell>& cells) {
  return std::ranges::any_of(cells, [](const TimeCell& cell) { return cell.first != cell.last; });
}

std::vector<TimeCell> Moments::cells() const {
  std::vector<TimeCell> out;
  for (size_t i = 0; moment_count_ > 0 && i <= moment_.cell; ++i) out.push_back(cells_[i]);
  return out;
}

std::vector<TimeCell> Moments::heat_cells() const {
  std::vector<TimeCell> out;
  const std::vector<TimeCell> cells = this->cells();
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i >> kHeatShift == out.size()) out.emplace_back();
    out.back().join(cells[i]);
  }
  return out;
}

}  // namespace pmjit
