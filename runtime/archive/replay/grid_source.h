// GridSource: archives as a Source whose records are the times of a grid: every metric at every
// one of them, interpolated as PCP's tools do (interpolation.h), or exactly: as the plan wants it.
// Each metric is a fetch group of its own, as for pmval, so that its values do not depend on what
// else is asked for.
//
//   GridSource source(archives_source, {.origin = window.origin, .end = window.end, .step = {60}});
//   auto cursor = source.open({.metrics = {desc.pmid}}, rosters);
//
// A metric without a value at a time of the grid has a value set of no instances there. Damage ends
// the cursor, after every time before it at which all metrics could be read.
#pragma once

#include <string>
#include <vector>

#include "runtime/archive/replay/archives_source.h"
#include "runtime/archive/replay/context.h"

namespace pmjit {

struct TimeGrid {
  Stamp origin, end = kStampMax;  // the first time, and what the last is not beyond
  ReplayStep step;                // above zero
};

class GridSource final : public SourceOver {
 public:
  // `recorded` outlives it.
  GridSource(const ArchivesSource& recorded, const TimeGrid& grid)
      : SourceOver(recorded), recorded_(recorded), grid_(grid) {}

  // Refuses what Archive::open refuses.
  [[nodiscard]] Result<std::unique_ptr<Cursor>> open(const FetchPlan& plan,
                                                     Rosters& rosters) const override;

 private:
  const ArchivesSource& recorded_;
  TimeGrid grid_;
};

}  // namespace pmjit
