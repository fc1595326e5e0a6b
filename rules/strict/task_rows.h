// TaskRows: what a program makes of the times of a grid, block by block, in their order. Either one
// evaluation goes through them, or threads evaluate parts of the grid at once, each with as many
// times before it as the program looks back: what comes of it is the same. (Reasons of what is
// unknown depend on more, so where they are asked for one evaluation goes through.)
//
//   auto rows = TaskRows::open(program, {.source = source, .origin = o, .end = e, .step = s}, how);
//   while (true) { auto more = rows->next(block); if (!more || !*more) break; use(block); }
#pragma once

#include <memory>
#include <optional>

#include "runtime/base/executor.h"
#include "runtime/client/archive_context/grid_source.h"
#include "runtime/exec/evaluation.h"
#include "runtime/model/zone.h"

namespace pmjit::strict {

struct RowsGrid {
  const ArchivesSource& source;
  Stamp origin, end;
  Nanos step;  // above zero
  Zone zone;   // of $hour and the like
};

struct RowsOptions {
  uint32_t block_rows = 0;  // as EvaluationOptions has it
  bool reasons = false;
  Executor* executor = nullptr;  // outlives the rows; null, or of one thread: one evaluation
};

class TaskRows {
 public:
  virtual ~TaskRows() = default;
  // The source outlives it.
  [[nodiscard]] static std::unique_ptr<TaskRows> open(std::shared_ptr<const Program> program,
                                                      const RowsGrid& grid,
                                                      const RowsOptions& options);

  // By one evaluation; without the rows up to `after`.
  [[nodiscard]] static std::unique_ptr<TaskRows> in_one_go(std::shared_ptr<const Program> program,
                                                           const RowsGrid& grid,
                                                           const RowsOptions& options,
                                                           std::optional<Stamp> after = {});

  // False: there are no more. An error comes after every row before it.
  [[nodiscard]] virtual Result<bool> next(ResultBlock& block) = 0;
  // Of the block that was given last.
  [[nodiscard]] virtual const Rosters& rosters() const = 0;
  [[nodiscard]] virtual const Catalog& names() const = 0;
};

}  // namespace pmjit::strict
