#include "runtime/exec/clock_tracks.h"

#include <algorithm>

namespace pmjit {

void Track::follow_hosts(size_t hosts) {
  carried_.assign(hosts, TrackRow{.group = kNoRow, .stamp = {}, .segment = 0, .limit = {}});
  host_intervals_.resize(clock_.size() > 1 ? hosts : 0);
}

bool Track::same_history(const Track& other) const {
  return host_intervals_.empty() && other.host_intervals_.empty() && segment_ == other.segment_ &&
         carried_ == other.carried_ && intervals_ == other.intervals_;
}

void Track::take_history(const Track& other) {
  carried_ = other.carried_;
  intervals_ = other.intervals_;
  segment_ = other.segment_;
}

void Track::start_round(const Wave& wave, const Observations& own,
                        const std::vector<AgeLimit>& limits) {
  rows_.clear();
  hosts_ = wave.hosts;
  ticks_ = wave.recorded;
  find_sources(wave);
  for (size_t i = 0; i < own.column.rows.size(); ++i) {
    const Row& row = own.column.rows[i];
    rows_.push_back(TrackRow{.group = row.record,
                             .stamp = row.stamp,
                             .segment = segment_at(wave, row.record),
                             .limit = limits[i]});
  }
  find_rows_in_force(wave);
  fresh_.assign(wave.groups.size(), 0);
  for (uint32_t g = 0; g < wave.groups.size(); ++g) {
    const TrackRow* row = row_of(in_force_[g]);
    const Stamp t = wave.groups[g].t;
    fresh_[g] = row != nullptr &&
                (row->stamp == t || !row->limit.exceeded_by(nanos(t) - nanos(row->stamp)));
  }
}

AgeLimit Track::limit_of(uint64_t segment, Stamp time, uint64_t& last_segment,
                         Intervals& intervals) {
  if (segment != last_segment) intervals.start_segment();
  last_segment = segment;
  intervals.update(time);
  return intervals.limit();
}

// Where nothing looks back nobody asks for it.
AgeLimit Track::limit_of_host(uint64_t segment, Stamp time, HostId host) {
  if (host_intervals_.empty()) return {};
  uint64_t last_segment = carried_[host.index].segment;
  return limit_of(segment, time, last_segment, host_intervals_[host.index]);
}

void Track::start_round(const Wave& wave, const std::vector<const Track*>& operands) {
  rows_.clear();
  hosts_ = wave.hosts;
  ticks_ = wave.recorded;
  find_sources(wave);
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
    const uint64_t segment = segment_at(wave, g);
    AgeLimit limit = hosts_.empty() ? limit_of(segment, group.t, segment_, intervals_)
                                    : limit_of_host(segment, group.t, hosts_[g]);
    if (discrete_) limit.limited = false;
    rows_.push_back(TrackRow{.group = g, .stamp = group.t, .segment = segment, .limit = limit});
  }
  find_rows_in_force(wave);
  fresh_.assign(wave.groups.size(), 1);
  for (const Track* operand : operands) {
    for (size_t g = 0; g < fresh_.size(); ++g) fresh_[g] &= operand->fresh_[g];
  }
}

// One operand of each source that the clock has.
void Track::find_sources(const Wave& wave) {
  const std::vector<uint32_t>& source_of = wave.by_source.source_of;
  if (source_of.empty() || !of_sources_.empty()) return;
  std::vector<bool> seen(wave.by_source.sources);
  for (const uint32_t operand : clock_) {
    if (!seen[source_of[operand]]) of_sources_.push_back(operand);
    seen[source_of[operand]] = true;
  }
}

// Of several sources any interruption counts.
uint64_t Track::segment_at(const Wave& wave, uint32_t group) const {
  if (of_sources_.empty()) return wave.groups[group].segment;
  uint64_t sum = 0;
  for (const uint32_t operand : of_sources_) sum += wave.segment_of(operand, group);
  return sum;
}

void Track::end_round() {
  if (rows_.empty()) return;
  if (!hosts_.empty()) {
    if (carried_.empty()) return;
    for (size_t i = 0; i < rows_.size(); ++i) carried_[hosts_[i].index] = rows_[i];
    return;
  }
  const RowRef oldest = oldest_needed();
  if (oldest.carried()) {
    carried_.erase(carried_.begin(), carried_.end() + oldest.index);
    carried_.insert(carried_.end(), rows_.begin(), rows_.end());
  } else {
    carried_.assign(rows_.begin() + oldest.index, rows_.end());
  }
}

