#include "runtime/report/plot/chart_series.h"

#include <algorithm>
#include <cmath>

namespace pmjit {

namespace {

std::string instance_label(const ResultInfo&, const std::optional<std::string>& instance) {
  return instance.value_or("");
}

}  // namespace

double mean_within(double sum, uint64_t count, double least, double most) {
  const double mean = sum / static_cast<double>(std::max<uint64_t>(count, 1));
  if (!std::isfinite(mean)) return least / 2 + most / 2;
  return std::clamp(mean, least, most);
}

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
  sum += later.sum;
  count += later.count;
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
                         .sum = value,
                         .count = 1,
                         .any = true,
                         .joined = next_ == now.index && stretch_ == stretch});
  next_ = now.index + 1;
  stretch_ = stretch;
}

// What overflowed, or is infinite to both sides, goes by the largest.
double HeatCell::mean() const {
  const double mean = sum / static_cast<double>(std::max<uint64_t>(count, 1));
  return std::isnan(mean) ? most : std::min(mean, most);
}

HeatSeries::HeatSeries(LineSeries& line, uint32_t shift) {
  const auto& cells = line.cells(shift);
  cells_.fold_to(shift);
  for (size_t i = 0; i < kLineCells; ++i) {
    const LineCell& cell = cells[i];
    HeatCell& target = cells_[i >> kHeatShift];
    if (cell.any) target.join({.most = cell.most, .sum = cell.sum, .count = cell.count});
    if (cell.above) target.join({.most = INFINITY, .sum = INFINITY, .count = 1});
    if (cell.below) target.join({.most = -INFINITY, .sum = -INFINITY, .count = 1});
  }
}

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
  bool interrupted = false;
  const bool is_first = moment_count_ == 0;
  if (is_first) {
    first_ = time;
  } else {
    ++moment_.index;
    step = nanos(time) - nanos(last_);
    interrupted = segment != moment_.segment;
    const bool pause = !interrupted && pauses_.is_pause(step);
    moment_.stretch += interrupted || pause;
    if (!interrupted) pauses_.remember(step);
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
  cells_[moment_.cell].join({.first = place,
                             .last = place,
                             .step = step,
                             .any = true,
                             .broken = broken,
                             .interrupted = interrupted});
  return moment_;
}

bool Moments::several(const std::vector<TimeCell>& cells) {
  return std::ranges::any_of(cells, [](const TimeCell& cell) { return cell.first != cell.last; });
}

bool Moments::dense() const {
  const std::vector<TimeCell> all = cells();
  const auto used = std::ranges::count_if(all, [](const TimeCell& cell) { return cell.any; });
  return moment_count_ > 2 * static_cast<uint64_t>(used);
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

Gather::Gather(const Schema& schema, const std::vector<HostPauses>& pauses)
    : labels_(schema, instance_label), several_hosts_(schema.several_hosts()) {
  const size_t kept = std::min(schema.infos.size(), kResultsMax);
  left_out_ = schema.infos.size() - kept;
  for (size_t k = 0; k < kept; ++k) {
    Gathered& result = results_.emplace_back();
    result.info = schema.infos[k];
    result.is_heat = result.info.elem == Elem::truth;
    const auto host = std::ranges::find(schema.hosts, result.info.host);
    hosts_of_results_.push_back(static_cast<size_t>(host - schema.hosts.begin()));
  }
  if (!several_hosts_) return;
  for (const HostPauses& of_host : pauses) {
    Interruptions& each = interruptions_.emplace_back();
    for (const Unrecorded& pause : of_host) {
      if (pause.interrupted) each.ends.push_back(pause.span.last);
    }
  }
}

Moment Gather::moment_of(size_t k, const Moment& now) const {
  Moment out = now;
  if (hosts_of_results_[k] < interruptions_.size()) {
    const uint64_t passed = interruptions_[hosts_of_results_[k]].passed;
    out.stretch += passed;
    out.segment += passed;
  }
  return out;
}

uint64_t Gather::add(const ResultBlock& block) {
  uint64_t known = 0;
  for (uint32_t i = 0; i < block.times.size(); ++i) {
    const Stamp time = block.times[i];
    // The segments of several hosts are those of all of them.
    const bool alone = !several_hosts_ && !block.segments.empty();
    const Moment& now = moments_.add(time, alone ? block.segments[i] : 0);
    for (Interruptions& each : interruptions_) {
      while (each.passed < each.ends.size() && each.ends[each.passed] <= time) ++each.passed;
    }
    for (size_t k = 0; k < results_.size(); ++k) {
      known += add_row(k, block.columns[k], i, moment_of(k, now), time);
    }
  }
  return known;
}

uint64_t Gather::add_row(size_t k, const Column& column, uint32_t row, const Moment& now,
                         Stamp when) {
  const Row& values = column.rows[row];
  if (values.status != 0 || values.roster_id == Rosters::kNobodyId) return 0;
  Gathered& result = results_[k];
  const std::span<const size_t> lanes = result.index.of(
      labels_.of(k, values, when), [&](const std::string& name) { return add_lane(result, name); });
  read_numbers(column, values.offset, lanes.size());
  uint64_t known = 0;
  for (size_t i = 0; i < lanes.size(); ++i) {
    if (!column.is_valid(values.offset + i)) continue;
    ++known;
    const double value = numbers_[i];
    if (!std::isfinite(value)) ++(std::isnan(value) ? result.not_numbers : result.infinite);
    if (lanes[i] == LaneIndex::kNotKept) continue;
    if (result.is_heat) {
      result.rows[lanes[i]].add(now, value);
    } else {
      result.lines[lanes[i]].add(now, value);
    }
  }
  result.known += known;
  return known;
}

// Texts are refused before (plottable).
void Gather::read_numbers(const Column& column, uint64_t offset, size_t count) {
  numbers_.assign(count, NAN);
  const auto read = [&]<class T>(T) {
    const T* const from = column.values.as<T>() + offset;
    std::transform(from, from + count, numbers_.begin(),
                   [](T value) { return static_cast<double>(value); });
  };
  switch (column.elem) {
    case Elem::i32: return read(int32_t{});
    case Elem::u32: return read(uint32_t{});
    case Elem::i64: return read(int64_t{});
    case Elem::u64: return read(uint64_t{});
    case Elem::f32: return read(float{});
    case Elem::f64: return read(double{});
    case Elem::truth: return read(uint8_t{});
    case Elem::text:
    case Elem::bytes: return;
  }
}

bool Gather::add_lane(Gathered& result, const std::string& instance) {
  if (!result.is_heat && result.lines.size() == kLinesMax) turn_into_heat(result);
  if (result.is_heat && result.rows.size() >= rows_max()) {
    result.lanes_left_out = true;
    return false;
  }
  result.instances.push_back(instance);
  if (result.is_heat) {
    result.rows.emplace_back();
  } else {
    result.lines.emplace_back(result.info.semantics == Semantics::discrete);
  }
  return true;
}

void Gather::turn_into_heat(Gathered& result) {
  result.is_heat = true;
  for (LineSeries& line : result.lines) result.rows.emplace_back(line, moments_.shift());
  result.lines.clear();
}

}  // namespace pmjit
