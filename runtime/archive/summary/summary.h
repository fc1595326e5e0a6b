// What is in an archive: one pass over the records of one archive or of several, value sets only,
// no value decoded.
//
//   const ArchiveSummary summary = summarize(**Archives::open(names), {});
//
// Never fails: what cannot be read is in `damage`, and the next volume is gone on with. Start at
// summary.cc; record_counts.h is what it counts.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/archive/recording/archives.h"
#include "runtime/model/archive_summary.h"
#include "runtime/model/host_summary.h"

namespace pmjit {

// `progress` hears how much is done, 0 … 1, after every record; it may be empty.
[[nodiscard]] ArchiveSummary summarize(const Archives& archives,
                                       const std::function<void(double)>& progress);

// What archives have of some metrics: descriptors, help texts, labels, instances, and how often
// they were recorded. host_report.h prints them as it prints those of a live host.

// Are there metrics of this name, or below it?
[[nodiscard]] bool has_metric(const Archives& archives, const std::string& name);

// `names`: those that has_metric(); one stands for all metrics below it. Instances are all that
// there ever were, labels those at the end. `summary` is of these archives.
[[nodiscard]] HostSummary metric_facts(const Archives& archives,
                                       const std::vector<std::string>& names,
                                       const ArchiveSummary& summary);

}  // namespace pmjit
