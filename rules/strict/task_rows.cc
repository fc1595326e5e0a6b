#include "rules/strict/task_rows.h"

#include "rules/strict/clock_feed.h"
#include "rules/strict/parallel_rows.h"

namespace pmjit::strict {

namespace {

class RowsInOneGo final : public TaskRows {
 public:
  RowsInOneGo(std::shared_ptr<const Program> program, const RowsGrid& grid,
              const RowsOptions& options, std::optional<Stamp> after)
      : grid_(grid),
        rows_max_(options.block_rows),
        evaluation_(std::move(program), grid.feeds.catalog(), opener(), rosters_,
                    {.from = after ? stamp_from_nanos(nanos(*after) + 1) : grid.origin,
                     .to = grid.end,
                     .step = grid.step,
                     .reasons = options.reasons}) {}

  // What may still change is not given.
  Result<Feed::Next> next(ResultBlock& block) override {
    while (true) {
      const auto next = evaluation_.next_wave(block);
      if (!next || *next != Feed::Next::wave || evaluation_.wave().last) return next;
    }
  }
  Stamp due() const override { return evaluation_.due(); }
  const Rosters& rosters() const override { return rosters_; }
  const Catalog& names() const override { return evaluation_.names(); }
  std::vector<std::string> take_warnings() override { return evaluation_.take_warnings(); }
  uint64_t skipped() const override { return evaluation_.stats().skipped; }

 private:
  OpenFeed opener() {
    const auto metrics_alone = [this](std::vector<WantedMetric> metrics) {
      return grid_.feeds.open(
          std::move(metrics),
          {.origin = grid_.origin, .step = grid_.step, .end = grid_.end, .rows_max = rows_max_},
          rosters_);
    };
    return [this, metrics_alone](std::vector<WantedMetric> wanted) {
      return open_with_clock(metrics_alone, std::move(wanted), grid_.zone);
    };
  }

  RowsGrid grid_;
  uint32_t rows_max_;
  Rosters rosters_;
  Evaluation evaluation_;
};

}  // namespace

std::unique_ptr<TaskRows> TaskRows::open(std::shared_ptr<const Program> program,
                                         const RowsGrid& grid, const RowsOptions& options) {
  if (const auto cut = GridCut::of(*program, grid, options)) {
    // It fails where the recording is damaged, and one that goes through it says where: how much of
    // it a part sees depends on where it begins.
    if (auto marks = grid.feeds.recorded()->marks()) {
      return std::make_unique<RowsInParts>(std::move(program), grid, options, *cut,
                                           *std::move(marks));
    }
  }
  return in_one_go(std::move(program), grid, options);
}

std::unique_ptr<TaskRows> TaskRows::in_one_go(std::shared_ptr<const Program> program,
                                              const RowsGrid& grid, const RowsOptions& options,
                                              std::optional<Stamp> after) {
  return std::make_unique<RowsInOneGo>(std::move(program), grid, options, after);
}

}  // namespace pmjit::strict
