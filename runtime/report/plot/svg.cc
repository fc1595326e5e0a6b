#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "runtime/report/plot/draw.h"
#include "runtime/report/plot/panel_texts.h"
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

// The picture as it grows downwards: panels of the whole width, or three small ones in a row.
class PanelStack {
 public:
  PanelStack(std::string& out, Scene& scene, bool in_page)
      : out_(out), scene_(scene), in_page_(in_page) {}

  void add(size_t number) {
    const Panel& panel = scene_.panels[number];
    if (!panel.small || !panel.head.empty() || column_ == layout::kColumns) end_row();
    if (!panel.head.empty()) put_head(number);
    out_ += "<g class=\"panel\">\n";
    Frame frame = panel.small ? small_frame() : wide_frame();
    put_title(panel, frame);
    frame.top += layout::kTitle;
    put_body(panel, number, frame);
    out_ += "</g>\n";
    scene_.frames.push_back(frame);
    bottom_ = std::max(bottom_, frame.bottom() + layout::kAxis);
    ++column_;
    if (!panel.small || !panel.notes.empty()) end_row();
    put_notes(panel.notes, panel.small ? layout::kEdge : frame.left);
  }
  // Returns where what follows goes.
  double end() {
    end_row();
    if (!scene_.notes.empty()) {
      put_notes(scene_.notes, layout::kEdge);
      top_ += 8;
    }
    return top_;
  }

 private:
  void end_row() {
    if (column_ > 0) top_ = bottom_ + layout::kBetween;
    column_ = 0;
    bottom_ = top_;
  }

  [[nodiscard]] Frame wide_frame() const {
    return {.left = scene_.left,
            .width = layout::kWidth - layout::kEdge - scene_.left,
            .top = top_,
            .height = layout::kPlot};
  }
  [[nodiscard]] Frame small_frame() const {
    constexpr double kAll = layout::kWidth - 2 * layout::kEdge;
    constexpr double kColumn =
        (kAll - layout::kColumnGap * (layout::kColumns - 1)) / layout::kColumns;
    const double outer =
        layout::kEdge + static_cast<double>(column_) * (kColumn + layout::kColumnGap);
    return {.left = outer + scene_.small_left,
            .width = kColumn - scene_.small_left,
            .top = top_,
            .height = layout::kSmallPlot};
  }

  // The name of a group of small panels, and how they compare.
  void put_head(size_t number) {
    size_t end = number + 1;
    while (end < scene_.panels.size() && scene_.panels[end].small &&
           scene_.panels[end].head.empty()) {
      ++end;
    }
    LegendExtras extras;
    for (size_t i = number; i < end; ++i) {
      extras.no_recording = extras.no_recording || !scene_.panels[i].pauses.empty();
      extras.no_value = extras.no_value || !blanks_of(scene_, scene_.panels[i]).empty();
    }
    const bool one_result =
        scene_.panels[number].series.front().result == scene_.panels[end - 1].series.front().result;
    const std::string head = fitted_middle(scene_.panels[number].head, 500, 13);
    const std::string what =
        fmt::format("{} {}", end - number,
                    one_result ? "instances, one scale" : "metrics, each with its own scale");
    fmt::format_to(std::back_inserter(out_),
                   "<text class=\"title\" x=\"{}\" y=\"{}\">{}"
                   "<tspan class=\"mute unit\" dx=\"8\">{}</tspan></text>\n",
                   px(layout::kEdge), px(top_ + 13), xml_text(head), what);
    put_missing_legend(
        out_, scene_.panels[number],
        {.left = layout::kEdge + 1.15 * text_width(head, 13) + text_width(what, kSmallFont) + 32,
         .width = layout::kWidth,
         .top = top_ + 1},
        extras);
    top_ += layout::kTitle + 4;
    bottom_ = top_;
  }

  void put_title(const Panel& panel, const Frame& frame) {
    const double room = panel.small ? frame.width : frame.width - 20;
    const double size = panel.small ? kSmallFont : 13;
    const bool one = panel.small && panel.series.size() == 1;
    fmt::format_to(std::back_inserter(out_),
                   "<text class=\"{}\" x=\"{}\" y=\"{}\"><title>{}</title>{}</text>\n",
                   panel.small ? "small" : "title", px(frame.left), px(frame.top + 13),
                   xml_text(one ? panel.series[0].full : panel.title),
                   xml_text(fitted_middle(panel.title, room, size)));
  }

  // Legend, axes and values; the frame becomes that of the values.
  void put_body(const Panel& panel, size_t number, Frame& frame) {
    const bool lines = panel.kind == Panel::Kind::lines;
    const std::vector<ChartSpan> blanks =
        lines ? blanks_of(scene_, panel) : std::vector<ChartSpan>();
    const bool paused = lines ? !panel.pauses.empty() || !panel.strips.empty()
                              : !empty_pauses(scene_, panel).empty();
    const bool crossed = !lines && !crossed_pauses(scene_, panel).empty();
    frame.top += put_legend(out_, scene_, panel, number, frame,
                            {.no_value = !panel.small && (!lines || !blanks.empty()),
                             .no_recording = !panel.small && paused,
                             .recording_crossed = !panel.small && crossed,
                             .switches = in_page_});
    if (lines) {
      frame.top += layout::kUnit;
      put_value_axis(out_, scene_, panel, frame);
      if (!panel.series.empty()) {
        put_spans(out_, scene_, frame, blanks, "fill=\"url(#hatch)\"");
        put_spans(out_, scene_, frame, panel.pauses, "fill=\"url(#pause)\"");
        put_strips(out_, scene_, frame, panel);
      }
      put_lines(out_, scene_, panel, number, frame);
    } else {
      frame.top += 6;
      frame.row = row_height(panel.series.size());
      frame.height = frame.row * std::max(1.0, double(panel.series.size()));
      put_heat(out_, scene_, panel, number, frame, in_page_);
    }
    put_time_axis(out_, scene_, panel, frame);
    fmt::format_to(std::back_inserter(out_),
                   "<rect class=\"hit\" data-panel=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" "
                   "height=\"{}\"/>\n",
                   number, px(frame.left), px(frame.top), px(frame.width), px(frame.height));
  }

