// What a metric has at the times of a grid, as text: what interpolation says of it alone, to
// compare with what GridSource has of many.
#pragma once

#include <string>
#include <vector>

#include "runtime/client/archive_context/grid_source.h"

namespace pmjit::test {

// The rows of a metric, a line each. `whole`: nothing failed before the end of the grid or of the
// recording.
struct GridText {
  std::string rows;
  bool whole = true;
};

// A fetch after the other, of that metric alone.
[[nodiscard]] GridText interpolated_text(const ArchivesSource& recorded, const TimeGrid& grid,
                                         const WantedMetric& wanted);

// What the grid has of all metrics of the plan, each for itself.
struct GriddedTexts {
  std::vector<GridText> metrics;
  uint64_t bytes = 0;  // that were read
};
[[nodiscard]] GriddedTexts gridded_texts(const GridSource& source, const FetchPlan& plan);

}  // namespace pmjit::test
