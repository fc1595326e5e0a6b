// ClockGrid: the times of a grid with the metrics of archives (GridSource) and with the variables
// of time, `$hour` and the like, as columns beside them. Of variables alone there is a record at
// every time of the grid up to the end of the recording.
//
//   const ClockNames names(catalog);               // describe("$hour"), and all of the catalog's
//   ClockGrid source(archives_source, grid, zone);
#pragma once

#include "runtime/archive/replay/grid_source.h"
#include "runtime/model/catalog_over.h"
#include "runtime/model/zone.h"

namespace pmjit::strict {

class ClockNames final : public CatalogOver {
 public:
  // `recorded` outlives it.
  explicit ClockNames(const Catalog& recorded) : CatalogOver(recorded) {}

  [[nodiscard]] Result<Desc> describe(std::string_view metric) const override;
};

class ClockGrid final : public RecordingOver {
 public:
  // `recorded` outlives it.
  ClockGrid(const ArchivesSource& recorded, const TimeGrid& grid, Zone zone)
      : RecordingOver(recorded),
        recorded_(recorded),
        times_(grid),
        grid_(recorded, grid),
        zone_(std::move(zone)) {}

  [[nodiscard]] const Catalog& catalog() const override { return names_; }
  [[nodiscard]] Result<std::unique_ptr<Cursor>> open(const FetchPlan& plan,
                                                     Rosters& rosters) const override;

 private:
  [[nodiscard]] Result<std::unique_ptr<Cursor>> open_times(const FetchPlan& plan,
                                                           Rosters& rosters) const;

  const ArchivesSource& recorded_;
  TimeGrid times_;
  GridSource grid_;
  ClockNames names_{grid_.catalog()};
  Zone zone_;
};

}  // namespace pmjit::strict
