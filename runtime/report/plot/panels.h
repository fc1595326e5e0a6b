// Panels: which results are drawn together, how, and what has to be said below them. Lines of one
// unit share a panel as long as there are kLinesMax at most; numbers without a unit do not, for
// nothing says that they can be compared. A heat map is a panel of its own.
#pragma once

#include <string>
#include <vector>

#include "runtime/report/plot/chart_results.h"
#include "runtime/report/plot/value_axis.h"

namespace pmjit {

inline constexpr size_t kHeatRowsMax = 48;  // of a panel: a screen full

struct PanelSeries {
  size_t result = 0, lane = 0;
  std::string label;  // the instance, the metric, or both
};

struct Panel {
  enum class Kind : uint8_t { lines, heat, truth };
  Kind kind = Kind::lines;
  std::string title, units;
  std::vector<PanelSeries> series;
  ValueAxis axis;  // of the lines' values, or of the colours
  std::vector<std::string> notes;
};

std::vector<Panel> panels_of(Gather& gather);

}  // namespace pmjit
