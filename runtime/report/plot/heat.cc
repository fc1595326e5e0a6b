// The rows of a heat map, or of truth values: for each colour one path of short horizontal strokes.
// Cells without a value show the hatched ground.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "runtime/report/plot/draw.h"
#include "runtime/report/plot/svg_text.h"

namespace pmjit {

namespace {

size_t colour_of(const Panel& panel, double value) {
  if (panel.kind == Panel::Kind::truth) return value != 0;
  const double at = panel.axis.share(value) * kHeatColours;
  return std::min(static_cast<size_t>(at), kHeatColours - 1);
}

class HeatPainter {
 public:
  HeatPainter(const Scene& scene, const Panel& panel) : scene_(scene), panel_(panel) {}

  void add_row(const Buckets<HeatCell, kHeatCells>& cells, double y) {
    std::optional<size_t> colour;
    Nanos from = 0, to = 0;
    const auto put = [&] {
      if (!colour) return;
      paths_[*colour].move(scene_.x(from), y);
      paths_[*colour].line(scene_.x(to), y);
    };
    for (const HeatSpan& span : scene_.heat_spans) {
      const HeatCell& cell = cells[span.cell];
      const auto next = cell.any ? std::optional(colour_of(panel_, cell.most)) : std::nullopt;
      if (next != colour || span.from != to) {
        put();
        from = span.from;
        colour = next;
      }
      to = span.to;
    }
    put();
  }

  void put(std::string& out, double row_height) const {
    const char letter = panel_.kind == Panel::Kind::truth ? 't' : 'c';
    fmt::format_to(std::back_inserter(out), "<g class=\"heat\" stroke-width=\"{}\">\n",
                   px(row_height));
    for (size_t i = 0; i < paths_.size(); ++i) {
      if (paths_[i].empty()) continue;
      fmt::format_to(std::back_inserter(out), "<path class=\"{}{}\" d=\"{}\"/>\n", letter, i,
                     paths_[i].text());
    }
    out += "</g>\n";
  }

 private:
  const Scene& scene_;
  const Panel& panel_;
  std::array<Path, kHeatColours> paths_;
};

}  // namespace

void put_heat(std::string& out, const Scene& scene, const Panel& panel, const Frame& frame) {
  for (const std::string_view style : {"class=\"gap\"", "fill=\"url(#hatch)\""}) {
    fmt::format_to(std::back_inserter(out),
                   "<rect {} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", style,
                   px(scene.left), px(frame.top), px(scene.right() - scene.left), px(frame.height));
  }
  HeatPainter painter(scene, panel);
  double y = frame.top + frame.row / 2;
  for (const PanelSeries& series : panel.series) {
    HeatSeries& row = scene.gather.results()[series.result].rows[series.lane];
    painter.add_row(row.cells(scene.gather.moments().shift()), y);
    const double room = scene.left - layout::kEdge / 2 - 7;
    fmt::format_to(std::back_inserter(out),
                   "<text class=\"right\" x=\"{}\" y=\"{}\"><title>{}</title>{}</text>\n",
                   px(scene.left - 7), px(y + 4), xml_text(series.label),
                   xml_text(fitted(series.label, room, 11)));
    y += frame.row;
  }
  painter.put(out, frame.row);
  Path between;
  for (size_t i = 1; i < panel.series.size(); ++i) {
    between.move(scene.left, frame.top + frame.row * static_cast<double>(i));
    between.line(scene.right(), frame.top + frame.row * static_cast<double>(i));
  }
  fmt::format_to(std::back_inserter(out), "<path class=\"rule\" d=\"{}\"/>\n", between.text());
}

}  // namespace pmjit
