// The rows of a heat map, or of truth values: for each colour one path of short horizontal strokes.
// Cells without a value show the hatched ground, and pauses theirs. A page has the means as well,
// and shows either.
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
  HeatPainter(const Scene& scene, const Panel& panel, const Frame& frame, bool means)
      : scene_(scene), panel_(panel), frame_(frame), means_(means) {}

  void add_row(const Buckets<HeatCell, kHeatCells>& cells, double y) {
    std::optional<size_t> colour;
    Nanos from = 0, to = 0;
    const auto put = [&] {
      if (!colour) return;
      paths_[*colour].move(frame_.x(scene_.share(from)), y);
      paths_[*colour].line(frame_.x(scene_.share(to)), y);
    };
    for (const HeatSpan& span : scene_.heat_spans) {
      const HeatCell& cell = cells[span.cell];
      const double value = means_ ? cell.mean() : cell.most;
      const auto next = cell.any() ? std::optional(colour_of(panel_, value)) : std::nullopt;
      if (next != colour || span.from != to) {
        put();
        from = span.from;
        colour = next;
      }
      to = span.to;
    }
    put();
  }

  // `attributes` of the group, with a blank before each.
  void put(std::string& out, std::string_view attributes) const {
    const char letter = panel_.kind == Panel::Kind::truth ? 't' : 'c';
    fmt::format_to(std::back_inserter(out), "<g class=\"heat\" stroke-width=\"{}\"{}>\n",
                   px(frame_.row), attributes);
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
  const Frame& frame_;
  bool means_;
  std::array<Path, kHeatColours> paths_;
};

void put_row_names(std::string& out, const Panel& panel, const Frame& frame) {
  const double room = frame.left - layout::kEdge / 2 - 7;
  double y = frame.top + frame.row / 2;
  for (const PanelSeries& series : panel.series) {
    fmt::format_to(std::back_inserter(out),
                   "<text class=\"right\" x=\"{}\" y=\"{}\"><title>{}</title>{}</text>\n",
                   px(frame.left - 7), px(y + 4), xml_text(series.label),
                   xml_text(fitted_middle(series.label, room, kSmallFont)));
    y += frame.row;
  }
}

void put_rows(std::string& out, const Scene& scene, const Panel& panel, const Frame& frame,
              bool means, std::string_view attributes) {
  HeatPainter painter(scene, panel, frame, means);
  double y = frame.top + frame.row / 2;
  for (const PanelSeries& series : panel.series) {
    HeatSeries& row = scene.gather.results()[series.result].rows[series.lane];
    painter.add_row(row.cells(scene.gather.moments().shift()), y);
    y += frame.row;
  }
  painter.put(out, attributes);
}

}  // namespace

void put_heat(std::string& out, const Scene& scene, const Panel& panel, size_t number,
              const Frame& frame, bool in_page) {
  for (const std::string_view style : {"class=\"gap\"", "fill=\"url(#hatch)\""}) {
    fmt::format_to(std::back_inserter(out),
                   "<rect {} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", style,
                   px(frame.left), px(frame.top), px(frame.width), px(frame.height));
  }
  const std::vector<ChartSpan> empty = empty_pauses(scene, panel);
  for (const std::string_view style : {"class=\"gap\"", "fill=\"url(#pause)\""}) {
    put_spans(out, scene, frame, empty, style);
  }
  put_row_names(out, panel, frame);
  const bool both =
      in_page && panel.kind == Panel::Kind::heat && scene.gather.moments().several_in_a_heat_cell();
  put_rows(out, scene, panel, frame, false, both ? fmt::format(" id=\"p{}most\"", number) : "");
  if (both) {
    put_rows(out, scene, panel, frame, true,
             fmt::format(" id=\"p{}mean\" style=\"display:none\"", number));
  }
  put_pauses_over(out, scene, frame, crossed_pauses(scene, panel));
  Path between;
  for (size_t i = 1; i < panel.series.size(); ++i) {
    const double y = frame.top + frame.row * static_cast<double>(i);
    between.move(frame.left, y);
    between.line(frame.right(), y);
  }
  fmt::format_to(std::back_inserter(out), "<path class=\"rule\" d=\"{}\"/>\n", between.text());
}

}  // namespace pmjit
