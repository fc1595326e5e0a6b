// ArchiveContext: the archives of -a as pminfo and pmprobe see them: a name space, descriptors, and
// of every metric the values of the first record at or after the origin that has it. Source: spec
// pmapi.md §6, §10, §24.1, §24.3.
//
//   const auto context = ArchiveContext::open(reader.finish(), which, derived, clock, out,
//   messages); if (context == nullptr) return 1;                  it has been told why const auto
//   set = context->fetch_first(pmid);       from the origin, each time
//
// The time of the context is the archive's start until something is fetched, then the record's.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "runtime/base/clock.h"
#include "runtime/client/metric_context.h"
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
                                                            LocalNames which,
                                                            DerivedMetrics& derived,
                                                            const Clock& clock, Output& out,
                                                            Messages& messages);

  [[nodiscard]] const Metadata& metadata() const { return archives_->metadata(); }
  [[nodiscard]] const std::string& host() const { return archives_->label().host; }
  [[nodiscard]] Zone& zone() { return zone_; }
  [[nodiscard]] Stamp now() const { return context_.replay().now(); }

  // Names, descriptors and texts, those of derived metrics too.
  [[nodiscard]] MetricContext& metrics() { return context_; }

  // Its values live until the next call. PM_ERR_EOL: no record has the metric; others: what is
  // wrong with the archive before one was found.
  [[nodiscard]] OrPmError<const FetchedSet*> fetch_first(PmId pmid);

 private:
  ArchiveContext(std::unique_ptr<Archives> archives, Zone zone, DerivedMetrics& derived)
      : archives_(std::move(archives)),
        context_(*archives_, BadVolumes::pass_over, derived),
        zone_(std::move(zone)) {}
  void note_what_is_there();

  std::unique_ptr<Archives> archives_;
  MetricContext context_;
  Zone zone_;
  Stamp origin_{};
  Fetched fetched_;
  Profile everything_;
  // What the records from the origin on have; known once a metric was looked for in vain.
  std::optional<std::unordered_set<PmId>> there_;
};

}  // namespace pmjit
