// Scene: a chart on its way to becoming a picture: its panels, and where they are.
#pragma once

#include <string>
#include <vector>

#include "runtime/report/plot/axis.h"
#include "runtime/report/plot/chart_series.h"
#include "runtime/text/zone.h"

namespace pmjit {

// Panels: which results are drawn together, how, and what has to be said below them. Lines of one
// unit share a panel as long as there are kLinesMax at most; numbers without a unit do not, for
// nothing says that they can be compared. A heat map is a panel of its own.
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

// Pixels of the picture.
namespace layout {
inline constexpr double kWidth = 1'000, kEdge = 20, kHeader = 62, kFooter = 26;
inline constexpr double kTitle = 20, kLegendRow = 18, kPlot = 190, kAxis = 36, kNote = 15,
                        kBetween = 24;
inline constexpr double kLeftMin = 52, kLeftMax = 190;  // room for the axis of values
}  // namespace layout

// Cells of a heat map in time, from one end to the other.
struct HeatSpan {
  size_t cell = 0;
  Nanos from = 0, to = 0;
};

// Where a panel's lines or rows are.
struct Frame {
  double top = 0, height = 0;
  double row = 0;  // height of a row of a heat map
  [[nodiscard]] double y(double share) const { return top + height * (1 - share); }
};

struct Scene {
  Scene(const Schema& schema, Gather& gather, const Zone& zone);

  const Schema& schema;
  Gather& gather;
  Zone zone;
  std::vector<Panel> panels;
  std::vector<Frame> frames;  // of the panels, when they have been drawn
  std::vector<TimeCell> cells;
  std::vector<HeatSpan> heat_spans;
  double left = 0;

  [[nodiscard]] double right() const { return layout::kWidth - layout::kEdge; }
  [[nodiscard]] double x(Nanos since_first) const;
  [[nodiscard]] Nanos span() const { return span_; }

 private:
  void find_heat_spans();
  Nanos span_ = 0;
};

}  // namespace pmjit
