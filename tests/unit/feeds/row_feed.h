// row_feed(): the rows of a recording, one record per wave, as if they arrived: nobody knows the
// end, and nothing is too old, for they are at due times.
#pragma once

#include "runtime/base/clock.h"
#include "runtime/model/feed.h"

namespace pmjit::tests {

// All outlive it. `clock`: rows come when it says that it is their time; null: at once.
[[nodiscard]] Result<std::unique_ptr<Feed>> row_feed(const Recording& recording,
                                                     std::vector<WantedMetric> metrics,
                                                     Rosters& rosters, const Clock* clock);

}  // namespace pmjit::tests
