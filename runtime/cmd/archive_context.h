// ArchiveContext: the archives of -a as pminfo and pmprobe see them: a name space, descriptors, and
// of every metric the values of the first record at or after the origin that has it. Source: spec
// pmapi.md §6, §10, §24.1, §24.3.
//
//   const auto context = ArchiveContext::open(reader.finish(), out, messages);
//   if (context == nullptr) return 1;                  it has been told why
//   const auto set = context->fetch_first(pmid);       from the origin, each time
//
// The time of the context is the archive's start until something is fetched, then the record's.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "runtime/archive/replay/context.h"
#include "runtime/cmd/local_names.h"
#include "runtime/cmd/messages.h"
#include "runtime/cmd/options.h"
#include "runtime/cmd/output.h"
#include "runtime/model/pm_error.h"
#include "runtime/model/zone.h"

namespace pmjit {

class ArchiveContext {
 public:
  // Null: they cannot be read, or something else is asked for; it is told. The note about the zone
  // goes to `out`.
  [[nodiscard]] static std::unique_ptr<ArchiveContext> open(const Options& options,
                                                            LocalNames which, Output& out,
                                                            Messages& messages);

  [[nodiscard]] const Metadata& metadata() const { return archives_->metadata(); }
  [[nodiscard]] const std::string& host() const { return archives_->label().host; }
  [[nodiscard]] Zone& zone() { return zone_; }
  [[nodiscard]] Stamp now() const { return context_.now(); }

  // Leaves at or below a name, "" is the root; those that are always there come last. None: there
  // is no such name.
  [[nodiscard]] std::optional<std::vector<NameSpace::Leaf>> leaves(std::string_view name) const;
  [[nodiscard]] OrPmError<PmId> look_up(std::string_view name) const;
  [[nodiscard]] std::vector<std::string_view> names(PmId pmid) const;
  [[nodiscard]] OrPmError<Desc> describe(PmId pmid) const;

  // Its values live until the next call. PM_ERR_EOL: no record has the metric; others: what is
  // wrong with the archive before one was found.
  [[nodiscard]] OrPmError<const FetchedSet*> fetch_first(PmId pmid);

 private:
  ArchiveContext(std::unique_ptr<Archives> archives, Zone zone)
      : archives_(std::move(archives)),
        context_(*archives_, BadVolumes::pass_over),
        zone_(std::move(zone)) {}
  [[nodiscard]] OrPmError<const FetchedSet*> fetch_nothing(PmId pmid);
  void note_what_is_there();

  std::unique_ptr<Archives> archives_;
  ReplayContext context_;
  Zone zone_;
  Stamp origin_{};
  Fetched fetched_;
  Profile everything_;
  // What the records from the origin on have; known once a metric was looked for in vain.
  std::optional<std::unordered_set<PmId>> there_;
};

}  // namespace pmjit
