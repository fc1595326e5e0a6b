#include "runtime/exec/sampler.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "runtime/base/result.h"

namespace pmjit {

namespace {

constexpr Nanos kToleranceMax = 100'000'000;  // 100 ms: skew of the records of one logger tick

// Values of a row: up to where the next row starts, or the column ends.
uint64_t lanes_of(const Column& column, uint32_t row) {
  const uint64_t end = row + 1 < column.rows.size() ? column.rows[row + 1].offset : column.count;
  return end - column.rows[row].offset;
}

}  // namespace

Sampler::Sampler(std::unique_ptr<Cursor> cursor, std::vector<bool> discrete,
                 const SamplerOptions& options)
    : cursor_(std::move(cursor)),
      clock_(options.clock),
      discrete_(std::move(discrete)),
      joined_(options.joined),
      tolerance_max_(options.joined ? kToleranceMax : 0),
      intervals_(discrete_.size(), options.source_of, options.sources),
      source_of_(options.source_of),
      last_(options.sources, kStampMin),
      segments_(options.sources, 0) {
  const size_t operands = discrete_.size();
  members_.resize(operands);
  copied_.resize(operands);
  next_row_.resize(operands);
  kept_.resize(operands);
  limits_.resize(operands);
  lent_.resize(operands);
}

Result<std::unique_ptr<Feed>> Sampler::open(const Recording& recording, const FetchPlan& plan,
                                            Rosters& rosters, const SamplerOptions& options) {
  auto cursor = recording.open(plan, rosters);
  if (!cursor) return fail(cursor.error());
  std::vector<bool> discrete;
  for (const WantedMetric& metric : plan.metrics) discrete.push_back(metric.discrete);
  SamplerOptions how = options;
  how.sources = recording.sources();
  for (const WantedMetric& metric : plan.metrics) {
    if (how.sources > 1) how.source_of.push_back(recording.source_of(metric.pmid));
  }
  return std::make_unique<Sampler>(*std::move(cursor), std::move(discrete), how);
}

Result<Feed::Next> Sampler::next(Wave& wave) {
  wave.recorded = joined_;
  wave.groups.clear();
  wave.by_source.source_of = source_of_;
  wave.by_source.sources = static_cast<uint32_t>(segments_.size());
  wave.by_source.of_group.clear();
  wave.operands.resize(members_.size());
  take_back(wave);
  while (wave.groups.empty()) {
    if (record_ == block_.records.size() && !advance()) {
      if (failed_) return fail(*failed_);
      return Next::end;
    }
    take_records(wave);
  }
  return Next::wave;
}

// The next block becomes the one at hand. False: there is none.
bool Sampler::advance() {
  if (!look_ahead()) return false;
  if (open_) copy_open_group();
  std::swap(block_, ahead_);
  has_ahead_ = false;
  record_ = 0;
  std::ranges::fill(next_row_, 0);
  return true;
}

// Whether another block follows: it is there then.
bool Sampler::look_ahead() {
  if (has_ahead_ || ended_ || failed_) return has_ahead_;
  const auto more = [&] {
    const Stopwatch watch(clock_, stats_.source_s);
    return cursor_->next(ahead_);
  }();
  stats_.bytes += ahead_.bytes;  // at the end too: to get there
  if (!more) failed_ = more.error();
  ended_ = more && !*more;
  has_ahead_ = more && *more;
  if (!has_ahead_) return false;
  check(!ahead_.records.empty(), "a block has records");
  stats_.records += ahead_.records.size();
  for (const Column& column : ahead_.columns) stats_.values += column.count;
  return true;
}

// One wave from the records at hand: either the one group that had been waiting, or as many as
// close.
void Sampler::take_records(Wave& wave) {
  const bool waiting = open_;
  while (record_ < block_.records.size()) {
    const Record& record = block_.records[record_];
    if (record.mark || record.stamp < last_[record.source]) {
      if (!record.mark) {
        warn_time_goes_back(record);
      }
      if (open_ && group_has(record.source)) close_group(wave);
      start_segment(record.source);
      last_[record.source] = record.stamp;
      if (record.mark) ++record_;
    } else {
      find_carried(block_, record_);
      if (open_ && !joins(record)) close_group(wave);
      // The waiting group's values lie elsewhere: it is a wave of its own.
      if (waiting && !wave.groups.empty()) break;
      if (!open_) open_group(record);
      add_record(record);
      ++record_;
    }
    if (waiting && !wave.groups.empty()) break;
  }
  if (open_ && record_ == block_.records.size() && is_whole()) close_group(wave);
  if (!wave.groups.empty()) finish_round(wave);
}

// Does nothing that follows the block join the open group?
bool Sampler::is_whole() {
  if (!look_ahead()) return ended_;
  const Record& record = ahead_.records.front();
  if (record.mark || record.stamp < last_[record.source]) {
    if (group_has(record.source)) return true;
  }
  find_carried(ahead_, 0);
  return !joins(record);
}

// The operands that a record carries: the first of a block, or the next of the one at hand.
void Sampler::find_carried(const Block& block, uint32_t record) {
  carried_.clear();
  for (uint32_t i = 0; i < members_.size(); ++i) {
    const auto& rows = block.columns[i].rows;
    const uint32_t row = record == 0 ? 0 : next_row_[i];
    if (row < rows.size() && rows[row].record == record) carried_.push_back(i);
  }
}

void Sampler::warn_time_goes_back(const Record& record) {
  warnings_.add(fmt::format("time goes back from {} to {}: history starts afresh",
                            iso_utc(last_[record.source]), iso_utc(record.stamp)));
}

// Nothing of the other sources ends.
void Sampler::start_segment(uint32_t source) {
  ++segment_;
  ++segments_[source];
  intervals_.start_segment(source);
}

bool Sampler::group_has(uint32_t source) const {
  if (source_of_.empty()) return true;
  for (size_t i = 0; i < members_.size(); ++i) {
    if (members_[i].in_group && source_of_[i] == source) return true;
  }
  return false;
}

bool Sampler::joins(const Record& record) const {
  if (nanos(record.stamp) - nanos(first_) > tolerance_) return false;
  for (uint32_t operand : carried_) {
    if (members_[operand].in_group && members_[operand].stamp != record.stamp) return false;
  }
  return true;
}

// The tolerance counts the differences that end at this first record already.
void Sampler::open_group(const Record& record) {
  open_ = true;
  first_ = record.stamp;
  for (Member& member : members_) member.in_group = false;
  intervals_.update(carried_, record.stamp);
  const auto shortest = intervals_.shortest();
  tolerance_ = shortest ? std::min(tolerance_max_, *shortest / 4) : tolerance_max_;
}

void Sampler::add_record(const Record& record) {
  group_ = Group{.t = record.stamp, .segment = segment_};
  last_[record.source] = record.stamp;
  intervals_.update(carried_, record.stamp);
  for (uint32_t operand : carried_) {
    Member& member = members_[operand];
    if (member.in_group && member.row == kCopied) copied_[operand].clear();
    AgeLimit limit = intervals_.of(operand).limit();
    if (discrete_[operand]) limit.limited = false;
    member = Member{
        .in_group = true, .stamp = record.stamp, .limit = limit, .row = next_row_[operand]++};
  }
}

void Sampler::close_group(Wave& wave) {
  const auto group = static_cast<uint32_t>(wave.groups.size());
  for (uint32_t i = 0; i < members_.size(); ++i) {
    const Member& member = members_[i];
    if (!member.in_group) continue;
    if (member.row == kCopied) {
      copied_[i].rows.back().record = group;
    } else {
      block_.columns[i].rows[member.row].record = group;
      kept_[i].push_back(member.row);
    }
    limits_[i].push_back(member.limit);
  }
  wave.groups.push_back(group_);
  if (!source_of_.empty()) {
    auto& segments = wave.by_source.of_group;
    segments.insert(segments.end(), segments_.begin(), segments_.end());
  }
  open_ = false;
}

// The block is about to go: the open group's values move to copies of their own.
void Sampler::copy_open_group() {
  for (uint32_t i = 0; i < members_.size(); ++i) {
    Member& member = members_[i];
    if (!member.in_group || member.row == kCopied) continue;
    const Column& column = block_.columns[i];
    copied_[i].clear();
    copied_[i].elem = column.elem;
    copied_[i].append_row(column, column.rows[member.row], lanes_of(column, member.row));
    member.row = kCopied;
  }
}

// Memory goes back to where it was filled before that is filled again.
void Sampler::keep_rosters(Rosters& rosters) const {
  const auto keep = [&rosters](const Column& column) {
    for (const Row& row : column.rows) rosters.keep(row.roster_id);
  };
  std::ranges::for_each(block_.columns, keep);
  std::ranges::for_each(ahead_.columns, keep);
  std::ranges::for_each(copied_, keep);
}

void Sampler::take_back(Wave& wave) {
  for (uint32_t i = 0; i < lent_.size(); ++i) {
    Column* const from = std::exchange(lent_[i], nullptr);
    if (from == nullptr) continue;
    std::swap(wave.operands[i].column, *from);
    from->clear();
  }
}

// Gives out the closed groups' rows. A wave is either one waiting group, some of whose values were
// copied and some of which may be in the block, or groups of this block alone.
void Sampler::finish_round(Wave& wave) {
  for (uint32_t i = 0; i < members_.size(); ++i) {
    Observations& out = wave.operands[i];
    out.limits.swap(limits_[i]);
    limits_[i].clear();
    const bool was_copied = copied_[i].rows.size() == 1 && kept_[i].empty() && !out.limits.empty();
    out.column.clear();
    if (was_copied) {
      std::swap(out.column, copied_[i]);
      copied_[i].clear();
      lent_[i] = &copied_[i];
    } else if (!kept_[i].empty() && record_ < block_.records.size()) {
      // The block goes on: its other values must stay.
      out.column.elem = block_.columns[i].elem;
      for (uint32_t row : kept_[i]) {
        const Column& column = block_.columns[i];
        out.column.append_row(column, column.rows[row], lanes_of(column, row));
      }
    } else if (!kept_[i].empty()) {
      if (open_) {
        Member& member = members_[i];
        if (member.in_group && member.row != kCopied) {
          const Column& column = block_.columns[i];
          copied_[i].clear();
          copied_[i].elem = column.elem;
          copied_[i].append_row(column, column.rows[member.row], lanes_of(column, member.row));
          member.row = kCopied;
        }
      }
      std::swap(out.column, block_.columns[i]);
      lent_[i] = &block_.columns[i];
      std::vector<Row>& rows = out.column.rows;  // ascending, so none is overwritten too early
      for (size_t n = 0; n < kept_[i].size(); ++n) rows[n] = rows[kept_[i][n]];
      rows.resize(kept_[i].size());
    }
    if (out.column.rows.empty() && !block_.columns.empty())
      out.column.elem = block_.columns[i].elem;
    kept_[i].clear();
  }
}

}  // namespace pmjit
