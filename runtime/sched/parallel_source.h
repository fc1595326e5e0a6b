// ParallelSource: a source whose records are decoded by several threads, in the order of the
// source: the same blocks' worth of records, rosters and errors as its own cursor gives.
//
//   ParallelSource source(archives, executor);
//   Evaluation evaluation(program, source, rosters, {});
//
// Every thread finds, reads and decodes pieces; the one that asks uses the blocks, and decodes as
// well while it has to wait. So memory is bounded by pieces, some for each thread. A source that
// has no pieces is read by the calling thread alone.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/base/executor.h"
#include "runtime/base/limits.h"
#include "runtime/model/recording.h"

namespace pmjit {

class ParallelSource final : public RecordingOver {
 public:
  // Both outlive it. `piece_bytes`: of records that a thread decodes at a time, one at least.
  ParallelSource(const Recording& source, Executor& executor,
                 uint32_t piece_bytes = limits::kSharedPieceBytes)
      : RecordingOver(source), executor_(executor), piece_bytes_(piece_bytes) {}

  [[nodiscard]] Result<std::unique_ptr<Cursor>> open(const FetchPlan& plan,
                                                     Rosters& rosters) const override;

 private:
  Executor& executor_;
  uint32_t piece_bytes_;
};

// The cursor of a ParallelSource.

// `executor` and `rosters` outlive it.
[[nodiscard]] std::unique_ptr<Cursor> parallel_cursor(std::unique_ptr<Pieces> pieces,
                                                      Executor& executor, Rosters& rosters);

}  // namespace pmjit
