// ClockGrid: the times of a grid with the metrics of archives (GridSource) and with the variables
// of time, `$hour` and the like, as columns beside them. Of variables alone there is a record at
// every time of the grid up to the end of the recording.
//
//   const ClockNames names(catalog);               // describe("$hour"), and all of the catalog's
//   ClockGrid source(archives_source, grid, zone);
#pragma once

#include "runtime/archive/replay/grid_source.h"
#include "runtime/model/zone.h"

namespace pmjit::strict {

class ClockNames final : public Catalog {
 public:
  // `recorded` outlives it.
  explicit ClockNames(const Catalog& recorded) : recorded_(recorded) {}

  [[nodiscard]] Result<Desc> describe(std::string_view metric) const override;
  [[nodiscard]] std::vector<std::string> leaves(std::string_view prefix) const override {
    return recorded_.leaves(prefix);
  }
  [[nodiscard]] std::optional<std::string> instance_name(InDomId indom, int32_t instance,
                                                         Stamp when) const override {
    return recorded_.instance_name(indom, instance, when);
  }
  [[nodiscard]] std::optional<std::string> held_name(InDomId indom, int32_t instance,
                                                     Stamp when) const override {
    return recorded_.held_name(indom, instance, when);
  }
  [[nodiscard]] uint64_t domain_epoch(InDomId indom, Stamp when) const override {
    return recorded_.domain_epoch(indom, when);
  }
  [[nodiscard]] std::optional<std::vector<int32_t>> changed_between(InDomId indom, Stamp from,
                                                                    Stamp to) const override {
    return recorded_.changed_between(indom, from, to);
  }
  [[nodiscard]] std::vector<Instance> instances(InDomId indom) const override {
    return recorded_.instances(indom);
  }
  [[nodiscard]] std::vector<Instance> guests(InDomId indom) const override {
    return recorded_.guests(indom);
  }
  [[nodiscard]] std::vector<std::string> names_ever(InDomId indom) const override {
    return recorded_.names_ever(indom);
  }

 private:
  const Catalog& recorded_;
};

class ClockGrid final : public SourceOver {
 public:
  // `recorded` outlives it.
  ClockGrid(const ArchivesSource& recorded, const TimeGrid& grid, Zone zone)
      : SourceOver(recorded),
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
