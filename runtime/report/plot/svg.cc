#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "runtime/report/plot/draw.h"
#include "runtime/report/plot/svg_text.h"
#include "runtime/report/text/human_text.h"
#include "runtime/text/zone.h"

namespace pmjit {

namespace {

constexpr std::string_view kNamespace = "http://www.w3.org/2000/svg";

std::string times_text(Scene& scene) {
  const Moments& moments = scene.gather.moments();
  if (moments.count() == 0) return "no times";
  const std::string first = iso_local(moments.first(), scene.zone);
  if (moments.count() == 1) return first + ", 1 time";
  return fmt::format("{} … {}, {}, {} times", first, iso_local(moments.last(), scene.zone),
                     human_duration(seconds_between(moments.last(), moments.first())),
                     moments.count());
}

std::string_view kind_text(Panel::Kind kind) {
  switch (kind) {
    case Panel::Kind::lines: return "lines";
    case Panel::Kind::heat: return "a heat map";
    case Panel::Kind::truth: return "bands of true and false";
  }
  return "";
}

// For who cannot see it: what the panels have, and the range of each.
std::string description(Scene& scene) {
  std::string out = "Values over time, " + times_text(scene) + ".";
  for (const Panel& panel : scene.panels) {
    out += fmt::format(" {}: {}", panel.title, kind_text(panel.kind));
    if (!panel.units.empty()) out += " in " + panel.units;
    if (panel.kind != Panel::Kind::truth && !panel.axis.ticks.empty()) {
      out += fmt::format(" from {} to {}", panel.axis.ticks.front().text,
                         panel.axis.ticks.back().text);
    }
    out += fmt::format(", {} series.", panel.series.size());
  }
  return out;
}

double row_height(size_t rows) {
  if (rows <= 12) return 18;
  return rows <= 24 ? 15 : 12;
}

// The panel from `top` on; returns where the next one goes.
double put_panel(std::string& out, Scene& scene, size_t number, double top) {
  const Panel& panel = scene.panels[number];
  out += "<g class=\"panel\">\n";
  const std::string title = fitted(panel.title, scene.right() - scene.left - 140, 13);
  fmt::format_to(std::back_inserter(out),
                 "<text class=\"title\" x=\"{}\" y=\"{}\"><title>{}</title>{}"
                 "<tspan class=\"mute unit\" dx=\"8\">{}</tspan></text>\n",
                 px(scene.left), px(top + 13), xml_text(panel.title), xml_text(title),
                 xml_text(panel.units));
  top += layout::kTitle;
  top += put_legend(out, scene, panel, number, top) + 6;
  Frame frame{.top = top, .height = layout::kPlot};
  if (panel.kind == Panel::Kind::lines) {
    put_value_axis(out, scene, panel, frame);
    put_lines(out, scene, panel, number, frame);
  } else {
    frame.row = row_height(panel.series.size());
    frame.height = frame.row * std::max(1.0, double(panel.series.size()));
    put_heat(out, scene, panel, frame);
  }
  put_time_axis(out, scene, frame);
  fmt::format_to(std::back_inserter(out),
                 "<rect class=\"hit\" data-panel=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" "
                 "height=\"{}\"/>\n",
                 number, px(scene.left), px(frame.top), px(scene.right() - scene.left),
                 px(frame.height));
  scene.frames.push_back(frame);
  top += frame.height + layout::kAxis;
  for (const std::string& note : panel.notes) {
    put_text(out, scene.left, top + 11, " class=\"mute\"", note);
    top += layout::kNote;
  }
  out += "</g>\n";
  return top + layout::kBetween;
}

std::string footer_text(const Scene& scene) {
  std::string out = "pmjit eval";
  const uint32_t shift = scene.gather.moments().shift();
  const Moments& moments = scene.gather.moments();
  if (moments.several_in_a_cell()) {
    out += fmt::format(", lines through the first, least, largest and last value of every {}",
                       human_duration(std::ldexp(1e-9, int(shift))));
  }
  if (const size_t more = scene.gather.results_left_out(); more > 0) {
    out += fmt::format("; {} more results are not drawn: csv and json have them all", more);
  }
  return out;
}

constexpr std::string_view kHatch =
    "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
    "<path class=\"hatch\" d=\"M-1 7 7-1M-1 1 1-1M5 7 7 5\"/></pattern></defs>\n";

}  // namespace

namespace {

std::string hosts_text(const Schema& schema) {
  return schema.several_hosts() ? fmt::format("{}", fmt::join(schema.hosts, ", ")) : schema.host;
}

}  // namespace

std::string title_text(const Scene& scene) {
  std::string names;
  for (const Panel& panel : scene.panels) names += (names.empty() ? "" : ", ") + panel.title;
  return hosts_text(scene.schema) + ": " + names;
}

std::string svg_text(Scene& scene, bool in_page) {
  std::string body;
  put_text(body, layout::kEdge, 28, " class=\"head\"", fitted(hosts_text(scene.schema), 900, 18));
  put_text(body, layout::kEdge, 46, " class=\"mute\"", times_text(scene));
  double top = layout::kHeader;
  for (size_t i = 0; i < scene.panels.size(); ++i) top = put_panel(body, scene, i, top);
  put_text(body, layout::kEdge, top, " class=\"mute\"", footer_text(scene));
  const double height = top + layout::kFooter / 2;
  std::string out = fmt::format(
      "<svg xmlns=\"{}\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"{}\" "
      "aria-labelledby=\"chart-title chart-desc\">\n"
      "<title id=\"chart-title\">{}</title>\n<desc id=\"chart-desc\">{}</desc>\n",
      kNamespace, px(layout::kWidth), px(height), px(layout::kWidth), px(height),
      in_page ? "group" : "img", xml_text(title_text(scene)), xml_text(description(scene)));
  if (!in_page) out += "<style>\n" + style_text() + "</style>\n";
  out += kHatch;
  out += fmt::format("<rect class=\"page\" width=\"{}\" height=\"{}\"/>\n", px(layout::kWidth),
                     px(height));
  return out + body + "</svg>\n";
}

}  // namespace pmjit
