// The metadata of several archives that are read as one. Source: spec archives.md §10.
#pragma once

#include "runtime/archive/format/damage.h"
#include "runtime/archive/reader/metadata.h"

namespace pmjit {

// Adds what `from` has to `into`, in the order in which the archives were named. Of two metrics
// with one name the first keeps it; sets of instances and labels count from their own time on;
// texts of `from` replace. The damage is a metric that is described differently there
// (PM_ERR_LOGCHANGE…); `into` is then of no use. Both files must outlive `into`.
[[nodiscard]] OrDamage<void> merge_metadata(Metadata& into, const Metadata& from);

}  // namespace pmjit
