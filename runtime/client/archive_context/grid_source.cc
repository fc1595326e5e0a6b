#include "runtime/client/archive_context/grid_source.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "runtime/archive/reader/record_piece.h"
#include "runtime/archive/recording/archives_source.h"
#include "runtime/base/limits.h"
#include "runtime/model/fetched_values.h"

namespace pmjit {

namespace {

constexpr uint32_t kFirstTimes = 64;      // of the first block: how much a time holds is not known
constexpr size_t kContextsWithFiles = 8;  // more of them close their files between blocks

// One metric's context, and its values into a column.
class GridMetric {
 public:
  // `marks` outlives it, where it is exact.
  GridMetric(const Archives& archives, const Desc& desc, Between between, Elem elem,
             const TimeGrid& grid, Marks* marks)
      : context_(archives, BadVolumes::refuse),
        desc_(desc),
        exact_(between == Between::exact),
        elem_(elem),
        goes_on_(exact_ && grid.goes_on) {
    context_.set_between(between, exact_ ? marks : nullptr);
    context_.set_mode(ReplayMode::interpolated, grid.origin, grid.step);
    fetched_.in_columns = true;
  }

  [[nodiscard]] Elem elem() const { return elem_; }
  // Of the next fetch; interpolation has its own way to carry into the seconds.
  [[nodiscard]] Stamp time() const { return stamp_from_nanos(nanos(context_.now())); }
  [[nodiscard]] Result<void> fetch() { return context_.fetch({&desc_.pmid, 1}, {}, fetched_); }
  // Nothing that was known counts any more.
  void start_segment() {
    known_ = false;
    goes_on_ = false;
  }
  // False: nobody knows whether it is known.
  [[nodiscard]] bool append(Stamp time, uint32_t record, Rosters& rosters, Column& column);
  void close_files() { context_.close_files(); }
  // Since it was asked before.
  [[nodiscard]] uint64_t bytes_read() {
    const uint64_t before = std::exchange(bytes_read_, context_.bytes_read());
    return bytes_read_ - before;
  }

 private:
  ReplayContext context_;
  Desc desc_;
  bool exact_;
  Elem elem_;
  bool goes_on_;  // at its first time: was it known before?
  Fetched fetched_;
  RosterId last_roster_id_ = Rosters::kNobodyId;
  bool known_ = false;  // had it values in this segment?
  uint64_t bytes_read_ = 0;
};

bool GridMetric::append(Stamp time, uint32_t record, Rosters& rosters, Column& column) {
  const FetchedSet& set = fetched_.sets.front();
  known_ |= set.count != 0;
  if (std::exchange(goes_on_, false) && !known_) return false;
  if (exact_ && !known_) return true;
  append_set(set, desc_, {.stamp = time, .record = record}, last_roster_id_, rosters, column);
  return true;
}

class GridCursor final : public Cursor {
 public:
  // `marks`: null: they are not seen.
  GridCursor(std::deque<GridMetric> metrics, const TimeGrid& grid, Stamp recorded_end,
             std::unique_ptr<Marks> marks, uint32_t times_max, Rosters& rosters)
      : metrics_(std::move(metrics)),
        marks_(std::move(marks)),
        last_(grid.goes_on ? stamp_from_nanos(nanos(grid.origin) - nanos(grid.step)) : kStampMin),
        end_(grid.end),
        times_max_(times_max),
        times_(std::min(kFirstTimes, times_max)),
        rosters_(rosters),
        from_(nanos(grid.origin)),
        to_(nanos(std::min(grid.end, recorded_end))) {}

  Result<bool> next(Block& block) override;
  double done() const override {
    if (stopped_ || metrics_.empty() || to_ <= from_) return 1;
    const auto gone = static_cast<double>(nanos(metrics_.front().time()) - from_);
    return std::clamp(gone / static_cast<double>(to_ - from_), 0.0, 1.0);
  }

 private:
  struct Stop {
    std::optional<Error> failure{};  // none: the end
  };
  size_t fill(size_t metric, size_t times, Block& block);
  void plan_next(const Block& block);

