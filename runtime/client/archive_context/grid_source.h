// GridSource: archives as a Recording whose records are the times of a grid: every metric at every
// one of them, interpolated as PCP's tools do (interpolation.h), or exactly: as the plan wants it.
// Each metric is a fetch group of its own, as for pmval, so that its values do not depend on what
// else is asked for.
//
//   GridSource source(archives_source, {.origin = window.origin, .end = window.end, .step = {60}});
//   auto cursor = source.open({.metrics = {desc.pmid}}, rosters);
//
// A metric without a value at a time of the grid has a value set of no instances there. Of exact
// metrics (spec dialects.md §13.3) none comes before there is a value, at the start and behind a
// mark; between two times with marks between them stands one, and only where some metric is exact:
// libpcp's tools do not see it. A value that is held when its instance has left goes by the name it
// had. Of no metric there are the times and the marks. Damage ends the cursor, after every time
// before it at which all metrics could be read.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/archive/recording/archives_source.h"
#include "runtime/client/archive_context/replay_context.h"
#include "runtime/model/catalog.h"

namespace pmjit {

struct TimeGrid {
  Stamp origin, end = kStampMax;  // the first time, and what the last is not beyond
  ReplayStep step;                // above zero
  // A part of a longer grid, not its first one. Of a metric without values at `origin` it is not
  // known whether it had some before, and reading fails.
  bool goes_on = false;
  // It ends before the first time of which only interpolation says what the values are. All metrics
  // are numbers.
  bool certain = false;
  // Marks of the recording as all_marks() gives them, for several sources over it; null: they are
  // looked for.
  std::shared_ptr<const std::vector<Stamp>> marks{};
};

// The metadata of the archives, for values that are held.
class HeldNames final : public CatalogOver {
 public:
  // `recorded` outlives it.
  explicit HeldNames(const ArchivesSource& recorded)
      : CatalogOver(recorded.catalog()), recorded_(recorded) {}

  [[nodiscard]] std::optional<std::string> held_name(InDomId indom, int32_t instance,
                                                     Stamp when) const override;

 private:
  const ArchivesSource& recorded_;
};

class GridSource final : public RecordingOver {
 public:
  // `recorded` outlives it. So does `reader`, which gives the same records in its own way, as by
  // several threads; null: `recorded` itself.
  GridSource(const ArchivesSource& recorded, const TimeGrid& grid,
             const Recording* reader = nullptr)
      : RecordingOver(recorded),
        recorded_(recorded),
        reader_(reader != nullptr ? *reader : recorded),
        grid_(grid) {}

  [[nodiscard]] const Catalog& catalog() const override { return names_; }
  [[nodiscard]] Nanos step() const { return nanos(grid_.step); }

  // Refuses what Archive::open refuses.
  [[nodiscard]] Result<std::unique_ptr<Cursor>> open(const FetchPlan& plan,
                                                     Rosters& rosters) const override;

 private:
  const ArchivesSource& recorded_;
  const Recording& reader_;
  HeldNames names_{recorded_};
  TimeGrid grid_;
};

// The times of the grid at which the archives may have values: what they have before they begin is
// nothing, and cannot be read.
[[nodiscard]] TimeGrid grid_within(const ArchivesSource& archives, TimeGrid grid);

}  // namespace pmjit