  // Below the row that has just ended, closer than the next one.
  void put_notes(const std::vector<std::string>& notes, double left) {
    if (notes.empty()) return;
    double y = top_ - layout::kBetween + 4;
    for (const std::string& note : notes) {
      const std::string shown = fitted(note, layout::kWidth - layout::kEdge - left, kSmallFont);
      fmt::format_to(std::back_inserter(out_),
                     "<text class=\"mute\" x=\"{}\" y=\"{}\"><title>{}</title>{}</text>\n",
                     px(left), px(y + 11), xml_text(note), xml_text(shown));
      y += layout::kNote;
      top_ += layout::kNote;
    }
    top_ += 4;
    bottom_ = top_;
  }

  std::string& out_;
  Scene& scene_;
  bool in_page_;
  double top_ = layout::kHeader, bottom_ = layout::kHeader;
  size_t column_ = 0;  // the next one of a row of small panels
};

std::string footer_text(const Scene& scene) {
  std::string out = "pmjit eval";
  const Moments& moments = scene.gather.moments();
  if (scene.has(Panel::Kind::lines) && scene.bands) {
    out += fmt::format("; bands from the least to the largest value of every {}, lines: their mean",
                       cell_text(scene));
  } else if (scene.has(Panel::Kind::lines) && moments.several_in_a_cell()) {
    out += fmt::format("; lines through the first, least, largest and last value of every {}",
                       human_duration(std::ldexp(1e-9, int(moments.shift()))));
  }
  if (const size_t more = scene.gather.results_left_out(); more > 0) {
    out += fmt::format("; {} more results are not drawn: csv and json have them all", more);
  }
  return out;
}

// The area of each pattern has a ground of its own, but for what lies over values.
constexpr std::string_view kPatterns =
    "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
    "<path class=\"hatch\" d=\"M-1 7 7-1M-1 1 1-1M5 7 7 5\"/></pattern>\n"
    "<pattern id=\"pause\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\">"
    "<rect class=\"ground\" width=\"5\" height=\"5\"/>"
    "<path class=\"pausing\" d=\"M-1-1 6 6M-1 4 1 6M4-1 6 1\"/></pattern>\n"
    "<pattern id=\"over\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\">"
    "<path class=\"over\" d=\"M-1-1 8 8M-1 6 1 8M6-1 8 1\"/></pattern></defs>\n";

bool has_rates(Scene& scene) {
  return std::ranges::any_of(scene.gather.results(), [](const Gathered& each) {
    return each.known > 0 && series_name(each.info).is_rate;
  });
}

std::string hosts_text(const Schema& schema) {
  return schema.several_hosts() ? fmt::format("{}", fmt::join(schema.hosts, ", ")) : schema.host;
}

}  // namespace

std::string cell_text(const Scene& scene) {
  return human_duration(std::ldexp(1e-9, int(scene.gather.moments().shift() + kHeatShift)));
}

std::string title_text(const Scene& scene) {
  std::string names;
  for (const Panel& panel : scene.panels) {
    if (panel.small && panel.head.empty()) continue;
    names += (names.empty() ? "" : ", ") + (panel.small ? panel.head : panel.title);
  }
  return hosts_text(scene.schema) + ": " + names;
}

std::string svg_text(Scene& scene, bool in_page) {
  std::string body;
  put_text(body, layout::kEdge, 28, " class=\"head\"", fitted(hosts_text(scene.schema), 900, 18));
  put_text(body, layout::kEdge, 46, " class=\"mute\"",
           times_text(scene) + (has_rates(scene) ? "; rates per second" : ""));
  PanelStack stack(body, scene, in_page);
  for (size_t i = 0; i < scene.panels.size(); ++i) stack.add(i);
  const double top = stack.end();
  put_text(body, layout::kEdge, top, " class=\"mute\"", footer_text(scene));
  const double height = top + layout::kFooter / 2;
  std::string out = fmt::format(
      "<svg xmlns=\"{}\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"{}\" "
      "aria-labelledby=\"chart-title chart-desc\">\n"
      "<title id=\"chart-title\">{}</title>\n<desc id=\"chart-desc\">{}</desc>\n",
      kNamespace, px(layout::kWidth), px(height), px(layout::kWidth), px(height),
      in_page ? "group" : "img", xml_text(title_text(scene)), xml_text(description(scene)));
  if (!in_page) out += "<style>\n" + style_text() + "</style>\n";
  out += kPatterns;
  out += fmt::format("<rect class=\"page\" width=\"{}\" height=\"{}\"/>\n", px(layout::kWidth),
                     px(height));
  return out + body + "</svg>\n";
}

}  // namespace pmjit
