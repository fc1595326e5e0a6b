#include "runtime/report/plot/scene.h"

#include <algorithm>
#include <set>

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

// When both are; each is in order.
std::vector<ChartSpan> in_both(const std::vector<ChartSpan>& one,
                               const std::vector<ChartSpan>& other) {
  std::vector<ChartSpan> out;
  for (size_t i = 0, k = 0; i < one.size() && k < other.size();) {
    const Nanos from = std::max(one[i].from, other[k].from);
    const Nanos to = std::min(one[i].to, other[k].to);
    if (from < to) out.push_back({.from = from, .to = to});
    one[i].to < other[k].to ? ++i : ++k;
  }
  return out;
}

}  // namespace

Scene::Scene(const Schema& what, Gather& from, const PlotOptions& options, const ChartFacts& facts)
    : schema(what),
      gather(from),
      zone(options.zone),
      panels(panels_of(from, facts)),
      notes(notes_of_absent(from, facts)),
      cells(from.moments().cells()),
      pauses_given(!options.pauses.empty()),
      bands(from.moments().dense()) {
  span_ = nanos(from.moments().last()) - nanos(from.moments().first());
  notes.insert(notes.begin(), facts.notes.begin(), facts.notes.end());
  find_heat_spans();
  if ((has(Panel::Kind::heat) || has(Panel::Kind::truth)) && !heat_spans.empty()) {
    span_ = std::max(span_, heat_spans.back().to);
  }
  find_pauses(options.pauses);
  for (Panel& panel : panels) add_pauses(panel);
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

// Long steps, and interruptions.
std::vector<ChartSpan> Scene::pauses_between_times() const {
  // What seemed long at the beginning may be usual.
  PauseWatch usual;
  for (const TimeCell& cell : cells) {
    if (cell.any && cell.step > 0) usual.remember(cell.step);
  }
  std::vector<ChartSpan> out;
  Nanos before = 0;
  for (const TimeCell& cell : cells) {
    if (!cell.any) continue;
    const bool pause = cell.interrupted || (cell.broken && usual.is_pause(cell.first - before));
    if (pause) out.push_back({.from = before, .to = cell.first});
    before = cell.last;
  }
  return out;
}

// Those that begin before the last time.
std::vector<ChartSpan> Scene::pauses_of(const HostPauses& recorded) const {
  const Moments& moments = gather.moments();
  const Nanos start = nanos(moments.first());
  std::vector<ChartSpan> out;
  for (const Unrecorded& pause : recorded) {
    if (pause.span.first >= moments.last()) break;
    const Nanos from = std::max<Nanos>(nanos(pause.span.first) - start, 0);
    const Nanos to = std::min(nanos(pause.span.last) - start, span_);
    if (from < to) out.push_back({.from = from, .to = to});
  }
  return out;
}

void Scene::find_pauses(const std::vector<HostPauses>& recorded) {
  for (const HostPauses& of_host : recorded) pauses.push_back(pauses_of(of_host));
  if (recorded.empty()) {
    pauses.resize(std::max<size_t>(schema.hosts.size(), 1), pauses_between_times());
  }
  if (!schema.several_hosts()) return;
  std::vector<ChartSpan> all = pauses.front();
  for (const auto& of_host : pauses) all = in_both(all, of_host);
  pauses.push_back(std::move(all));
}

void Scene::add_pauses(Panel& panel) const {
  std::set<size_t> hosts;
  for (const PanelSeries& series : panel.series) hosts.insert(gather.host_of(series.result));
  if (hosts.empty()) hosts.insert(pauses.size() - 1);
  panel.pauses = pauses[*hosts.begin()];
  for (const size_t host : hosts) {
    panel.pauses = in_both(panel.pauses, pauses[host]);
    if (hosts.size() == 1 || pauses[host].empty()) continue;
    panel.strips.push_back({.host = host < schema.hosts.size() ? schema.hosts[host] : "all hosts",
                            .pauses = pauses[host]});
  }
}

}  // namespace pmjit
