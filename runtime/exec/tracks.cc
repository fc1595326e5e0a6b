#include "runtime/exec/tracks.h"

#include <algorithm>

namespace pmjit {

void Track::start_round(const Wave& wave, const Observations& own) {
  rows_.clear();
  for (size_t i = 0; i < own.column.rows.size(); ++i) {
    const Row& row = own.column.rows[i];
    rows_.push_back(TrackRow{.group = row.record,
                             .stamp = row.stamp,
                             .segment = wave.groups[row.record].segment,
                             .limit = own.limits[i]});
  }
  find_rows_in_force(wave);
  fresh_.assign(wave.groups.size(), 0);
  for (uint32_t g = 0; g < wave.groups.size(); ++g) {
    const TrackRow* row = row_of(in_force_[g]);
    fresh_[g] = row && !row->limit.exceeded_by(nanos(wave.groups[g].t) - nanos(row->stamp));
  }
}

void Track::start_round(const Wave& wave, const std::vector<const Track*>& operands) {
  rows_.clear();
  std::vector<size_t> next(operands.size(), 0);
  for (uint32_t g = 0; g < wave.groups.size(); ++g) {
    bool updated = false;
    for (size_t i = 0; i < operands.size(); ++i) {
      const auto& rows = operands[i]->rows_;
      if (next[i] < rows.size() && rows[next[i]].group == g) {
        updated = true;
        ++next[i];
      }
    }
    if (!updated) continue;
    const Group& group = wave.groups[g];
    if (group.segment != segment_) intervals_.start_segment();
    segment_ = group.segment;
    intervals_.update(group.t);
    rows_.push_back(TrackRow{.group = g,
                             .stamp = group.t,
                             .segment = group.segment,
                             .limit = discrete_ ? AgeLimit{} : intervals_.limit()});
  }
  find_rows_in_force(wave);
  fresh_.assign(wave.groups.size(), 1);
  for (const Track* operand : operands) {
    for (size_t g = 0; g < fresh_.size(); ++g) fresh_[g] &= operand->fresh_[g];
  }
}

void Track::end_round() {
  if (!rows_.empty()) carried_ = rows_.back();
}

void Track::find_rows_in_force(const Wave& wave) {
  in_force_.assign(wave.groups.size(), RowRef{});
  after_mark_.clear();
  RowRef latest = carried_ ? RowRef{RowRef::kCarried} : RowRef{};
  size_t next = 0;
  for (uint32_t g = 0; g < wave.groups.size(); ++g) {
    if (next < rows_.size() && rows_[next].group == g) latest.index = static_cast<int64_t>(next++);
    after_mark_.push_back(wave.groups[g].segment > 0);
    const TrackRow* row = row_of(latest);
    if (row && row->segment == wave.groups[g].segment) in_force_[g] = latest;
  }
}

int32_t Track::reason_at(uint32_t group) const { return after_mark_[group] ? kGap : kNotYetLogged; }

bool Track::updated_at(uint32_t group) const {
  const int64_t row = in_force_[group].index;
  return row >= 0 && rows_[static_cast<size_t>(row)].group == group;
}

const TrackRow* Track::row_of(RowRef ref) const {
  if (ref.none()) return nullptr;
  if (ref.index == RowRef::kCarried) return &*carried_;
  return &rows_[static_cast<size_t>(ref.index)];
}

RowRef Track::row_before(uint32_t row) const {
  RowRef ref;
  if (row > 0) ref.index = int64_t{row} - 1;
  if (row == 0 && carried_) ref.index = RowRef::kCarried;
  const TrackRow* earlier = row_of(ref);
  return earlier && earlier->segment == rows_[row].segment ? ref : RowRef{};
}

Track::Before Track::before(uint32_t row) const {
  const RowRef ref = row_before(row);
  if (ref.none()) return {};
  const TrackRow& earlier = *row_of(ref);
  const bool gap = earlier.limit.exceeded_by(nanos(rows_[row].stamp) - nanos(earlier.stamp));
  return Before{.row = gap ? RowRef{} : ref,
                .gap = gap,
                .seconds = seconds_between(rows_[row].stamp, earlier.stamp)};
}

}  // namespace pmjit
