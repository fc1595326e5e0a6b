// The cursor of a ParallelSource.
#pragma once

#include <memory>

#include "runtime/base/executor.h"
#include "runtime/model/recording.h"

namespace pmjit {

// `executor` and `rosters` outlive it.
[[nodiscard]] std::unique_ptr<Cursor> parallel_cursor(std::unique_ptr<Pieces> pieces,
                                                      Executor& executor, Rosters& rosters);

}  // namespace pmjit
