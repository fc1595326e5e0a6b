#include <fmt/format.h>

#include <algorithm>

#include "runtime/report/plot/axis.h"
#include "runtime/report/plot/draw.h"
#include "runtime/report/plot/svg_text.h"

namespace pmjit {

namespace {

constexpr size_t kTimeTicks = 9;

void put_line(std::string& out, std::string_view style, double x1, double y1, double x2,
              double y2) {
  fmt::format_to(std::back_inserter(out), "<path class=\"{}\" d=\"M{} {}L{} {}\"/>\n", style,
                 px(x1), px(y1), px(x2), px(y2));
}

}  // namespace

void put_text(std::string& out, double x, double y, std::string_view attributes,
              std::string_view text) {
  fmt::format_to(std::back_inserter(out), "<text x=\"{}\" y=\"{}\"{}>{}</text>\n", px(x), px(y),
                 attributes, xml_text(text));
}

void put_value_axis(std::string& out, const Scene& scene, const Panel& panel, const Frame& frame) {
  fmt::format_to(std::back_inserter(out),
                 "<rect class=\"plot\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                 px(scene.left), px(frame.top), px(scene.right() - scene.left), px(frame.height));
  for (const ValueTick& tick : panel.axis.ticks) {
    const double y = frame.y(panel.axis.share(tick.value));
    put_line(out, "grid", scene.left, y, scene.right(), y);
    put_text(out, scene.left - 7, y + 4, " class=\"mute right\"", tick.text);
  }
}

void put_time_axis(std::string& out, Scene& scene, const Frame& frame) {
  const Moments& moments = scene.gather.moments();
  const double bottom = frame.top + frame.height;
  put_line(out, "axis", scene.left, bottom, scene.right(), bottom);
  if (moments.count() == 0) return;
  const Nanos start = nanos(moments.first());
  const auto ticks =
      time_ticks(moments.first(), stamp_from_nanos(start + scene.span()), kTimeTicks, scene.zone);
  double free_from = 0;  // of the line with dates
  for (const TimeTick& tick : ticks) {
    const double x = scene.x(tick.time - start);
    put_line(out, "axis", x, bottom, x, bottom + 4);
    // At the edges a label goes inwards rather than out of the picture.
    const double half = text_width(tick.text, kSmallFont) / 2;
    put_text(out, std::clamp(x, half + 2, layout::kWidth - half - 2), bottom + 16,
             " class=\"mute mid\"", tick.text);
    const double half_date = text_width(tick.date, kSmallFont) / 2;
    if (tick.date.empty() || x - half_date < free_from) continue;
    put_text(out, std::clamp(x, half_date + 2, layout::kWidth - half_date - 2), bottom + 30,
             " class=\"mute mid\"", tick.date);
    free_from = x + half_date + 8;
  }
}

}  // namespace pmjit
