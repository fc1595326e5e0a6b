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

Sampler::Sampler(std::unique_ptr<Cursor> cursor, const std::vector<bool>& discrete,
                 const SamplerOptions& options)
    : cursor_(std::move(cursor)),
      clock_(options.clock),
      joined_(options.joined),
      tolerance_max_(options.joined ? kToleranceMax : 0),
      classes_(discrete, options.source_of),
      rows_(classes_.size()),
      copied_(discrete.size()),
      lent_(discrete.size()),
      source_of_(options.source_of),
      last_(options.sources, kStampMin),
      segments_(options.sources, 0) {}

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
  return std::make_unique<Sampler>(*std::move(cursor), discrete, how);
}

Result<Feed::Next> Sampler::next(Wave& wave) {
  wave.recorded = joined_;
  wave.groups.clear();
  wave.by_source.source_of = source_of_;
  wave.by_source.sources = static_cast<uint32_t>(segments_.size());
  wave.by_source.of_group.clear();
  wave.operands.resize(copied_.size());
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
  for (uint32_t of = 0; open_ && of < rows_.size(); ++of) copy_open_row(of);
  std::swap(block_, ahead_);
  has_ahead_ = false;
  record_ = 0;
  regroup();
  return true;
}

// What is in the open group stays with its operands, which must not meet others meanwhile.
void Sampler::regroup() {
  classes_.regroup(block_, !open_);
  std::vector<Logged> before;
  for (const ClassRows& rows : rows_) before.push_back(rows.open);
  rows_.resize(classes_.size());
  for (uint32_t of = 0; of < rows_.size(); ++of) {
    rows_[of].next_row = 0;
    if (open_) rows_[of].open = before[classes_[of].was];
  }
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
  stats_.alike += ahead_.alike;
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
      find_carried(record_);
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
  if (!within_tolerance(record)) return true;
  for (uint32_t i = 0; i < copied_.size(); ++i) {
    const RowList& rows = ahead_.columns[i].rows;
    const bool carried = !rows.empty() && rows.front().record == 0;
    if (carried && meets_other_row(rows_[classes_.of_operand(i)].open, record)) return true;
  }
  return false;
}