void Track::find_rows_in_force(const Wave& wave) {
  steady_ = Steady::unknown;
  in_force_.assign(wave.groups.size(), RowRef{});
  after_mark_.clear();
  RowRef latest = carried_.empty() ? RowRef{} : RowRef{RowRef::kCarried};
  size_t next = 0;
  for (uint32_t g = 0; g < wave.groups.size(); ++g) {
    if (next < rows_.size() && rows_[next].group == g) latest.index = static_cast<int64_t>(next++);
    const uint64_t segment = segment_at(wave, g);
    after_mark_.push_back(segment > 0);
    const TrackRow* row = row_of(latest);
    if (row && row->segment == segment) in_force_[g] = latest;
  }
  follows_groups_ = rows_.size() == wave.groups.size();
  for (uint32_t g = 0; g < rows_.size() && follows_groups_; ++g) {
    follows_groups_ = rows_[g].group == g && rows_[g].stamp == wave.groups[g].t;
  }
}

int32_t Track::reason_at(uint32_t group) const { return after_mark_[group] ? kGap : kNotYetLogged; }

bool Track::updated_at(uint32_t group) const {
  const int64_t row = in_force_[group].index;
  return row >= 0 && rows_[static_cast<size_t>(row)].group == group;
}

const TrackRow* Track::row_of(RowRef ref) const {
  if (ref.none()) return nullptr;
  if (ref.carried()) return &*(carried_.end() + ref.index);
  return &rows_[static_cast<size_t>(ref.index)];
}

RowRef Track::one_before(RowRef ref) const {
  const RowRef earlier{ref.index - 1};
  if (earlier.index < -static_cast<int64_t>(carried_.size())) return {};
  return row_of(earlier)->segment == row_of(ref)->segment ? earlier : RowRef{};
}

RowRef Track::row_of_host_before(uint32_t row) const {
  const uint32_t host = hosts_[row].index;
  const TrackRow& last = carried_[host];
  if (last.group == kNoRow || last.segment != rows_[row].segment) return {};
  return {static_cast<int64_t>(host) - static_cast<int64_t>(carried_.size())};
}

RowRef Track::row_before(uint32_t row) const {
  if (!hosts_.empty()) return row_of_host_before(row);
  const TrackRow& at = rows_[row];
  if (row > 0) {  // nearly always
    const TrackRow& earlier = rows_[row - 1];
    const bool of_tick =
        ticks_ && earlier.limit.within_tick(nanos(at.stamp) - nanos(earlier.stamp));
    if (!of_tick && earlier.segment == at.segment) return {int64_t{row} - 1};
  }
  RowRef ref = one_before({row});
  if (!ticks_ || ref.none()) return ref;
  const AgeLimit& limit = row_of(ref)->limit;  // L as it was there
  const Nanos now = nanos(at.stamp);
  while (!ref.none() && limit.within_tick(now - nanos(row_of(ref)->stamp))) ref = one_before(ref);
  return ref;
}

// L grows only by a difference that is at least as long. So whatever comes looks back no farther
// than an update would that came right after the last. While L is undefined there are two rows at
// most, and either may be needed.
RowRef Track::oldest_needed() const {
  RowRef oldest{static_cast<int64_t>(rows_.size()) - 1};
  if (!ticks_ || rows_.empty()) return oldest;
  const TrackRow& last = rows_.back();
  const bool undefined = last.limit.interval == 0;
  const auto may_be_passed = [&](RowRef ref) {
    return undefined || last.limit.within_tick(nanos(last.stamp) - nanos(row_of(ref)->stamp));
  };
  while (may_be_passed(oldest)) {
    const RowRef earlier = one_before(oldest);
    if (earlier.none()) break;
    oldest = earlier;
  }
  return oldest;
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

const std::vector<double>* Track::steady_seconds() const {
  if (steady_ == Steady::unknown) {
    seconds_.assign(1, 0);
    steady_ = hosts_.empty() ? Steady::yes : Steady::no;
    for (uint32_t i = 1; i < rows_.size() && steady_ == Steady::yes; ++i) {
      const Before at = before(i);
      if (at.row != RowRef{int64_t{i} - 1}) steady_ = Steady::no;
      seconds_.push_back(at.seconds);
    }
  }
  return steady_ == Steady::yes ? &seconds_ : nullptr;
}

}  // namespace pmjit
