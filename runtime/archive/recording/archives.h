// Archives: what one archive context reads: one archive, or several of one host that follow each
// other in time, under one name space. Source: spec archives.md §10, §15.
//
//   auto archives = Archives::open("monday,tuesday");     also a directory, a folio, one name
//   (*archives)->metadata().names …
//
// Opening refuses archives that start at one time, differ by host or describe a metric differently.
// That they overlap shows only where a reader passes from one to the next.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/archive/archive.h"
#include "runtime/archive/reader/index.h"
#include "runtime/model/archive_summary.h"

namespace pmjit {

class Archives {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Archives>> open(const std::string& names,
                                                              const ArchiveOptions& options = {});
  // The same of archives of several hosts: those of each, hosts in the order in which they come.
  [[nodiscard]] static Result<std::vector<std::unique_ptr<Archives>>> open_hosts(
      const std::string& names, const ArchiveOptions& options = {});
  // Takes archives that are open; at least one. With `left_out`, one that does not go with those
  // before it is added there, and the others are read without it.
  [[nodiscard]] static Result<std::unique_ptr<Archives>> of(
      std::vector<std::unique_ptr<Archive>> members,
      std::vector<LeftOutArchive>* left_out = nullptr);

  [[nodiscard]] size_t size() const { return members_.size(); }
  [[nodiscard]] const Archive& operator[](size_t i) const { return *members_[i]; }
  [[nodiscard]] const Label& label() const { return members_.front()->label(); }
  [[nodiscard]] Stamp start() const { return label().start; }
  // The last record of the last archive, looked for anew.
  [[nodiscard]] Result<Stamp> end() const { return members_.back()->last_record(); }
  // PM_ERR_LOGOVERLAP: member `earlier` goes on after the one behind it has started. For whoever
  // reads across that border.
  [[nodiscard]] Result<void> refuse_overlap(size_t earlier) const;
  // The last record of an archive that another follows, as it was when it was opened.
  [[nodiscard]] Result<Stamp> end_before_next(size_t i) const {
    const Stamp end = members_[i]->end();
    return end != kStampMax ? Result<Stamp>(end) : members_[i]->last_record();
  }
  // Other names for its metrics, views into what `owner` keeps.
  void use_names(NameSpace names, std::shared_ptr<const void> owner);
  [[nodiscard]] const Metadata& metadata() const {
    return merged_ ? *merged_ : members_.front()->metadata();
  }

 private:
  Result<void> add(std::unique_ptr<Archive> member);

  std::vector<std::unique_ptr<Archive>> members_;  // by start
  std::unique_ptr<Metadata> merged_;               // of several, or with names that are not theirs
  std::shared_ptr<const void> names_owner_;
};

}  // namespace pmjit
