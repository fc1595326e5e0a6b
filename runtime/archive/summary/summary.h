// What is in an archive: one pass over the records of one archive or of several, value sets only,
// no value decoded.
//
//   const ArchiveSummary summary = summarize(**Archives::open(names), {});
//
// Never fails: what cannot be read is in `damage`, and the next volume is gone on with. Start at
// summary.cc; record_counts.h is what it counts.
#pragma once

#include <functional>

#include "runtime/archive/recording/archives.h"
#include "runtime/model/archive_summary.h"

namespace pmjit {

// `progress` hears how much is done, 0 … 1, after every record; it may be empty.
[[nodiscard]] ArchiveSummary summarize(const Archives& archives,
                                       const std::function<void(double)>& progress);

}  // namespace pmjit
