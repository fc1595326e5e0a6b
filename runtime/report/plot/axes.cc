#include <fmt/format.h>

#include <algorithm>

#include "runtime/report/plot/axis.h"
#include "runtime/report/plot/draw.h"
#include "runtime/report/plot/svg_text.h"

namespace pmjit {

namespace {

constexpr size_t kTimeTicks = 9, kSmallTimeTicks = 4;

// "UTC", "Europe/Berlin (+01:00)": the zone, and how far it is ahead when the chart begins.
std::string zone_text(const Zone& zone, Stamp first) {
  const std::string time = iso_local(first, zone);
  const size_t sign = time.find_last_of("+-Z");
  const std::string offset = time.substr(sign);
  const std::string name = zone.name().value_or("local time");
  if (offset == "Z" || name.starts_with("UTC")) return offset == "Z" ? "UTC" : "UTC" + offset;
  return fmt::format("{} ({})", name, offset);
}

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
                 px(frame.left), px(frame.top), px(frame.width), px(frame.height));
  // The unit stands over its numbers, and begins before them where it is longer.
  const double outer = frame.left - (panel.small ? scene.small_left : frame.left - layout::kEdge);
  const bool fits = text_width(panel.units, kSmallFont) < frame.left - 7 - outer;
  put_text(out, fits ? frame.left - 7 : outer, frame.top - 7,
           fits ? " class=\"mute right\"" : " class=\"mute\"", panel.units);
  for (const ValueTick& tick : panel.axis.ticks) {
    const double y = frame.y(panel.axis.share(tick.value));
    put_line(out, "grid", frame.left, y, frame.right(), y);
    put_text(out, frame.left - 7, y + 4, " class=\"mute right\"", tick.text);
  }
}

void put_time_axis(std::string& out, const Scene& scene, const Panel& panel, const Frame& frame) {
  const Moments& moments = scene.gather.moments();
  const double bottom = frame.bottom();
  put_line(out, "axis", frame.left, bottom, frame.right(), bottom);
  if (moments.count() == 0) return;
  const Nanos start = nanos(moments.first());
  const auto ticks = time_ticks(moments.first(), stamp_from_nanos(start + scene.span()),
                                panel.small ? kSmallTimeTicks : kTimeTicks, scene.zone);
  // At the edges a label goes inwards rather than out of its place.
  const double leftmost = panel.small ? frame.left - scene.small_left : 0;
  const double rightmost = panel.small ? frame.right() : layout::kWidth;
  const auto put_centred = [&](double x, double below, const std::string& text) {
    const double half = text_width(text, kSmallFont) / 2;
    put_text(out, std::clamp(x, leftmost + half + 2, rightmost - half - 2), bottom + below,
             " class=\"mute mid\"", text);
  };
  const std::string zone = zone_text(scene.zone, moments.first());
  const double zone_left = frame.right() - text_width(zone, kSmallFont) - 8;
  double free_from = 0;  // of the line with dates
  for (const TimeTick& tick : ticks) {
    const double x = frame.x(scene.share(tick.time - start));
    put_line(out, "axis", x, bottom, x, bottom + 4);
    put_centred(x, 16, tick.text);
    const double half_date = text_width(tick.date, kSmallFont) / 2;
    if (tick.date.empty() || x - half_date < free_from) continue;
    if (x + half_date > zone_left && free_from > 0) continue;
    put_centred(x, 30, tick.date);
    free_from = std::max(x, leftmost + half_date) + half_date + 8;
  }
  if (free_from <= zone_left) {
    put_text(out, frame.right(), bottom + 30, " class=\"mute right\"", zone);
  }
}

}  // namespace pmjit
