#include <fmt/format.h>

#include <algorithm>

#include "runtime/report/plot/draw.h"
#include "runtime/report/plot/svg_text.h"

namespace pmjit {

namespace {

constexpr double kSample = 22, kLegendGap = 18, kLabelMax = 300, kSmallLabelMax = 120, kBox = 18;

// Puts things beside one another, and in the next row where there is no room.
class Rows {
 public:
  explicit Rows(const Frame& frame)
      : left_(frame.left), right_(frame.right()), x_(left_), y_(frame.top + 12) {}
  // Where `width` more goes.
  double place(double width) {
    if (x_ > left_ && x_ + width > right_) {
      x_ = left_;
      y_ += layout::kLegendRow;
    }
    const double at = x_;
    x_ += width;
    return at;
  }
  [[nodiscard]] double y() const { return y_; }
  [[nodiscard]] bool empty() const { return x_ == left_; }

 private:
  double left_, right_, x_, y_;
};

void put_lines_legend(std::string& out, const Panel& panel, size_t number, Rows& rows) {
  for (size_t i = 0; i < panel.series.size(); ++i) {
    if (panel.series[i].label.empty()) continue;  // the title says what it is
    const std::string label =
        fitted_middle(panel.series[i].label, panel.small ? kSmallLabelMax : kLabelMax, kSmallFont);
    const double x = rows.place(kSample + 6 + text_width(label, kSmallFont) + kLegendGap),
                 y = rows.y();
    fmt::format_to(std::back_inserter(out),
                   "<g class=\"key\" data-for=\"p{}s{}\"><title>{}</title>\n"
                   "<g class=\"{}\"><path class=\"l\" stroke-width=\"2\" d=\"M{} {}h{}\"/></g>\n",
                   number, i, xml_text(panel.series[i].full), line_classes(i), px(x), px(y - 4),
                   px(kSample));
    put_text(out, x + kSample + 6, y, "", label);
    out += "</g>\n";
  }
}

// A box of a colour, or of what stands for no value.
void put_box(std::string& out, std::string_view style, double x, double y) {
  fmt::format_to(std::back_inserter(out),
                 "<path class=\"{}\" stroke-width=\"10\" d=\"M{} {}h{}\"/>\n", style, px(x),
                 px(y - 4), px(kBox));
}

void put_named_box(std::string& out, std::string_view style, std::string_view name, Rows& rows) {
  const double x = rows.place(kBox + 6 + text_width(name, kSmallFont) + kLegendGap);
  put_box(out, style, x, rows.y());
  put_text(out, x + kBox + 6, rows.y(), "", name);
}

// A box that is hatched: `pattern` on what it lies on in the panel.
void put_hatched_box(std::string& out, std::string_view ground, std::string_view pattern,
                     std::string_view name, Rows& rows) {
  const double x = rows.place(kBox + 6 + text_width(name, kSmallFont) + kLegendGap);
  if (ground == "gap") {
    fmt::format_to(std::back_inserter(out),
                   "<rect class=\"gap\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"10\"/>\n", px(x),
                   px(rows.y() - 9), px(kBox));
  } else {
    put_box(out, ground, x, rows.y());
  }
  fmt::format_to(std::back_inserter(out),
                 "<rect fill=\"url(#{})\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"10\"/>\n",
                 pattern, px(x), px(rows.y() - 9), px(kBox));
  put_text(out, x + kBox + 6, rows.y(), "", name);
}

// "largest in 9 min 10 s", the colours with the values at their ends, the unit.
void put_scale(std::string& out, const Scene& scene, const Panel& panel, size_t number,
               bool switches, Rows& rows) {
  const bool several = scene.gather.moments().several_in_a_heat_cell();
  if (several && !switches) {
    const std::string what = "largest in " + cell_text(scene);
    put_text(out, rows.place(text_width(what, kSmallFont) + 12), rows.y(), "", what);
  } else if (several) {
    for (const std::string_view what : {"largest", "mean"}) {
      const std::string text = fmt::format("{} in {}", what, cell_text(scene));
      const double x = rows.place(text_width(text, kSmallFont) + 14);
      fmt::format_to(std::back_inserter(out),
                     "<g class=\"pick{}\" data-panel=\"{}\" data-show=\"{}\">",
                     what == "mean" ? " off" : "", number, what == "mean" ? "mean" : "most");
      put_text(out, x, rows.y(), "", text);
      out += "</g>\n";
    }
  }
  const std::string low = panel.axis.ticks.empty() ? "" : panel.axis.ticks.front().text;
  std::string high = panel.axis.ticks.empty() ? "" : panel.axis.ticks.back().text;
  high += panel.axis.units.empty() ? " (" + panel.units + ")" : " " + panel.units;
  const double width = text_width(low, kSmallFont) + text_width(high, kSmallFont) + 12 + kLegendGap;
  double x = rows.place(width + kBox * kHeatColours);
  put_text(out, x, rows.y(), " class=\"mute\"", low);
  x += text_width(low, kSmallFont) + 6;
  for (size_t i = 0; i < kHeatColours; ++i, x += kBox) {
    put_box(out, fmt::format("c{}", i), x, rows.y());
  }
  put_text(out, x + 6, rows.y(), " class=\"mute\"", high);
}

void put_missing(std::string& out, const Panel& panel, const LegendExtras& extras, Rows& rows) {
  if (extras.recording_crossed) {
    put_hatched_box(out, panel.kind == Panel::Kind::truth ? "t1" : "c5", "over",
                    extras.no_recording ? "no recording, values go on" : "no recording", rows);
  }
  if (extras.no_recording) put_hatched_box(out, "gap", "pause", "no recording", rows);
  if (extras.no_value) put_hatched_box(out, "gap", "hatch", "no value", rows);
}

}  // namespace

void put_missing_legend(std::string& out, const Panel& panel, const Frame& frame,
                        const LegendExtras& extras) {
  Rows rows(frame);
  put_missing(out, panel, extras, rows);
}

double put_legend(std::string& out, const Scene& scene, const Panel& panel, size_t number,
                  const Frame& frame, const LegendExtras& extras) {
  if (panel.series.empty()) return 0;
  Rows rows(frame);
  switch (panel.kind) {
    case Panel::Kind::lines: put_lines_legend(out, panel, number, rows); break;
    case Panel::Kind::truth:
      put_named_box(out, "t1", "true", rows);
      put_named_box(out, "t0", "false", rows);
      break;
    case Panel::Kind::heat: put_scale(out, scene, panel, number, extras.switches, rows); break;
  }
  put_missing(out, panel, extras, rows);
  return rows.empty() ? 0 : rows.y() - frame.top + 6;
}

}  // namespace pmjit
