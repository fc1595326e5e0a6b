#include "runtime/client/archive_context/grid_source.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "runtime/archive/reader/record_piece.h"
#include "runtime/archive/recording/archives_source.h"
#include "runtime/archive/recording/marks.h"
#include "runtime/base/limits.h"
#include "runtime/client/archive_context/grid_column.h"
#include "runtime/client/archive_context/grid_rows.h"
#include "runtime/client/archive_context/grid_window.h"
#include "runtime/model/fetched_values.h"
#include "runtime/model/row_sharing.h"

namespace pmjit {

namespace {

constexpr uint32_t kFirstTimes = 64;      // of the first block: how much a time holds is not known
constexpr uint32_t kFirstCertain = 8;     // nobody says where the last time is
constexpr size_t kContextsWithFiles = 8;  // more of them close their files between blocks
constexpr size_t kPlansMax = 64;          // that are tried for a column: groups of a logger

// One metric that interpolation reads for itself, record by record, and its values into a column.
class GridMetric {
 public:
  struct Start {
    Stamp time;          // of its first fetch
    uint64_t spent = 0;  // fetches before the first that is wanted
    bool known = false;  // had it values in this segment?
  };
  // `marks` outlives it, where it is exact; so do the notes, if they are not null.
  GridMetric(const Archives& archives, const Desc& desc, Between between, ReplayStep step,
             Marks* marks, RecordNotes* notes, const Start& start)
      : context_(archives, BadVolumes::refuse),
        desc_(desc),
        exact_(between == Between::exact),
        known_(start.known),
        spent_(start.spent) {
    context_.set_between(between, exact_ ? marks : nullptr);
    if (notes != nullptr) context_.share(*notes);
    context_.set_mode(ReplayMode::interpolated, start.time, step);
    fetched_.in_columns = true;
  }

  void watch(UndescribedMetrics& undescribed) { context_.watch(undescribed); }
  void goes_on() { goes_on_ = exact_; }
  [[nodiscard]] Result<void> fetch() {
    for (; spent_ > 0; --spent_) {
      if (auto done = fetch_next(); !done) return done;
    }
    return fetch_next();
  }
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
  [[nodiscard]] Result<void> fetch_next() { return context_.fetch({&desc_.pmid, 1}, {}, fetched_); }

