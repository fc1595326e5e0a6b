#include "runtime/report/plot/scene.h"

#include <algorithm>

#include "runtime/report/plot/text.h"

namespace pmjit {

namespace {

constexpr Nanos kSecond = 1'000'000'000;

double room_for_values(const Panel& panel) {
  double room = 0;
  if (panel.kind == Panel::Kind::lines) {
    for (const ValueTick& tick : panel.axis.ticks) room = std::max(room, text_width(tick.text, 11));
  } else {
    for (const PanelSeries& row : panel.series) room = std::max(room, text_width(row.label, 11));
  }
  return room;
}

}  // namespace

Scene::Scene(const Schema& what, Gather& from, const Zone& in)
    : schema(what), gather(from), zone(in), panels(panels_of(from)), cells(from.moments().cells()) {
  span_ = nanos(from.moments().last()) - nanos(from.moments().first());
  find_heat_spans();
  const bool heat = std::ranges::any_of(
      panels, [](const Panel& panel) { return panel.kind != Panel::Kind::lines; });
  if (heat && !heat_spans.empty()) span_ = std::max(span_, heat_spans.back().to);
  double room = 0;
  for (const Panel& panel : panels) room = std::max(room, room_for_values(panel));
  left = std::clamp(layout::kEdge + room + 10, layout::kLeftMin, layout::kLeftMax);
}

double Scene::x(Nanos since_first) const {
  const double share =
      span_ > 0 ? static_cast<double>(since_first) / static_cast<double>(span_) : 0.5;
  return left + share * (right() - left);
}

// A value stands until the next time, or as long as the one before did where there is no next.
void Scene::find_heat_spans() {
  const std::vector<TimeCell> times = gather.moments().heat_cells();
  const Nanos alone = span_ > 0 ? std::max<Nanos>(span_ / 100, 1) : kSecond;
  for (size_t i = 0; i < times.size(); ++i) {
    if (!times[i].any) continue;
    if (!heat_spans.empty() && !times[i].broken) heat_spans.back().to = times[i].first;
    const Nanos step = times[i].step != 0 ? times[i].step : alone;
    heat_spans.push_back({.cell = i, .from = times[i].first, .to = times[i].last + step});
  }
  for (size_t i = 1; i < heat_spans.size(); ++i) {
    heat_spans[i - 1].to = std::min(heat_spans[i - 1].to, heat_spans[i].from);
  }
}

}  // namespace pmjit
