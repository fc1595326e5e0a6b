// Time without values: the stretches in which no line of a panel is, and how they, pauses and marks
// are drawn.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/report/plot/draw.h"
#include "runtime/report/plot/svg_text.h"

namespace pmjit {

namespace {

constexpr double kNarrowest = 1;  // pixels: what is shorter still shows
constexpr double kStrip = 13;     // of one host's pauses

// Of a cell of time: is there a line, and does one come from the cell before?
struct Coverage {
  bool any = false, joined = false;
};

std::vector<Coverage> coverage_of(Scene& scene, const Panel& panel) {
  std::vector<Coverage> out(scene.cells.size());
  for (const PanelSeries& series : panel.series) {
    LineSeries& line = scene.gather.results()[series.result].lines[series.lane];
    const auto& cells = line.cells(scene.gather.moments().shift());
    for (size_t i = 0; i < out.size(); ++i) {
      const LineCell& cell = cells[i];
      out[i].any = out[i].any || cell.any || cell.above || cell.below;
      out[i].joined = out[i].joined || (cell.any && cell.joined);
    }
  }
  return out;
}

// The stretch without the pauses, which are in order.
void add_without(std::vector<ChartSpan>& out, ChartSpan blank,
                 const std::vector<ChartSpan>& pauses) {
  for (const ChartSpan& pause : pauses) {
    if (pause.to <= blank.from) continue;
    if (pause.from >= blank.to) break;
    if (pause.from > blank.from) out.push_back({.from = blank.from, .to = pause.from});
    blank.from = std::min(pause.to, blank.to);
  }
  if (blank.from < blank.to) out.push_back(blank);
}

}  // namespace

std::vector<ChartSpan> blanks_of(Scene& scene, const Panel& panel) {
  const std::vector<Coverage> covered = coverage_of(scene, panel);
  std::vector<ChartSpan> blanks;
  const auto add = [&](Nanos from, Nanos to) {
    if (from >= to) return;
    if (!blanks.empty() && blanks.back().to == from) {
      blanks.back().to = to;
    } else {
      blanks.push_back({.from = from, .to = to});
    }
  };
  Nanos before = 0;
  for (size_t i = 0; i < scene.cells.size(); ++i) {
    const TimeCell& time = scene.cells[i];
    if (!time.any) continue;
    if (!covered[i].joined) add(before, time.first);
    if (!covered[i].any) add(time.first, time.last);
    before = time.last;
  }
  std::vector<ChartSpan> out;
  for (const ChartSpan& blank : blanks) add_without(out, blank, panel.pauses);
  return out;
}

void put_spans(std::string& out, const Scene& scene, const Frame& frame,
               const std::vector<ChartSpan>& spans, std::string_view attributes) {
  if (spans.empty()) return;
  Path path;
  for (const ChartSpan& span : spans) {
    const double from = frame.x(scene.share(span.from));
    const double to = std::max(frame.x(scene.share(span.to)), from + kNarrowest);
    path.move(from, frame.top);
    path.line(to, frame.top);
    path.line(to, frame.bottom());
    path.line(from, frame.bottom());
    path.close();
  }
  fmt::format_to(std::back_inserter(out), "<path {} d=\"{}\"/>\n", attributes, path.text());
}

// Each below the other, with the name where it has room.
void put_strips(std::string& out, const Scene& scene, const Frame& frame, const Panel& panel) {
  Frame strip = frame;
  strip.height = kStrip;
  for (const HostStrip& each : panel.strips) {
    put_spans(out, scene, strip, each.pauses, "fill=\"url(#pause)\"");
    const double width = text_width(each.host, kSmallFont);
    for (const ChartSpan& pause : each.pauses) {
      const double from = strip.x(scene.share(pause.from)), to = strip.x(scene.share(pause.to));
      if (to - from < width + 8) continue;
      const double middle = (from + to) / 2;
      fmt::format_to(std::back_inserter(out),
                     "<rect class=\"page\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                     px(middle - width / 2 - 2), px(strip.top), px(width + 4), px(kStrip));
      put_text(out, middle, strip.top + 10, " class=\"mute\" text-anchor=\"middle\"", each.host);
    }
    strip.top += kStrip + 2;
  }
}

namespace {

bool has_value(const Scene& scene, const Panel& panel, size_t cell) {
  return std::ranges::any_of(panel.series, [&](const PanelSeries& series) {
    HeatSeries& row = scene.gather.results()[series.result].rows[series.lane];
    return row.cells(scene.gather.moments().shift())[cell].any();
  });
}

}  // namespace

// Values that an interpolation made within it, or that stand from one end to the other.
std::vector<ChartSpan> crossed_pauses(const Scene& scene, const Panel& panel) {
  std::vector<ChartSpan> out;
  if (!scene.pauses_given) return out;
  for (const ChartSpan& pause : panel.pauses) {
    const bool crossed = std::ranges::any_of(scene.heat_spans, [&](const HeatSpan& span) {
      const bool begins_in_it = span.from > pause.from && span.from < pause.to;
      const bool goes_through = span.from <= pause.from && span.to >= pause.to;
      return (begins_in_it || goes_through) && has_value(scene, panel, span.cell);
    });
    if (crossed) out.push_back(pause);
  }
  return out;
}

std::vector<ChartSpan> empty_pauses(const Scene& scene, const Panel& panel) {
  const std::vector<ChartSpan> crossed = crossed_pauses(scene, panel);
  std::vector<ChartSpan> out = panel.pauses;
  std::erase_if(out, [&](const ChartSpan& pause) {
    return std::ranges::any_of(crossed,
                               [&](const ChartSpan& one) { return one.from == pause.from; });
  });
  return out;
}

void put_pauses_over(std::string& out, const Scene& scene, const Frame& frame,
                     const std::vector<ChartSpan>& pauses) {
  if (pauses.empty()) return;
  put_spans(out, scene, frame, pauses, "fill=\"url(#over)\"");
  Path edges;
  for (const ChartSpan& pause : pauses) {
    for (const Nanos at : {pause.from, pause.to}) {
      edges.move(frame.x(scene.share(at)), frame.top - 3);
      edges.line(frame.x(scene.share(at)), frame.bottom());
    }
  }
  fmt::format_to(std::back_inserter(out), "<path class=\"edge\" d=\"{}\"/>\n", edges.text());
}

}  // namespace pmjit
