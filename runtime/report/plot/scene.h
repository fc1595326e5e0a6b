// Scene: a chart on its way to becoming a picture: its panels, and where they are.
#pragma once

#include <string>
#include <vector>

#include "runtime/report/plot/axis.h"
#include "runtime/report/plot/chart_series.h"
#include "runtime/report/plot/plot.h"
#include "runtime/text/zone.h"

namespace pmjit {

// Panels: which results are drawn together, how, and what has to be said below them. Metrics of one
// parent (disk.dev.read, disk.dev.write) and one unit share a panel if they are kTogetherMax lines
// at most. Else each has a small panel, and so has each instance of a metric with more lines than
// that; where those would be more than kInstancesMost, the metrics are heat maps. A heat map is a
// panel of its own.
inline constexpr size_t kHeatRowsMax = 48;    // of a panel: a screen full
inline constexpr size_t kTogetherMax = 6;     // lines of one panel: as many as there are colours
inline constexpr size_t kInstancesMost = 24;  // small panels of instances, of all metrics

struct PanelSeries {
  size_t result = 0, lane = 0;
  std::string label;  // the instance, the metric's last part, or both; may be empty
  std::string full;   // all of the name
};

// A stretch of time, in nanoseconds since the first time of all.
struct ChartSpan {
  Nanos from = 0, to = 0;
};

// When one of a panel's hosts recorded nothing.
struct HostStrip {
  std::string host;
  std::vector<ChartSpan> pauses;  // one at least
};

struct Panel {
  enum class Kind : uint8_t { lines, heat, truth };
  Kind kind = Kind::lines;
  bool small = false;  // three of them stand beside one another
  std::string head;    // above a group of small ones: of the first of them
  std::string title, units;
  std::vector<PanelSeries> series;
  ValueAxis axis;  // of the lines' values, or of the colours
  std::vector<std::string> notes;
  std::vector<ChartSpan> pauses;  // when none of its hosts recorded anything
  std::vector<HostStrip> strips;  // of each host, where it has several
};

std::vector<Panel> panels_of(Gather& gather, const ChartFacts& facts);
// Of results without a single value, which have no panel; where none has a value the first has one.
std::vector<std::string> notes_of_absent(Gather& gather, const ChartFacts& facts);

// Pixels of the picture.
namespace layout {
inline constexpr double kWidth = 1'000, kEdge = 20, kHeader = 62, kFooter = 26;
inline constexpr double kTitle = 20, kLegendRow = 18, kUnit = 14, kPlot = 190, kAxis = 36,
                        kNote = 15, kBetween = 24;
inline constexpr double kLeftMin = 52, kLeftMax = 190;  // room for the axis of values
// Of small panels.
inline constexpr size_t kColumns = 3;
inline constexpr double kColumnGap = 22, kSmallPlot = 96, kSmallLeftMin = 30;
}  // namespace layout

// Cells of a heat map in time, from one end to the other.
struct HeatSpan {
  size_t cell = 0;
  Nanos from = 0, to = 0;
};

// Where a panel's lines or rows are.
struct Frame {
  double left = 0, width = 0;
  double top = 0, height = 0;
  double row = 0;  // height of a row of a heat map
  [[nodiscard]] double right() const { return left + width; }
  [[nodiscard]] double bottom() const { return top + height; }
  [[nodiscard]] double x(double share) const { return left + share * width; }
  [[nodiscard]] double y(double share) const { return top + height * (1 - share); }
};

struct Scene {
  Scene(const Schema& schema, Gather& gather, const PlotOptions& options, const ChartFacts& facts);

  const Schema& schema;
  Gather& gather;
  Zone zone;
  std::vector<Panel> panels;
  std::vector<std::string> notes;  // below all panels
  std::vector<Frame> frames;       // of the panels, when they have been drawn
  std::vector<TimeCell> cells;
  std::vector<HeatSpan> heat_spans;
  // When each host recorded nothing, although the values of a grid may go on; of several hosts the
  // last is when none of them did.
  std::vector<std::vector<ChartSpan>> pauses;
  bool pauses_given = false;
  bool bands = false;               // lines are too dense, and drawn as bands
  double left = 0, small_left = 0;  // room for the axis of values, of small panels too

  [[nodiscard]] bool has(Panel::Kind kind) const;
  // Of the width of a panel.
  [[nodiscard]] double share(Nanos since_first) const;
  [[nodiscard]] Nanos span() const { return span_; }

 private:
  void find_heat_spans();
  [[nodiscard]] std::vector<ChartSpan> pauses_between_times() const;
  [[nodiscard]] std::vector<ChartSpan> pauses_of(const HostPauses& recorded) const;
  void find_pauses(const std::vector<HostPauses>& recorded);
  void add_pauses(Panel& panel) const;
  Nanos span_ = 0;
};

// The pauses that values of a grid go on through, in the rows of a panel.
std::vector<ChartSpan> crossed_pauses(const Scene& scene, const Panel& panel);
// The others, which lie under the rows.
std::vector<ChartSpan> empty_pauses(const Scene& scene, const Panel& panel);
// When no line of a panel has a value, although there are times: without the pauses.
std::vector<ChartSpan> blanks_of(Scene& scene, const Panel& panel);

}  // namespace pmjit
