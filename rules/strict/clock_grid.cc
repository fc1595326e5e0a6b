#include "rules/strict/clock_grid.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "compiler/rules/clock.h"
#include "runtime/archive/recording/marks.h"
#include "runtime/base/limits.h"

namespace pmjit::strict {

namespace {

// Identifiers that no recorded metric has, for its highest bit is another's.
constexpr PmId kFirstId = 0x80000000;
PmId id_of(const ClockVariable& variable) {
  return kFirstId + static_cast<PmId>(&variable - clock_variables().data());
}
const ClockVariable* variable_of(PmId pmid) {
  const auto all = clock_variables();
  const auto found = std::ranges::find(all, pmid, id_of);
  return found == all.end() ? nullptr : &*found;
}

// The times of a grid, and where the recording is interrupted between them.
class TimesCursor final : public Cursor {
 public:
  TimesCursor(Stamp from, Nanos step, Stamp to, uint32_t times, std::unique_ptr<Marks> marks)
      : from_(nanos(from)),
        to_(nanos(to)),
        step_(step),
        times_(times),
        next_(from_),
        marks_(std::move(marks)) {}

  Result<bool> next(Block& block) override {
    block.clear();
    block.columns.clear();
    for (uint32_t i = 0; i < times_ && next_ <= to_; ++i, next_ += step_) {
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
  uint32_t times_;
  Nanos next_;
  Stamp last_ = kStampMin;
  std::unique_ptr<Marks> marks_;
};

class ClockCursor final : public Cursor {
 public:
  // `columns`: those of another cursor, and the variables: null where it is its next one.
  ClockCursor(std::unique_ptr<Cursor> under, std::vector<const ClockVariable*> columns, Zone zone)
      : under_(std::move(under)), columns_(std::move(columns)), zone_(std::move(zone)) {}

  Result<bool> next(Block& block) override;
  double done() const override { return under_->done(); }

 private:
  std::unique_ptr<Cursor> under_;
  std::vector<const ClockVariable*> columns_;
  Zone zone_;
  Block recorded_;
};

void append(int32_t value, Stamp stamp, uint32_t record, Column& column) {
  const uint64_t at = column.grow(1);
  std::memcpy(column.values.data() + at * sizeof value, &value, sizeof value);
  column.rows.push_back(
      {.stamp = stamp, .roster_id = Rosters::kSingularId, .record = record, .offset = at});
}

Result<bool> ClockCursor::next(Block& block) {
  block.columns.resize(columns_.size());
  block.clear();
  const auto more = under_->next(recorded_);
  if (!more || !*more) return more;
  block.records.swap(recorded_.records);
  block.bytes = recorded_.bytes;
  size_t next = 0;
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i] == nullptr) {
      std::swap(block.columns[i], recorded_.columns[next++]);
    } else {
      block.columns[i].elem = Elem::i32;
    }
  }
  for (uint32_t record = 0; record < block.records.size(); ++record) {
    const Record& at = block.records[record];
    if (at.mark) continue;
    const std::tm local = zone_.local(at.stamp.sec);
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i] == nullptr) continue;
      append(columns_[i]->of(local), at.stamp, record, block.columns[i]);
    }
  }
  return true;
}

}  // namespace

Result<Desc> ClockNames::describe(std::string_view metric) const {
  const ClockVariable* const variable = find_clock_variable(metric);
  if (variable == nullptr) return under().describe(metric);
  return Desc{.pmid = id_of(*variable), .pm_type = pm_type::i32};
}

// Without a metric nothing of the recording is read but its marks.
Result<std::unique_ptr<Cursor>> ClockGrid::open_times(const FetchPlan& plan,
                                                      Rosters& rosters) const {
  auto marks = times_.marks ? Marks::of(*times_.marks) : Marks::of(recorded_, rosters);
  if (!marks) return fail(marks.error());
  const Nanos step = nanos(times_.step);
  const Stamp last = std::min({times_.end, plan.to, recorded_.end()});
  return std::make_unique<TimesCursor>(times_.origin, step, last,
                                       plan.rows_max != 0 ? plan.rows_max : limits::kBlockRowsMax,
                                       *std::move(marks));
}

Result<std::unique_ptr<Cursor>> ClockGrid::open(const FetchPlan& plan, Rosters& rosters) const {
  FetchPlan of_grid = plan;
  of_grid.metrics.clear();
  std::vector<const ClockVariable*> columns;
  for (const WantedMetric& wanted : plan.metrics) {
    columns.push_back(variable_of(wanted.pmid));
    if (columns.back() == nullptr) of_grid.metrics.push_back(wanted);
  }
  if (of_grid.metrics.size() == plan.metrics.size()) return grid_.open(plan, rosters);
  auto under = of_grid.metrics.empty() ? open_times(plan, rosters) : grid_.open(of_grid, rosters);
  if (!under) return fail(under.error());
  return std::make_unique<ClockCursor>(*std::move(under), std::move(columns), zone_);
}

}  // namespace pmjit::strict
