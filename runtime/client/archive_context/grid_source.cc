#include "runtime/client/archive_context/grid_source.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "runtime/archive/reader/record_piece.h"
#include "runtime/archive/recording/archives_source.h"
#include "runtime/archive/recording/marks.h"
#include "runtime/base/limits.h"
#include "runtime/client/archive_context/columns_again.h"
#include "runtime/client/archive_context/grid_parts.h"
#include "runtime/client/archive_context/grid_rows.h"
#include "runtime/model/record_decoder.h"
#include "runtime/model/row_sharing.h"

namespace pmjit {

namespace {

constexpr uint32_t kFirstTimes = 64;      // of the first block: how much a time holds is not known
constexpr uint32_t kFirstCertain = 8;     // nobody says where the last time is
constexpr double kPauseMost = 1U << 30;   // times
constexpr size_t kContextsWithFiles = 8;  // more of them close their files between blocks
constexpr size_t kPlansMax = 64;          // that are tried for a column: groups of a logger

class GridCursor final : public Cursor {
 public:
  GridCursor(GridParts parts, const TimeGrid& grid, uint32_t times_max, Rosters& rosters)
      : parts_(std::move(parts)),
        archives_(parts_.recorded.archives()),
        grid_(grid),
        bounds_(archives_),
        next_(grid.origin),
        last_(grid.goes_on ? stamp_from_nanos(nanos(grid.origin) - nanos(grid.step)) : kStampMin),
        times_max_(times_max),
        times_(std::min(grid.certain ? kFirstCertain : kFirstTimes, times_max)),
        rosters_(rosters),
        from_(nanos(grid.origin)),
        to_(nanos(std::min(grid.end, parts_.recorded.end()))),
        returns_(may_return()) {
    for (size_t i = 0; i < parts_.metrics.size(); ++i) {
      columns_ += parts_.metrics[i].column ? 1 : 0;
      if (parts_.metrics[i].column) continue;
      if (grid_.certain) {
        stopped_ = Stop{};
      } else {
        interpolate(i);
      }
    }
  }

  Result<bool> next(Block& block) override;
  double done() const override {
    if (stopped_ || to_ <= from_) return 1;
    const auto gone = static_cast<double>(nanos(next_) - from_);
    return std::clamp(gone / static_cast<double>(to_ - from_), 0.0, 1.0);
  }

 private:
  struct Stop {
    std::optional<Error> failure{};  // none: the end
  };
  [[nodiscard]] std::optional<Stamp> mark_before(Stamp time, double t);
  void add_times(Block& block);
  void fill_columns(Block& block);
  [[nodiscard]] GridColumn::Fill fill_column(size_t metric, Column& out);
  void release();
  [[nodiscard]] bool may_return() const;
  [[nodiscard]] bool is_sound();
  void return_to_columns();
  void end_soon(Block& block);
  void give_up(size_t metric);
  [[nodiscard]] Stamp asked(uint64_t number);
  [[nodiscard]] uint64_t warm_start(const GridColumn& column, uint64_t number);
  void interpolate(size_t metric);
  size_t fill(size_t metric, size_t times, Block& block);
  static void cut(Block& block, size_t records);
  void plan_next(const Block& block);