  ReplayContext context_;
  Desc desc_;
  bool exact_;
  bool goes_on_ = false;  // at its first time: was it known before?
  Fetched fetched_;
  RosterId last_roster_id_ = Rosters::kNobodyId;
  bool known_;
  uint64_t spent_;
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

// What the grid has of a metric: two rows side by side, and where these do not say it all any more,
// interpolation.
struct Gridded {
  WantedMetric wanted;
  Desc desc;
  Elem elem;
  std::optional<GridColumn> column{};
  std::unique_ptr<GridMetric> metric{};
  size_t first = 0;  // time of the block that `metric` begins with
};

struct GridParts {
  std::unique_ptr<Marks> marks{};                     // null: they are not seen
  std::unordered_map<InDomId, GridDomain> domains{};  // of the columns
  std::unique_ptr<GridWindow> window{};               // null: no metric has a column
  std::unique_ptr<RecordNotes> notes{};               // of texts
  std::vector<Gridded> metrics{};
  UndescribedMetrics& undescribed;  // of the archives
};

class GridCursor final : public Cursor {
 public:
  GridCursor(GridParts parts, const Archives& archives, const TimeGrid& grid, Stamp recorded_end,
             uint32_t times_max, Rosters& rosters)
      : parts_(std::move(parts)),
        archives_(archives),
        grid_(grid),
        bounds_(archives),
        next_(grid.origin),
        last_(grid.goes_on ? stamp_from_nanos(nanos(grid.origin) - nanos(grid.step)) : kStampMin),
        times_max_(times_max),
        times_(std::min(grid.certain ? kFirstCertain : kFirstTimes, times_max)),
        rosters_(rosters),
        from_(nanos(grid.origin)),
        to_(nanos(std::min(grid.end, recorded_end))) {
    for (size_t i = 0; i < parts_.metrics.size(); ++i) {
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
  void add_times(Block& block);
  void fill_columns(Block& block);
  [[nodiscard]] GridColumn::Fill fill_column(size_t metric, Column& out);
  void release();
  void give_up(size_t metric);
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
  size_t contexts_ = 0;        // how many metrics are interpolated
  size_t certain_ = SIZE_MAX;  // how many times of the batch have their rows: TimeGrid::certain
};

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
    const auto mark = parts_.marks ? parts_.marks->last_between(last_, time) : std::nullopt;
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
  if (!parts_.window) return;
  waiting_.clear();
  rows_.start(batch_);
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
  if (contexts_ == parts_.metrics.size()) parts_.window.reset();
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
  if (!grid_.certain) return interpolate(metric);
  certain_ = std::min(certain_, parts_.metrics[metric].column->filled());
  if (!stopped_) stopped_ = Stop{};
}

// From the time on that its column has no row of. Exact values depend on nothing that was asked
// before; libpcp's may, and so does what damage is met.
void GridCursor::interpolate(size_t metric) {
  Gridded& gridded = parts_.metrics[metric];
  const size_t filled = gridded.column ? gridded.column->filled() : 0;
  RecordNotes* const notes =
      parts_.notes && parts_.notes->has(gridded.desc.pmid) ? parts_.notes.get() : nullptr;
  const bool anew = gridded.wanted.between == Between::exact && parts_.window != nullptr &&
                    !parts_.window->doubtful() && filled < batch_.size();
  GridMetric::Start start{.time = grid_.origin, .spent = before_ + filled};
  if (anew) start = {.time = batch_[filled].asked};
  if (gridded.column) start.known = gridded.column->known();
  gridded.metric = std::make_unique<GridMetric>(archives_, gridded.desc, gridded.wanted.between,
                                                grid_.step, parts_.marks.get(), notes, start);
  gridded.metric->watch(parts_.undescribed);
  if (grid_.goes_on && before_ + filled == 0) gridded.metric->goes_on();
  gridded.first = filled;
  gridded.column.reset();
  ++contexts_;
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
    fill_columns(block);
    size_t times = std::min(batch_.size(), certain_);
    for (size_t i = 0; i < metrics.size(); ++i) {
      if (!metrics[i].metric) continue;
      times = fill(i, times, block);
      block.bytes += metrics[i].metric->bytes_read();
      if (contexts_ > kContextsWithFiles) metrics[i].metric->close_files();
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

// Numbers have columns, whose rows the window reads.
Result<void> add_metrics(const FetchPlan& plan, const ArchivesSource& recorded,
                         const Recording& reader, const TimeGrid& grid, GridParts& parts) {
  const Archives& archives = recorded.archives();
  const auto& descs = archives.metadata().descs;
  GridWindow::Wanted read;
  std::vector<PmId> texts;
  std::unordered_map<PmId, uint32_t> column_of;  // a metric may be wanted in two ways
  for (const WantedMetric& wanted : plan.metrics) {
    const auto elem = column_elem(wanted.pmid, descs, archives[0].name());
    if (!elem) return fail(elem.error());
    const Desc& desc = descs.at(wanted.pmid);
    parts.metrics.push_back({.wanted = wanted, .desc = desc, .elem = *elem});
    if (!is_number(*elem)) {
      texts.push_back(wanted.pmid);
      continue;
    }
    const GridDomain* domain = nullptr;
    if (desc.indom != kNullId) {
      auto [place, is_new] = parts.domains.try_emplace(desc.indom);
      if (is_new) place->second = GridDomain::of(archives, desc.indom);
      domain = &place->second;
    }
    const auto [place, is_new] =
        column_of.try_emplace(wanted.pmid, static_cast<uint32_t>(read.metrics.size()));
    if (is_new) {
      read.metrics.push_back(wanted);
      read.domains.push_back(domain);
    }
    GridColumnOptions options{.desc = desc,
                              .elem = *elem,
                              .exact = wanted.between == Between::exact,
                              .column = place->second,
                              .marks = parts.marks.get()};
    options.goes_on = options.exact && grid.goes_on;
    options.certain = grid.certain;
    if (grid.certain) {
      options.asked_from = seconds_between(stamp_from_nanos(nanos(grid.origin) - nanos(grid.step)),
                                           archives.start());
    }
    if (domain != nullptr) options.instances = static_cast<uint32_t>(domain->instances.size());
    parts.metrics.back().column.emplace(options);
  }
  if (texts.size() > 1) parts.notes = std::make_unique<RecordNotes>(std::move(texts));
  if (read.metrics.empty()) return {};
  auto window =
      GridWindow::open(recorded, reader, std::move(read),
                       {.from = grid.origin, .step = nanos(grid.step), .certain = grid.certain});
  if (window) {
    parts.window = *std::move(window);
  } else {
    for (Gridded& gridded : parts.metrics) gridded.column.reset();  // interpolation says why
  }
  return {};
}

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
  GridParts parts{.marks = std::move(marks), .undescribed = recorded_.undescribed()};
  if (auto added = add_metrics(plan, recorded_, reader_, grid, parts); !added)
    return fail(added.error());
  return std::make_unique<GridCursor>(std::move(parts), archives, grid, recorded_.end(), times_max,
                                      rosters);
}

TimeGrid grid_within(const ArchivesSource& archives, TimeGrid grid) {
  const Nanos late = nanos(archives.start()) - nanos(grid.origin), step = nanos(grid.step);
  if (late > 0)
    grid.origin = stamp_from_nanos(nanos(grid.origin) + (late + step - 1) / step * step);
  grid.end = std::min(grid.end, archives.end());
  return grid;
}

}  // namespace pmjit
