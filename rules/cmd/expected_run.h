// What a run over a source is expected to read of each metric: from the first records, how often
// each metric comes and with how many values, and from the size of the source.
#pragma once

#include "compiler/driver/expected_work.h"
#include "runtime/model/recording.h"

namespace pmjit {

struct ExpectedRun {
  Stamp from = kStampMin, to = kStampMax;
  Nanos step = 0;        // of a grid, where every metric has a row at each time
  double rows_most = 0;  // 0: no limit
};

// `source` outlives the result.
ExpectedWork expected_work(const Recording& source, const ExpectedRun& run);

}  // namespace pmjit
