// RecordPlaces: where some of the records of a recording begin. A reader that starts at a time
// begins at the place before it, not at the first record. Entries of an index may be wrong; these
// places are right, since somebody has read the heads of all records, and time never goes back
// there.
//
//   RecordPlaces places;
//   places.add(head, member);                          each record, in order
//   const PlacedSource source(archives_source, places);
//   source.open({.metrics = wanted, .from = noon}, rosters)
#pragma once

#include <memory>
#include <vector>

#include "runtime/archive/reader/mark_scan.h"
#include "runtime/archive/recording/archives_source.h"

namespace pmjit {

class RecordPlaces {
 public:
  void add(const MarkScan::Scanned& head, size_t member);
  // The last known record before that time; of none: the start.
  [[nodiscard]] ArchivesSource::Place before(Stamp when) const;

 private:
  struct Known {
    Stamp stamp;
    ArchivesSource::Place place;
  };
  std::vector<Known> known_;  // ascending
};

// The same records as those of `recorded`, without what lies before the plan's start.
class PlacedSource final : public RecordingOver {
 public:
  // Both outlive it.
  PlacedSource(const ArchivesSource& recorded, const RecordPlaces& places)
      : RecordingOver(recorded), recorded_(recorded), places_(places) {}

  [[nodiscard]] Result<std::unique_ptr<Cursor>> open(const FetchPlan& plan,
                                                     Rosters& rosters) const override;

 private:
  const ArchivesSource& recorded_;
  const RecordPlaces& places_;
};

}  // namespace pmjit
