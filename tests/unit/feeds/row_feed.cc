#include "tests/unit/feeds/row_feed.h"

#include <algorithm>
#include <utility>

namespace pmjit::tests {

namespace {

class RowFeed final : public Feed {
 public:
  RowFeed(std::unique_ptr<Cursor> cursor, const Clock* clock)
      : cursor_(std::move(cursor)), clock_(clock) {}

  Result<Next> next(Wave& wave) override {
    while (!has_row_) {
      const auto more = cursor_->next(block_);
      if (!more) return fail(more.error());
      if (!*more) return Next::end;
      has_row_ = !block_.records.front().mark;
      if (!has_row_) ++segment_;
    }
    if (clock_ != nullptr && nanos(due()) > clock_->wall().time_since_epoch().count()) {
      return Next::nothing_yet;
    }
    has_row_ = false;
    wave.groups = {Group{.t = block_.records.front().stamp, .segment = segment_}};
    wave.operands.resize(block_.columns.size());
    for (size_t i = 0; i < block_.columns.size(); ++i) {
      std::swap(wave.operands[i].column, block_.columns[i]);
      wave.operands[i].limits.assign(wave.operands[i].column.rows.size(), AgeLimit{});
    }
    return Next::wave;
  }
  Stamp due() const override { return block_.records.front().stamp; }
  void keep_rosters(Rosters& rosters) const override {
    for (const Column& column : block_.columns) {
      for (const Row& row : column.rows) rosters.keep(row.roster_id);
    }
  }

 private:
  std::unique_ptr<Cursor> cursor_;
  const Clock* clock_;
  Block block_;
  bool has_row_ = false;  // in block_, and not given yet
  uint64_t segment_ = 0;
};

}  // namespace

Result<std::unique_ptr<Feed>> row_feed(const Recording& recording,
                                       std::vector<WantedMetric> metrics, Rosters& rosters,
                                       const Clock* clock) {
  auto cursor = recording.open({.metrics = std::move(metrics), .rows_max = 1}, rosters);
  if (!cursor) return fail(cursor.error());
  return std::make_unique<RowFeed>(*std::move(cursor), clock);
}

}  // namespace pmjit::tests
