// TaskRows: what a program makes of the times of a grid, block by block, in their order. Either one
// evaluation goes through them, or threads evaluate parts of the grid at once, each with as many
// times before it as the program looks back: what comes of it is the same. (Reasons of what is
// unknown depend on more, so where they are asked for one evaluation goes through.)
//
//   auto rows = TaskRows::open(program, {.feeds = feeds, .origin = o, .step = s}, how);
//   while (true) {
//     const auto next = rows->next(block);
//     if (!next || *next == Feed::Next::end) break;
//     if (*next == Feed::Next::wave) use(block);
//   }
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/executor.h"
#include "runtime/exec/evaluation.h"
#include "runtime/model/feed.h"
#include "runtime/text/zone.h"

namespace pmjit::strict {

struct RowsGrid {
  const Feeds& feeds;
  Stamp origin;
  Stamp end = kStampMax;  // kStampMax: as long as rows come
  Nanos step;             // above zero
  Zone zone{};            // of $hour and the like
};

struct RowsOptions {
  uint32_t block_rows = 0;  // as EvaluationOptions has it
  bool reasons = false;
  Executor* executor = nullptr;  // outlives the rows; null, or of one thread: one evaluation
};

class TaskRows {
 public:
  virtual ~TaskRows() = default;
  // The feeds outlive it.
  [[nodiscard]] static std::unique_ptr<TaskRows> open(std::shared_ptr<const Program> program,
                                                      const RowsGrid& grid,
                                                      const RowsOptions& options);

  // By one evaluation; without the rows up to `after`.
  [[nodiscard]] static std::unique_ptr<TaskRows> in_one_go(std::shared_ptr<const Program> program,
                                                           const RowsGrid& grid,
                                                           const RowsOptions& options,
                                                           std::optional<Stamp> after = {});

  // An error comes after every row before it.
  [[nodiscard]] virtual Result<Feed::Next> next(ResultBlock& block) = 0;
  // After nothing_yet: when to ask again.
  [[nodiscard]] virtual Stamp due() const { return kStampMin; }
  // Of the block that was given last.
  [[nodiscard]] virtual const Rosters& rosters() const = 0;
  [[nodiscard]] virtual const Catalog& names() const = 0;
  // Of what arrives: those of its feed.
  [[nodiscard]] virtual std::vector<std::string> take_warnings() { return {}; }
  [[nodiscard]] virtual uint64_t skipped() const { return 0; }
};

}  // namespace pmjit::strict