  GridParts parts_;
  const Archives& archives_;
  TimeGrid grid_;
  AskedBounds bounds_;
  Stamp next_;  // time, as interpolation has it
  Stamp last_;  // time
  uint32_t times_max_, times_;
  Rosters& rosters_;
  Nanos from_, to_;
  std::optional<Stop> stopped_;
  std::vector<GridTime> batch_;          // the times of the block
  uint64_t before_ = 0;                  // times of the blocks before
  std::vector<size_t> waiting_;          // columns that need more rows
  GridRows rows_;                        // of columns, where they are alike
  std::vector<GridColumn::Plan> plans_;  // the first plans_used_ are of these times
  size_t plans_used_ = 0;
  size_t columns_ = 0;  // how many metrics have a column
  struct Walked {
    uint64_t number = 0;
    Stamp asked;
  };
  Walked walked_{.asked = grid_.origin};  // for asked()
  bool unmarked_ = true;                  // has the window shown so far that no mark is there?
  bool returns_;                          // may columns be tried again behind a mark?
  bool searched_ = false;                 // find_silent()
  std::optional<bool> sound_;             // the recording; none: nobody has looked
  double resumes_ = -kAlways;             // when the last row behind that is
  size_t gave_up_at_ = 0;                 // time of the batch, the last at which a column did
  uint32_t tries_in_ = 0, tried_ = 0;     // times until columns are tried; the wait before this one
  size_t certain_ = SIZE_MAX;  // how many times of the batch have their rows: TimeGrid::certain
};

// Between the last time and this one. The records show for themselves where none is; otherwise the
// heads of all are read.
std::optional<Stamp> GridCursor::mark_before(Stamp time, double t) {
  if (!parts_.marks) return std::nullopt;
  unmarked_ = unmarked_ && parts_.window && parts_.window->is_unmarked(t);
  return unmarked_ ? std::nullopt : parts_.marks->last_between(last_, time);
}

// Up to as many more times as are planned; fewer where the grid or the recording ends.
void GridCursor::add_times(Block& block) {
  before_ += batch_.size();
  batch_.clear();
  while (batch_.size() < times_) {
    const Stamp time = stamp_from_nanos(nanos(next_));
    const double t = seconds_between(next_, archives_.start());
    if (time > grid_.end || !bounds_.check(t)) {
      stopped_ = Stop{};
      return;
    }
    const auto mark = mark_before(time, t);
    if (mark) block.records.push_back({.stamp = *mark, .mark = true});
    last_ = time;
    batch_.push_back({.asked = next_,
                      .stamp = time,
                      .t = t,
                      .behind_mark = mark.has_value(),
                      .record = static_cast<uint32_t>(block.records.size())});
    block.records.push_back({.stamp = time});
    next_ = step_on(next_, grid_.step);
  }
}

// All that have one; each record that they need is read once.
void GridCursor::fill_columns(Block& block) {
  gave_up_at_ = 0;
  resumes_ = -kAlways;
  rows_.start(batch_);
  if (!parts_.window) return;
  waiting_.clear();
  for (size_t i = 0; i < parts_.metrics.size(); ++i) {
    if (!parts_.metrics[i].column) continue;
    parts_.metrics[i].column->begin();
    waiting_.push_back(i);
  }
  for (bool more = true; !waiting_.empty();) {
    plans_used_ = 0;
    std::erase_if(waiting_, [&](size_t i) {
      const auto filled = fill_column(i, block.columns[i]);
      if (filled == GridColumn::Fill::needs_more && more) return false;
      parts_.metrics[i].column->finish(rows_, block.columns[i]);
      if (filled != GridColumn::Fill::done) give_up(i);
      return true;
    });
    release();
    if (waiting_.empty()) break;
    const auto read = parts_.window->read();
    more = read == GridWindow::Read::block || read == GridWindow::Read::end;
    if (read != GridWindow::Read::full) continue;
    for (const size_t i : waiting_) more |= parts_.metrics[i].column->ends(*parts_.window);
  }
  block.bytes += parts_.window->bytes_read();
  if (columns_ == 0) {
    parts_.window.reset();
    end_soon(block);
    return;
  }
  for (Gridded& gridded : parts_.metrics) {
    if (gridded.column) gridded.metric.reset();
  }
  tried_ = 0;
}

// Of numbers as libpcp has them: those of exact ones reach over no mark, and their columns stay.
bool GridCursor::may_return() const {
  return !grid_.certain && std::ranges::all_of(parts_.metrics, [](const Gridded& of) {
    return of.wanted.between == Between::as_pcp;
  });
}

bool GridCursor::is_sound() {
  if (!sound_) sound_ = Marks(archives_).lengths_fit();
  return *sound_;
}

// Where the batch begins all numbers are tried as columns again; interpolation stands by.
void GridCursor::return_to_columns() {
  if (!returns_ || columns_ != 0 || batch_.empty()) return;
  if (tries_in_ > 0) {
    tries_in_ -= std::min(tries_in_, static_cast<uint32_t>(batch_.size()));
    return;
  }
  returns_ =
      is_sound() &&
      open_columns(parts_, parts_.recorded,
                   {.from = batch_.front().asked, .step = nanos(grid_.step), .certain = true},
                   grid_.goes_on);
  for (const Gridded& gridded : parts_.metrics) columns_ += gridded.column ? 1 : 0;
}

// No number has a column any more. The block ends some times later, so that little is interpolated.
void GridCursor::end_soon(Block& block) {
  if (!returns_ || !is_sound()) return;
  const double step = static_cast<double>(nanos(grid_.step)) / 1e9;
  const double pause = std::min((resumes_ - batch_[gave_up_at_].t) / step, kPauseMost);
  tries_in_ = tried_ = wait_for_columns(tried_);
  if (pause > 0) {
    tried_ = wait_for_columns(0);
    tries_in_ = tried_ + static_cast<uint32_t>(pause);
  }
  const size_t times = gave_up_at_ + tries_in_;
  if (times >= batch_.size()) {
    tries_in_ -= static_cast<uint32_t>(batch_.size() - gave_up_at_);
    return;
  }
  next_ = batch_[times].asked;
  last_ = batch_[times - 1].stamp;
  cut(block, batch_[times - 1].record + 1);
  batch_.resize(times);
  stopped_.reset();
  tries_in_ = 0;
}

// As one of the columns before did, where that is the same.
GridColumn::Fill GridCursor::fill_column(size_t metric, Column& out) {
  GridColumn& column = *parts_.metrics[metric].column;
  for (size_t k = 0; k < plans_used_; ++k) {
    if (const auto filled = column.follow(*parts_.window, batch_, plans_[k], out)) return *filled;
  }
  const bool kept = plans_used_ < kPlansMax;
  if (plans_.size() <= plans_used_) plans_.resize(plans_used_ + 1);
  const auto filled = column.fill(*parts_.window, batch_, rosters_, out, plans_[plans_used_]);
  if (kept && plans_[plans_used_].sound) ++plans_used_;
  return filled;
}

// Blocks from which all have taken their rows.
void GridCursor::release() {
  uint64_t first = parts_.window->end();
  for (const Gridded& gridded : parts_.metrics) {
    if (gridded.column) first = std::min(first, gridded.column->block());
  }
  if (first == parts_.window->first()) return;
  for (Gridded& gridded : parts_.metrics) {
    if (gridded.column) gridded.column->keep_before(first);
  }
  parts_.window->release(first);
}

// The column has no more rows.
void GridCursor::give_up(size_t metric) {
  const GridColumn& column = *parts_.metrics[metric].column;
  gave_up_at_ = std::max(gave_up_at_, column.filled());
  resumes_ = std::max(resumes_, column.next_row().value_or(resumes_));
  if (!grid_.certain) return interpolate(metric);
  certain_ = std::min(certain_, parts_.metrics[metric].column->filled());
  if (!stopped_) stopped_ = Stop{};
}

// Of the grid, by its number. Interpolation carries in its own way, so each follows the one before.
Stamp GridCursor::asked(uint64_t number) {
  if (number < walked_.number) walked_ = {.asked = grid_.origin};
  for (; walked_.number < number; ++walked_.number) {
    walked_.asked = step_on(walked_.asked, grid_.step);
  }
  return walked_.asked;
}

// Where interpolation of a time begins that knows as much as if it had been asked all before: some
// times before it passes the row before that time. 0: at the first.
uint64_t GridCursor::warm_start(const GridColumn& column, uint64_t number) {
  if (!returns_ || number <= kFewFetches || !column.prior_row() || !is_sound()) return 0;
  const double step = static_cast<double>(nanos(grid_.step)) / 1e9;
  const double since = (batch_[column.filled()].t - *column.prior_row()) / step;
  if (since > static_cast<double>(number)) return 0;
  const uint64_t back = static_cast<uint64_t>(since) + 1 + kWarmUpFetches;
  return number - std::min(number, back);
}

// From the time on that its column has no row of. Exact values depend on nothing that was asked
// before; libpcp's may, and so does what damage is met.
void GridCursor::interpolate(size_t metric) {
  Gridded& gridded = parts_.metrics[metric];
  const size_t filled = gridded.column ? gridded.column->filled() : 0;
  columns_ -= gridded.column ? 1 : 0;
  gridded.first = filled;
  if (gridded.column && returns_ && is_sound() && !std::exchange(searched_, true)) {
    find_silent(parts_);
  }
  if (gridded.silent) return gridded.column.reset();
  if (gridded.metric != nullptr) {  // it stands where the batch begins
    gridded.metric->spend(filled);
    gridded.column.reset();
    return;
  }
  RecordNotes* const notes =
      parts_.notes && parts_.notes->has(gridded.desc.pmid) ? parts_.notes.get() : nullptr;
  const bool ordered =
      parts_.window != nullptr && !parts_.window->doubtful() && filled < batch_.size();
  GridMetric::Start start{.time = grid_.origin, .spent = before_ + filled};
  if (ordered && gridded.wanted.between == Between::exact) {
    start = {.time = batch_[filled].asked};
  } else if (ordered) {
    const uint64_t first = warm_start(*gridded.column, before_ + filled);
    start = {.time = asked(first), .spent = before_ + filled - first};
  }
  if (gridded.column) start.known = gridded.column->known();
  gridded.metric = std::make_unique<GridMetric>(archives_, gridded.desc, gridded.wanted.between,
                                                grid_.step, parts_.marks.get(), notes, start);
  gridded.metric->watch(parts_.undescribed);
  if (grid_.goes_on && before_ + filled == 0) gridded.metric->goes_on();
  gridded.column.reset();
}

// Up to `times` times of one metric; fewer where it stops, and stopped_ says why.
size_t GridCursor::fill(size_t metric, size_t times, Block& block) {
  Gridded& gridded = parts_.metrics[metric];
  GridMetric& from = *gridded.metric;
  Column& column = block.columns[metric];
  for (size_t i = std::exchange(gridded.first, 0); i < times; ++i) {
    const GridTime& at = batch_[i];
    if (auto fetched = from.fetch(); !fetched) {
      stopped_ = Stop{};
      if (fetched.error().pm_code() != pm_err::E_EOL) stopped_->failure = fetched.error();
      return i;
    }
    if (at.behind_mark) from.start_segment();
    if (!from.append(at.stamp, at.record, rosters_, column)) {
      stopped_ =
          Stop{Error(Fault::unsupported, "a metric has no value where a part of a grid starts")};
      return i;
    }
  }
  return times;
}

Result<bool> GridCursor::next(Block& block) {
  auto& metrics = parts_.metrics;
  block.columns.resize(metrics.size());
  block.clear();
  for (size_t i = 0; i < metrics.size(); ++i) block.columns[i].elem = metrics[i].elem;
  if (!stopped_) {
    add_times(block);
    return_to_columns();
    fill_columns(block);
    size_t times = std::min(batch_.size(), certain_);
    for (size_t i = 0; i < metrics.size(); ++i) {
      if (metrics[i].silent && !metrics[i].column) {
        block.columns[i].rows = rows_.of(Rosters::kNobodyId, 0, batch_.size());
      }
      if (metrics[i].column || !metrics[i].metric) continue;
      times = fill(i, times, block);
      block.bytes += metrics[i].metric->bytes_read();
      if (metrics.size() - columns_ > kContextsWithFiles) metrics[i].metric->close_files();
    }
    if (times < batch_.size()) cut(block, times == 0 ? 0 : batch_[times - 1].record + 1);
    plan_next(block);
  }
  if (!block.records.empty()) return true;
  if (stopped_ && stopped_->failure) return fail(*stopped_->failure);
  return false;
}

// To so many records.
void GridCursor::cut(Block& block, size_t records) {
  block.records.resize(records);
  for (Column& column : block.columns) {
    const auto behind = std::ranges::lower_bound(column.rows, records, {}, &Row::record);
    if (behind == column.rows.end()) continue;
    const auto left = static_cast<size_t>(behind - column.rows.begin());
    column.count = behind->offset;
    column.rows.edit().resize(left);
  }
}

// As many times as make a block of the usual size.
void GridCursor::plan_next(const Block& block) {
  uint64_t values = rows_once(block);
  for (const Column& column : block.columns) values += column.count;
  const uint64_t each = std::max<uint64_t>(1, values / std::max<size_t>(1, block.records.size()));
  uint64_t times = values_of_block(block.columns.size()) / each;
  if (returns_ && columns_ == 0 && tries_in_ > 0) times = std::min<uint64_t>(times, tries_in_);
  if (returns_ && columns_ == 0 && tries_in_ == 0) times = std::min<uint64_t>(times, kFirstTimes);
  times_ = static_cast<uint32_t>(std::clamp<uint64_t>(times, 1, times_max_));
}

// The times of a grid and the marks between them, without a metric.
class TimesCursor final : public Cursor {
 public:
  TimesCursor(const TimeGrid& grid, Stamp end, std::unique_ptr<Marks> marks, uint32_t times_max)
      : from_(nanos(grid.origin)),
        to_(nanos(end)),
        step_(nanos(grid.step)),
        times_max_(times_max),
        next_(from_),
        last_(grid.goes_on ? stamp_from_nanos(from_ - step_) : kStampMin),
        marks_(std::move(marks)) {}

