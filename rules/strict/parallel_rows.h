// RowsInParts: a grid cut into parts that threads evaluate at once, and that are given in order.
// While the parts of one turn are given, those of the next are evaluated.
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "rules/strict/task_rows.h"
#include "runtime/sched/crew.h"

namespace pmjit::strict {

// How the times of a grid are cut.
struct GridCut {
  uint64_t times = 0;     // of the grid, up to the end of the recording
  uint32_t each = 0;      // times of a part
  uint32_t history = 0;   // times before a part that it needs
  uint32_t turn = 0;      // parts that are evaluated before the first of the next turn is
  uint32_t rows_max = 0;  // times of a block

  // None: nobody knows the end, the program looks back without end, there is one thread, or it is
  // not worth it.
  [[nodiscard]] static std::optional<GridCut> of(const Program& program, const RowsGrid& grid,
                                                 const RowsOptions& options);
};

class RowsInParts final : public TaskRows {
 public:
  RowsInParts(std::shared_ptr<const Program> program, const RowsGrid& grid,
              const RowsOptions& options, const GridCut& cut, std::vector<Stamp> marks);
  ~RowsInParts() override;

  Result<Feed::Next> next(ResultBlock& block) override;
  const Rosters& rosters() const override;
  const Catalog& names() const override;

 private:
  struct Part;
  using Parts = std::vector<std::unique_ptr<Part>>;

  void call_next();
  void evaluate_one();
  [[nodiscard]] Stamp time(uint64_t number) const;

  std::shared_ptr<const Program> program_;
  RowsGrid grid_;
  RowsOptions options_;
  GridCut cut_;
  std::vector<Stamp> marks_;
  uint64_t cut_off_ = 0;  // times that are in parts
  Parts given_, coming_;
  size_t part_ = 0;            // of given_: the one that is given
  std::optional<Stamp> last_;  // time that was given
  // Once a part cannot be read. That may be for its own place alone, where a metric has no values
  // or the archive's index is wrong: whoever goes through from the start knows better.
  std::unique_ptr<TaskRows> alone_;
  std::atomic<size_t> begun_{};  // how many of coming_
  Crew crew_;                    // last: it waits for those that work
};

}  // namespace pmjit::strict
