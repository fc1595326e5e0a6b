// ArchivesSource: archives that follow each other in time, or one, as a Recording: their records in
// order, with a mark where one archive ends and the next begins, for nothing crosses that border.
//
//   auto archives = Archives::open("monday,tuesday");
//   ArchivesSource source(*std::move(archives));
//   auto cursor = source.open({.metrics = {desc.pmid}}, rosters);
//
// Archives that overlap are refused by the cursor, where it gets to the second of them. Source:
// spec archives.md §10, dialects.md §13.1.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/archive/reader/mark_scan.h"
#include "runtime/archive/reader/undescribed.h"
#include "runtime/archive/recording/archives.h"

namespace pmjit {

class ArchivesSource final : public Recording {
 public:
  explicit ArchivesSource(std::unique_ptr<Archives> archives);

  [[nodiscard]] const Archives& archives() const { return *archives_; }
  // What those who read it have met so far.
  [[nodiscard]] UndescribedMetrics& undescribed() const { return undescribed_; }
  [[nodiscard]] const Catalog& catalog() const override { return catalog_; }
  [[nodiscard]] std::string host() const override { return archives_->label().host; }
  [[nodiscard]] std::string timezone() const override { return archives_->label().timezone; }
  [[nodiscard]] Stamp start() const override { return archives_->start(); }
  [[nodiscard]] Stamp end() const override;
  [[nodiscard]] uint64_t bytes() const override;
  // Those of every archive, its name in front.
  [[nodiscard]] std::vector<std::string> warnings() const override;
  // As Archive::open. A metric that only some of the archives describe has no values in the others.
  [[nodiscard]] Result<std::unique_ptr<Cursor>> open(const FetchPlan& plan,
                                                     Rosters& rosters) const override;
  [[nodiscard]] Result<std::unique_ptr<Pieces>> open_pieces(const FetchPlan& plan) const override;

  struct Place {  // of a record
    size_t member = 0;
    MarkScan::Place record{};
  };
  // The same, beginning at a record that is known to be earlier than all that the plan wants.
  [[nodiscard]] Result<std::unique_ptr<Pieces>> open_pieces_at(const Place& place,
                                                               const FetchPlan& plan) const;

 private:
  std::unique_ptr<Archives> archives_;
  std::string name_;
  MetadataCatalog catalog_;
  mutable UndescribedMetrics undescribed_;
  mutable std::once_flag end_found_;  // for which files are read
  mutable Stamp end_ = kStampMax;
};

}  // namespace pmjit