  Result<bool> next(Block& block) override {
    block.clear();
    block.columns.clear();
    for (uint32_t i = 0; i < times_max_ && next_ <= to_; ++i, next_ += step_) {
      const Stamp time = stamp_from_nanos(next_);
      const auto mark = marks_->last_between(last_, time);
      if (mark) block.records.push_back({.stamp = *mark, .mark = true});
      block.records.push_back({.stamp = time});
      last_ = time;
    }
    return !block.records.empty();
  }
  double done() const override {
    if (next_ > to_) return 1;
    return static_cast<double>(next_ - from_) / static_cast<double>(to_ - from_ + step_);
  }

 private:
  Nanos from_, to_, step_;
  uint32_t times_max_;
  Nanos next_;
  Stamp last_;
  std::unique_ptr<Marks> marks_;
};

}  // namespace

std::optional<std::string> HeldNames::held_name(InDomId indom, int32_t instance, Stamp when) const {
  const Domain* domain = recorded_.archives().metadata().domain(indom);
  if (domain == nullptr) return std::nullopt;
  const auto name = domain->held_name(instance, when);
  if (!name) return std::nullopt;
  return std::string(*name);
}

Result<std::unique_ptr<Cursor>> GridSource::open(const FetchPlan& plan, Rosters& rosters) const {
  TimeGrid grid = grid_;
  grid.end = std::min(grid.end, plan.to);
  const Archives& archives = recorded_.archives();
  std::unique_ptr<Marks> marks;
  const bool exact =
      std::ranges::find(plan.metrics, Between::exact, &WantedMetric::between) != plan.metrics.end();
  if (exact || plan.metrics.empty()) {
    marks = grid_.marks ? std::make_unique<Marks>(*grid_.marks) : std::make_unique<Marks>(archives);
  }
  const uint32_t times_max = plan.rows_max != 0 ? plan.rows_max : limits::kBlockRowsMax;
  if (plan.metrics.empty()) {
    return std::make_unique<TimesCursor>(grid, std::min(grid.end, recorded_.end()),
                                         std::move(marks), times_max);
  }
  GridParts parts{
      .recorded = recorded_, .marks = std::move(marks), .undescribed = recorded_.undescribed()};
  if (auto added = add_metrics(plan, parts); !added) return fail(added.error());
  static_cast<void>(open_columns(
      parts, reader_, {.from = grid.origin, .step = nanos(grid.step), .certain = grid.certain},
      grid.goes_on));
  return std::make_unique<GridCursor>(std::move(parts), grid, times_max, rosters);
}

TimeGrid grid_within(const ArchivesSource& archives, TimeGrid grid) {
  const Nanos late = nanos(archives.start()) - nanos(grid.origin), step = nanos(grid.step);
  if (late > 0)
    grid.origin = stamp_from_nanos(nanos(grid.origin) + (late + step - 1) / step * step);
  grid.end = std::min(grid.end, archives.end());
  return grid;
}

}  // namespace pmjit