  std::deque<GridMetric> metrics_;
  std::unique_ptr<Marks> marks_;
  Stamp last_;  // time
  Stamp end_;
  uint32_t times_max_, times_;
  Rosters& rosters_;
  Nanos from_, to_;
  std::optional<Stop> stopped_;
  std::vector<uint32_t> record_of_;  // of each time of the block
};

// Up to `times` more times of one metric; fewer where it stops, and stopped_ says why.
size_t GridCursor::fill(size_t metric, size_t times, Block& block) {
  GridMetric& from = metrics_[metric];
  for (size_t i = 0; i < times; ++i) {
    const Stamp time = from.time();
    if (time > end_) {
      stopped_ = Stop{};
      return i;
    }
    if (auto fetched = from.fetch(); !fetched) {
      stopped_ = Stop{};
      if (fetched.error().pm_code() != pm_err::E_EOL) stopped_->failure = fetched.error();
      return i;
    }
    if (metric == 0) {
      const auto mark = marks_ ? marks_->last_between(last_, time) : std::nullopt;
      if (mark) block.records.push_back({.stamp = *mark, .mark = true});
      last_ = time;
      record_of_.push_back(static_cast<uint32_t>(block.records.size()));
      block.records.push_back({.stamp = time});
    }
    const uint32_t record = record_of_[i];
    if (record > 0 && block.records[record - 1].mark) from.start_segment();
    if (!from.append(time, record, rosters_, block.columns[metric])) {
      stopped_ =
          Stop{Error(Fault::unsupported, "a metric has no value where a part of a grid starts")};
      return i;
    }
  }
  return times;
}

Result<bool> GridCursor::next(Block& block) {
  block.columns.resize(metrics_.size());
  block.clear();
  for (size_t i = 0; i < metrics_.size(); ++i) block.columns[i].elem = metrics_[i].elem();
  if (!stopped_) {
    record_of_.clear();
    size_t times = times_;
    for (size_t i = 0; i < metrics_.size(); ++i) {
      times = fill(i, times, block);
      block.bytes += metrics_[i].bytes_read();
      if (metrics_.size() > kContextsWithFiles) metrics_[i].close_files();
    }
    block.records.resize(times == 0 ? 0 : record_of_[times - 1] + 1);
    for (Column& column : block.columns) {
      const auto behind =
          std::ranges::lower_bound(column.rows, block.records.size(), {}, &Row::record);
      if (behind == column.rows.end()) continue;
      column.count = behind->offset;
      column.rows.erase(behind, column.rows.end());
    }
    plan_next(block);
  }
  if (!block.records.empty()) return true;
  if (stopped_ && stopped_->failure) return fail(*stopped_->failure);
  return false;
}

// As many times as make a block of the usual size.
void GridCursor::plan_next(const Block& block) {
  uint64_t values = 0;
  for (const Column& column : block.columns) values += column.count + column.rows.size();
  const uint64_t each = std::max<uint64_t>(1, values / std::max<size_t>(1, block.records.size()));
  times_ =
      static_cast<uint32_t>(std::clamp<uint64_t>(limits::kBlockValuesTarget / each, 1, times_max_));
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
  const auto& descs = archives.metadata().descs;
  std::unique_ptr<Marks> marks;
  const bool exact =
      std::ranges::find(plan.metrics, Between::exact, &WantedMetric::between) != plan.metrics.end();
  if (exact || plan.metrics.empty()) {
    auto found = grid_.marks ? Marks::of(*grid_.marks) : Marks::of(recorded_, rosters);
    if (!found) return fail(found.error());
    marks = *std::move(found);
  }
  const uint32_t times_max = plan.rows_max != 0 ? plan.rows_max : limits::kBlockRowsMax;
  if (plan.metrics.empty()) {
    return std::make_unique<TimesCursor>(grid, std::min(grid.end, recorded_.end()),
                                         std::move(marks), times_max);
  }
  std::deque<GridMetric> metrics;
  for (const WantedMetric& wanted : plan.metrics) {
    const auto elem = column_elem(wanted.pmid, descs, archives[0].name());
    if (!elem) return fail(elem.error());
    metrics.emplace_back(archives, descs.at(wanted.pmid), wanted.between, *elem, grid, marks.get());
  }
  return std::make_unique<GridCursor>(std::move(metrics), grid, recorded_.end(), std::move(marks),
                                      times_max, rosters);
}

TimeGrid grid_within(const ArchivesSource& archives, TimeGrid grid) {
  const Nanos late = nanos(archives.start()) - nanos(grid.origin), step = nanos(grid.step);
  if (late > 0)
    grid.origin = stamp_from_nanos(nanos(grid.origin) + (late + step - 1) / step * step);
  grid.end = std::min(grid.end, archives.end());
  return grid;
}

}  // namespace pmjit
