#include "tests/unit/feeds/row_feed.h"

#include <algorithm>
#include <utility>

namespace pmjit::tests {

namespace {

class RowFeed final : public Feed {
 public:
  explicit RowFeed(std::unique_ptr<Cursor> cursor) : cursor_(std::move(cursor)) {}

  Result<Next> next(Wave& wave) override {
    while (true) {
      const auto more = cursor_->next(block_);
      if (!more) return fail(more.error());
      if (!*more) return Next::end;
      if (!block_.records.front().mark) break;
      ++segment_;
    }
    wave.groups = {Group{.t = block_.records.front().stamp, .segment = segment_}};
    wave.operands.resize(block_.columns.size());
    for (size_t i = 0; i < block_.columns.size(); ++i) {
      std::swap(wave.operands[i].column, block_.columns[i]);
      wave.operands[i].limits.assign(wave.operands[i].column.rows.size(), AgeLimit{});
    }
    return Next::wave;
  }
  void keep_rosters(Rosters&) const override {}

 private:
  std::unique_ptr<Cursor> cursor_;
  Block block_;
  uint64_t segment_ = 0;
};

}  // namespace

Result<std::unique_ptr<Feed>> row_feed(const Recording& recording,
                                       std::vector<WantedMetric> metrics, Rosters& rosters) {
  auto cursor = recording.open({.metrics = std::move(metrics), .rows_max = 1}, rosters);
  if (!cursor) return fail(cursor.error());
  return std::make_unique<RowFeed>(*std::move(cursor));
}

}  // namespace pmjit::tests
