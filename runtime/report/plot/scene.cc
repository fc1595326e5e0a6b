#include "runtime/report/plot/scene.h"

#include <algorithm>

#include "runtime/report/plot/svg_text.h"

namespace pmjit {

namespace {

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

Scene::Scene(const Schema& what, Gather& from, const Zone& in, const ChartFacts& facts)
    : schema(what),
      gather(from),
      zone(in),
      panels(panels_of(from, facts)),
      notes(notes_of_absent(from, facts)),
      cells(from.moments().cells()),
      on_grid(facts.pauses.has_value()),
      bands(from.moments().dense()) {
  span_ = nanos(from.moments().last()) - nanos(from.moments().first());
  find_heat_spans();
  if ((has(Panel::Kind::heat) || has(Panel::Kind::truth)) && !heat_spans.empty()) {
    span_ = std::max(span_, heat_spans.back().to);
  }
  find_pauses(facts);
  double room = 0, small_room = 0;
  for (const Panel& panel : panels) {
    double& most = panel.small ? small_room : room;
    most = std::max(most, room_for_values(panel));
  }
  left = std::clamp(layout::kEdge + room + 10, layout::kLeftMin, layout::kLeftMax);
  small_left = std::max(layout::kSmallLeftMin, small_room + 10);
}

bool Scene::has(Panel::Kind kind) const {
  return std::ranges::any_of(panels, [&](const Panel& panel) { return panel.kind == kind; });
}

double Scene::share(Nanos since_first) const {
  return span_ > 0 ? static_cast<double>(since_first) / static_cast<double>(span_) : 0.5;
}

// A value stands until the next time, or as long as the one before did where there is no next.
void Scene::find_heat_spans() {
  const std::vector<TimeCell> times = gather.moments().heat_cells();
  const Nanos alone = span_ > 0 ? std::max<Nanos>(span_ / 100, 1) : Nanos{1'000'000'000};
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

// Of a grid those of the recording, else those between recorded times.
void Scene::find_pauses(const ChartFacts& facts) {
  if (!facts.pauses) {
    // What seemed long at the beginning may be usual.
    PauseWatch usual;
    for (const TimeCell& cell : cells) {
      if (cell.any && cell.step > 0) usual.remember(cell.step);
    }
    Nanos before = 0;
    for (const TimeCell& cell : cells) {
      if (!cell.any) continue;
      const bool pause = cell.interrupted || (cell.broken && usual.is_pause(cell.first - before));
      if (pause) pauses.push_back({.from = before, .to = cell.first});
      before = cell.last;
    }
    return;
  }
  const Nanos start = nanos(gather.moments().first());
  for (const TimeSpan& pause : *facts.pauses) {
    const Nanos from = std::max<Nanos>(nanos(pause.first) - start, 0);
    const Nanos to = std::min(nanos(pause.last) - start, span_);
    if (from < to) pauses.push_back({.from = from, .to = to});
  }
}

}  // namespace pmjit
