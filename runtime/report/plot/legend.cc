#include <fmt/format.h>

#include <algorithm>

#include "runtime/report/plot/draw.h"
#include "runtime/report/plot/svg_text.h"

namespace pmjit {

namespace {

constexpr double kSample = 22, kLegendGap = 18, kLabelMax = 300, kBox = 18;

// Puts things beside one another, and in the next row where there is no room.
class Rows {
 public:
  Rows(const Scene& scene, double top)
      : left_(scene.left), right_(scene.right()), x_(left_), y_(top) {}
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

 private:
  double left_, right_, x_, y_;
};

void put_lines_legend(std::string& out, const Panel& panel, size_t number, Rows& rows) {
  for (size_t i = 0; i < panel.series.size(); ++i) {
    const std::string label = fitted(panel.series[i].label, kLabelMax, kSmallFont);
    const double x = rows.place(kSample + 6 + text_width(label, kSmallFont) + kLegendGap),
                 y = rows.y();
    fmt::format_to(std::back_inserter(out),
                   "<g class=\"key\" data-for=\"p{}s{}\"><title>{}</title>\n"
                   "<g class=\"{}\"><path class=\"l\" stroke-width=\"2\" d=\"M{} {}h{}\"/></g>\n",
                   number, i, xml_text(panel.series[i].label), line_classes(i), px(x), px(y - 4),
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

void put_no_value(std::string& out, Rows& rows) {
  constexpr std::string_view kName = "no value";
  const double x = rows.place(kBox + 6 + text_width(kName, kSmallFont) + kLegendGap);
  for (const std::string_view style : {"class=\"gap\"", "fill=\"url(#hatch)\""}) {
    fmt::format_to(std::back_inserter(out),
                   "<rect {} x=\"{}\" y=\"{}\" width=\"{}\" height=\"10\"/>\n", style, px(x),
                   px(rows.y() - 9), px(kBox));
  }
  put_text(out, x + kBox + 6, rows.y(), "", kName);
}

void put_scale(std::string& out, const Panel& panel, Rows& rows) {
  const std::string low = panel.axis.ticks.empty() ? "" : panel.axis.ticks.front().text;
  const std::string high = panel.axis.ticks.empty() ? "" : panel.axis.ticks.back().text;
  const double width = text_width(low, kSmallFont) + text_width(high, kSmallFont) + 12 + kLegendGap;
  double x = rows.place(width + kBox * kHeatColours);
  put_text(out, x, rows.y(), " class=\"mute\"", low);
  x += text_width(low, kSmallFont) + 6;
  for (size_t i = 0; i < kHeatColours; ++i, x += kBox) {
    put_box(out, fmt::format("c{}", i), x, rows.y());
  }
  put_text(out, x + 6, rows.y(), " class=\"mute\"", high);
}

}  // namespace

double put_legend(std::string& out, const Scene& scene, const Panel& panel, size_t number,
                  double top) {
  if (panel.series.empty()) return 0;
  Rows rows(scene, top + 12);
  switch (panel.kind) {
    case Panel::Kind::lines:
      // The title says what a single line is.
      if (panel.series.size() == 1 && panel.series[0].label == panel.title) return 0;
      put_lines_legend(out, panel, number, rows);
      break;
    case Panel::Kind::truth:
      put_named_box(out, "t1", "true", rows);
      put_named_box(out, "t0", "false", rows);
      put_no_value(out, rows);
      break;
    case Panel::Kind::heat:
      put_scale(out, panel, rows);
      put_no_value(out, rows);
      break;
  }
  return rows.y() - top + 6;
}

}  // namespace pmjit
