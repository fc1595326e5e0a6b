#include "rules/strict/task_rows.h"

#include "rules/strict/clock_grid.h"
#include "rules/strict/rows_in_parts.h"
#include "runtime/archive/recording/marks.h"

namespace pmjit::strict {

namespace {

class RowsInOneGo final : public TaskRows {
 public:
  RowsInOneGo(std::shared_ptr<const Program> program, const RowsGrid& grid,
              const RowsOptions& options, std::optional<Stamp> after)
      : grid_(grid.source, {.origin = grid.origin, .end = grid.end, .step = replay_step(grid.step)},
              grid.zone),
        evaluation_(std::move(program), grid_, rosters_,
                    {.from = after ? stamp_from_nanos(nanos(*after) + 1) : grid.origin,
                     .to = grid.end,
                     .block_rows = options.block_rows,
                     .step = grid.step,
                     .reasons = options.reasons}) {}

  Result<bool> next(ResultBlock& block) override { return evaluation_.next(block); }
  const Rosters& rosters() const override { return rosters_; }
  const Catalog& names() const override { return evaluation_.names(); }

 private:
  ClockGrid grid_;
  Rosters rosters_;
  Evaluation evaluation_;
};

// Fails where the recording is damaged, and one that goes through it says where: how much of it a
// part sees depends on where it begins.
Result<std::vector<Stamp>> marks_of(const ArchivesSource& source) {
  Rosters rosters;
  const auto marks = Marks::of(source, rosters);
  if (!marks) return fail(marks.error());
  return (*marks)->all();
}

}  // namespace

std::unique_ptr<TaskRows> TaskRows::open(std::shared_ptr<const Program> program,
                                         const RowsGrid& grid, const RowsOptions& options) {
  if (const auto cut = GridCut::of(*program, grid, options)) {
    if (auto marks = marks_of(grid.source)) {
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