// The classes that a record of the block at hand carries.
void Sampler::find_carried(uint32_t record) {
  carried_.clear();
  for (uint32_t of = 0; of < rows_.size(); ++of) {
    const RowList& rows = block_.columns[classes_[of].first()].rows;
    const uint32_t row = rows_[of].next_row;
    if (row < rows.size() && rows[row].record == record) carried_.push_back(of);
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
  classes_.start_segment(source);
}

bool Sampler::group_has(uint32_t source) const {
  if (source_of_.empty()) return true;
  for (uint32_t of = 0; of < rows_.size(); ++of) {
    if (rows_[of].open.in_group && classes_[of].source == source) return true;
  }
  return false;
}

bool Sampler::within_tolerance(const Record& record) const {
  return nanos(record.stamp) - nanos(first_) <= tolerance_;
}

// An operand has one observation in a group; the later of two at one stamp replaces the earlier.
bool Sampler::meets_other_row(const Logged& logged, const Record& record) const {
  return logged.in_group && logged.stamp != record.stamp;
}

bool Sampler::joins(const Record& record) const {
  return within_tolerance(record) && std::ranges::none_of(carried_, [&](uint32_t of) {
           return meets_other_row(rows_[of].open, record);
         });
}

// The tolerance counts the differences that end at this first record already.
void Sampler::open_group(const Record& record) {
  open_ = true;
  first_ = record.stamp;
  for (ClassRows& rows : rows_) rows.open.in_group = false;
  for (const uint32_t of : carried_) classes_.update(of, record.stamp);
  const auto shortest = classes_.shortest();
  tolerance_ = shortest ? std::min(tolerance_max_, *shortest / 4) : tolerance_max_;
}

void Sampler::add_record(const Record& record) {
  group_ = Group{.t = record.stamp, .segment = segment_};
  last_[record.source] = record.stamp;
  for (const uint32_t of : carried_) {
    classes_.update(of, record.stamp);
    ClassRows& rows = rows_[of];
    if (rows.open.in_group && rows.open.row == kCopied) {
      for (const uint32_t operand : classes_[of].operands) copied_[operand].clear();
    }
    AgeLimit limit = classes_[of].intervals.limit();
    if (classes_[of].discrete) limit.limited = false;
    rows.open = {.in_group = true, .stamp = record.stamp, .limit = limit, .row = rows.next_row++};
  }
}

void Sampler::close_group(Wave& wave) {
  const auto group = static_cast<uint32_t>(wave.groups.size());
  for (uint32_t of = 0; of < rows_.size(); ++of) {
    ClassRows& rows = rows_[of];
    if (!rows.open.in_group) continue;
    if (rows.open.row == kCopied) {
      for (const uint32_t i : classes_[of].operands) copied_[i].rows.edit().back().record = group;
    } else {
      rows.kept.push_back({.row = rows.open.row, .group = group});
    }
    rows.limits.push_back(rows.open.limit);
  }
  wave.groups.push_back(group_);
  if (!source_of_.empty()) {
    auto& segments = wave.by_source.of_group;
    segments.insert(segments.end(), segments_.begin(), segments_.end());
  }
  open_ = false;
}

// What the open group has of a class, before the block goes: its values get copies of their own.
void Sampler::copy_open_row(uint32_t of) {
  Logged& logged = rows_[of].open;
  if (!logged.in_group || logged.row == kCopied) return;
  for (const uint32_t i : classes_[of].operands) {
    const Column& column = block_.columns[i];
    copied_[i].clear();
    copied_[i].elem = column.elem;
    copied_[i].append_row(column, column.rows[logged.row], lanes_of(column, logged.row));
  }
  logged.row = kCopied;
}

void Sampler::keep_rosters(Rosters& rosters) const {
  const auto keep = [&rosters](const Column& column) {
    for (const Row& row : column.rows) rosters.keep(row.roster_id);
  };
  std::ranges::for_each(block_.columns, keep);
  std::ranges::for_each(ahead_.columns, keep);
  std::ranges::for_each(copied_, keep);
  cursor_->keep_rosters(rosters);
}

// Memory goes back to where it was filled before that is filled again.
void Sampler::take_back(Wave& wave) {
  for (uint32_t i = 0; i < lent_.size(); ++i) {
    Column* const from = std::exchange(lent_[i], nullptr);
    if (from == nullptr) continue;
    swap_columns(wave.operands[i].column, *from);
    from->clear();
  }
}

// Gives out the closed groups' rows. A wave is either one waiting group, some of whose values were
// copied and some of which may be in the block, or groups of this block alone.
void Sampler::finish_round(Wave& wave) {
  for (uint32_t of = 0; of < rows_.size(); ++of) {
    ClassRows& rows = rows_[of];
    const UpdateClasses::Class& together = classes_[of];
    if (open_ && !rows.kept.empty() && record_ == block_.records.size()) copy_open_row(of);
    const RowList& in_block = block_.columns[together.first()].rows;
    bool as_they_are = in_block.size() == rows.kept.size();  // and each names its group
    for (uint32_t n = 0; n < rows.kept.size() && as_they_are; ++n) {
      as_they_are = in_block[n].record == rows.kept[n].group;
    }
    for (const uint32_t i : together.operands) {
      Observations& out = wave.operands[i];
      out.like = i == together.first() ? kNoIndex : together.first();
      out.limits.clear();
      give_rows(i, rows, as_they_are, out.column);
    }
    wave.operands[together.first()].limits.swap(rows.limits);
    rows.limits.clear();
    rows.kept.clear();
    selected_ = selected_from_ = {};
  }
}

void Sampler::give_rows(uint32_t operand, const ClassRows& rows, bool as_they_are, Column& out) {
  out.clear();
  Column& in_block = block_.columns[operand];
  out.elem = in_block.elem;
  if (rows.kept.empty()) {
    if (rows.limits.empty()) return;
    swap_columns(out, copied_[operand]);
    copied_[operand].clear();
    lent_[operand] = &copied_[operand];
  } else if (record_ < block_.records.size()) {
    // The block goes on: its other values must stay.
    for (const Kept kept : rows.kept) {
      out.append_row(in_block, in_block.rows[kept.row], lanes_of(in_block, kept.row));
      out.rows.edit().back().record = kept.group;
    }
  } else {
    swap_columns(out, in_block);
    lent_[operand] = &in_block;
    if (!as_they_are) select_rows(rows, out.rows);
  }
}

// Columns that share their rows go on doing so.
void Sampler::select_rows(const ClassRows& rows, RowList& out) {
  if (selected_from_.empty() || !out.shares_list(selected_from_)) {
    selected_from_ = std::exchange(out, {});
    std::vector<Row>& made = out.edit();
    made.reserve(rows.kept.size());
    for (const Kept kept : rows.kept) {
      made.push_back(selected_from_[kept.row]);
      made.back().record = kept.group;
    }
    selected_ = out;
  }
  out = selected_;
}

}  // namespace pmjit
