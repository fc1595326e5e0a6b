// pmjit explain EXPR: how definitions are computed, a line each. Those that are guarded are
// evaluated over the archive, and nothing is done with the values.
#include <fmt/format.h>

#include <algorithm>

#include "rules/cmd/common.h"
#include "rules/cmd/interrupt.h"
#include "rules/cmd/verbs.h"
#include "rules/why/why.h"
#include "runtime/exec/evaluation.h"
#include "runtime/report/progress.h"

namespace pmjit {

namespace {

std::string line_of(const DerivedWay& way, const std::vector<GuardCounts>& counts) {
  using enum DerivedWay::Kind;
  const std::string begin = fmt::format("derived {}: ", way.name);
  if (way.kind == compiled) return begin + "compiled: " + way.why;
  if (way.kind == interpreted) return begin + "interpreted: one time after another, " + way.why;
  const bool counted = way.slot.index < counts.size();
  return begin + "guarded: many times at once" +
         (counted ? how_counts(counts[way.slot.index]) : "");
}

bool is_guarded(const DerivedWay& way) { return way.kind == DerivedWay::Kind::guarded; }

// An error: what was counted ends before it.
Result<void> count_ways(const Compilation& made, const Recording& recorded, const Clock& clock,
                        std::vector<GuardCounts>& out) {
  catch_interrupts();
  stop_reading_at_interrupts();
  Progress progress("evaluating", clock);
  Rosters rosters;
  Evaluation evaluation(made.program, recorded, rosters, {});
  ResultBlock block;
  Result<bool> more = true;
  while (more && *more && interrupted() == 0) {
    more = evaluation.next(block);
    progress.update(evaluation.done());
  }
  progress.clear();
  out = evaluation.stats().sets;
  if (!more) return fail(more.error());
  return {};
}

}  // namespace

int explain_definitions(const Compilation& made, const Recording* recorded, const Clock& clock) {
  std::vector<GuardCounts> counts;
  Result<void> whole;
  if (recorded != nullptr && std::ranges::any_of(made.derived, is_guarded)) {
    whole = count_ways(made, *recorded, clock, counts);
    if (interrupted() != 0) return kExitSignal + interrupted();
  }
  for (const DerivedWay& way : made.derived) fmt::print("{}\n", line_of(way, counts));
  if (!whole) return complain(whole.error().text()), kExitErrors;
  return kExitOk;
}

}  // namespace pmjit
