#include "runtime/sched/parallel_source.h"

#include "runtime/sched/parallel_cursor.h"

namespace pmjit {

Result<std::unique_ptr<Cursor>> ParallelSource::open(const FetchPlan& plan,
                                                     Rosters& rosters) const {
  if (executor_.threads() == 1) return under().open(plan, rosters);
  FetchPlan shared = plan;
  shared.for_threads = true;
  if (shared.piece_bytes == 0) shared.piece_bytes = piece_bytes_;
  auto pieces = under().open_pieces(shared);
  if (!pieces) return fail(pieces.error());
  if (*pieces == nullptr) return under().open(plan, rosters);
  return parallel_cursor(*std::move(pieces), executor_, rosters);
}

}  // namespace pmjit
