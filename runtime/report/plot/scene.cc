#include "runtime/report/plot/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "runtime/report/plot/svg_text.h"
#include "runtime/report/text/human_text.h"

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

constexpr int kLineTicks = 5, kColourTicks = 10;

std::string width_text(uint32_t shift) { return human_duration(std::ldexp(1e-9, int(shift))); }

std::string count_text(uint64_t count, std::string_view one, std::string_view more) {
  return fmt::format("{} {}", count, count == 1 ? one : more);
}

// Of finite values; infinite ones are at the ends of whatever axis there is.
ValueRange range_of(HeatSeries& row, uint32_t shift) {
  ValueRange range;
  const auto& cells = row.cells(shift);
  for (size_t i = 0; i < kHeatCells; ++i) {
    if (cells[i].any && std::isfinite(cells[i].most)) range.add(cells[i].most);
  }
  return range;
}

ValueRange range_of(LineSeries& line, uint32_t shift) {
  ValueRange range;
  const auto& cells = line.cells(shift);
  for (size_t i = 0; i < kLineCells; ++i) {
    if (!cells[i].any) continue;
    range.add({.least = cells[i].least, .most = cells[i].most, .any = true});
  }
  return range;
}

class PanelMaker {
 public:
  explicit PanelMaker(Gather& gather) : gather_(gather), shift_(gather.moments().shift()) {}

  std::vector<Panel> make() {
    std::vector<Gathered>& results = gather_.results();
    for (size_t k = 0; k < results.size(); ++k) {
      if (drawn_.contains(k)) continue;
      results[k].is_heat ? add_heat(k) : add_lines(k);
    }
    return std::move(out_);
  }

 private:
  Gathered& result(size_t k) { return gather_.results()[k]; }

  // The result and those behind it that go into the same panel.
  void add_lines(size_t k) {
    Panel panel{.kind = Panel::Kind::lines};
    std::vector<size_t> together{k};
    size_t lanes = result(k).lines.size();
    for (size_t other = k + 1; other < gather_.results().size(); ++other) {
      if (drawn_.contains(other) || !comparable(result(k), result(other))) continue;
      if (lanes + result(other).lines.size() > kLinesMax) continue;
      lanes += result(other).lines.size();
      together.push_back(other);
    }
    ValueRange range;
    bool whole = true;
    for (const size_t one : together) {
      drawn_.insert(one);
      Gathered& from = result(one);
      panel.title += (panel.title.empty() ? "" : ", ") + name_with_host(from.info);
      whole = whole && !is_float(from.info.elem);
      for (size_t lane = 0; lane < from.lines.size(); ++lane) {
        range.add(range_of(from.lines[lane], shift_));
        panel.series.push_back({one, lane, label(from, lane, together.size() > 1)});
      }
      note_values(from, panel, "marked at the edge");
    }
    panel.axis = value_axis(range, result(k).info.units, kLineTicks, whole);
    finish(std::move(panel), result(k).info);
  }

  static bool comparable(const Gathered& a, const Gathered& b) {
    return !a.is_heat && !b.is_heat && !a.info.units.none() && a.info.units == b.info.units &&
           (a.info.semantics == Semantics::counter) == (b.info.semantics == Semantics::counter);
  }

  static std::string label(const Gathered& from, size_t lane, bool with_metric) {
    const std::string& instance = from.instances[lane];
    if (!with_metric) return instance.empty() ? name_with_host(from.info) : instance;
    return instance.empty() ? name_with_host(from.info)
                            : fmt::format("{}[{}]", name_with_host(from.info), instance);
  }

  void add_heat(size_t k) {
    Gathered& from = result(k);
    const bool truth = from.info.elem == Elem::truth;
    Panel panel{.kind = truth ? Panel::Kind::truth : Panel::Kind::heat,
                .title = name_with_host(from.info)};
    std::vector<ValueRange> ranges;
    for (HeatSeries& row : from.rows) ranges.push_back(range_of(row, shift_));
    const std::vector<size_t> shown = largest(ranges);
    ValueRange range, others;
    for (size_t lane = 0; lane < ranges.size(); ++lane) {
      const bool is_shown = std::ranges::binary_search(shown, lane);
      (is_shown ? range : others).add(ranges[lane]);
      if (is_shown) panel.series.push_back({k, lane, from.instances[lane]});
    }
    panel.axis = value_axis(range, from.info.units, kColourTicks, !is_float(from.info.elem));
    note_rows(from, shown.size(), others, panel);
    note_values(from, panel, "shown as the largest and the least there are");
    finish(std::move(panel), from.info);
  }

  // The rows with the largest values, in their order.
  static std::vector<size_t> largest(const std::vector<ValueRange>& ranges) {
    std::vector<size_t> rows(ranges.size());
    std::iota(rows.begin(), rows.end(), size_t{0});
    if (rows.size() <= kHeatRowsMax) return rows;
    std::ranges::stable_sort(rows, [&](size_t a, size_t b) {
      if (ranges[a].any != ranges[b].any) return ranges[a].any;
      return ranges[a].most > ranges[b].most;
    });
    rows.resize(kHeatRowsMax);
    std::ranges::sort(rows);
    return rows;
  }

  void note_rows(const Gathered& from, size_t shown, const ValueRange& others, Panel& panel) {
    const bool truth = panel.kind == Panel::Kind::truth;
    if (shown < from.rows.size()) {
      std::string note = fmt::format("{} of {} instances{}: those with the largest values", shown,
                                     from.rows.size(), from.lanes_left_out ? " and more" : "");
      if (others.any && !truth) {
        note += fmt::format("; the other {} stay at or below {}", from.rows.size() - shown,
                            human_number(others.most * panel.axis.factor, std::nullopt));
      }
      panel.notes.push_back(note);
    }
    if (from.lanes_left_out) {
      panel.notes.push_back(
          fmt::format("only the first {} instances were looked at: csv and json have them all",
                      gather_.rows_max()));
    }
    if (gather_.moments().several_in_a_heat_cell()) {
      panel.notes.push_back(fmt::format(
          "a cell is {} of up to {}", truth ? "true where it was at any time" : "the largest value",
          width_text(shift_ + kHeatShift)));
    }
  }

  static void note_values(const Gathered& from, Panel& panel, std::string_view where) {
    if (from.infinite > 0) {
      panel.notes.push_back(
          fmt::format("{}: {} {}", name_with_host(from.info),
                      count_text(from.infinite, "infinite value,", "infinite values,"), where));
    }
    if (from.not_numbers > 0) {
      panel.notes.push_back(
          fmt::format("{}: {} left out", name_with_host(from.info),
                      count_text(from.not_numbers, "value that is not a number (NaN),",
                                 "values that are not numbers (NaN),")));
    }
  }

  void finish(Panel panel, const ResultInfo& info) {
    if (panel.series.empty()) panel.notes.assign({"no value is known"});
    panel.units = panel.axis.units;
    if (info.semantics == Semantics::counter)
      panel.units += panel.units.empty() ? "counter" : ", counter";
    out_.push_back(std::move(panel));
  }

  Gather& gather_;
  uint32_t shift_;
  std::set<size_t> drawn_;
  std::vector<Panel> out_;
};

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

std::vector<Panel> panels_of(Gather& gather) { return PanelMaker(gather).make(); }

}  // namespace pmjit
