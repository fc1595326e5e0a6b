#include "runtime/report/plot/chart_results.h"

#include <algorithm>
#include <cmath>

#include "runtime/report/text/values.h"

namespace pmjit {

namespace {

std::string instance_label(const ResultInfo&, const std::optional<std::string>& instance) {
  return instance.value_or("");
}

}  // namespace

Gather::Gather(const Schema& schema) : labels_(schema, instance_label) {
  const size_t kept = std::min(schema.infos.size(), kResultsMax);
  left_out_ = schema.infos.size() - kept;
  for (size_t k = 0; k < kept; ++k) {
    Gathered& result = results_.emplace_back();
    result.info = schema.infos[k];
    result.is_heat = result.info.elem == Elem::truth;
  }
}

uint64_t Gather::add(const ResultBlock& block) {
  uint64_t known = 0;
  for (uint32_t i = 0; i < block.times.size(); ++i) {
    const Moment& now =
        moments_.add(block.times[i], block.segments.empty() ? 0 : block.segments[i]);
    for (size_t k = 0; k < results_.size(); ++k) {
      known += add_row(k, block.columns[k], i, now, block.times[i]);
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
  uint64_t known = 0;
  for (size_t i = 0; i < lanes.size(); ++i) {
    if (!column.is_valid(values.offset + i)) continue;
    ++known;
    const double value = number_of(column, values.offset + i).value_or(NAN);
    result.not_numbers += std::isnan(value);
    result.infinite += std::isinf(value);
    if (lanes[i] == LaneIndex::kNotKept) continue;
    if (result.is_heat) {
      result.rows[lanes[i]].add(now, value);
    } else {
      result.lines[lanes[i]].add(now, value);
    }
  }
  return known;
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
