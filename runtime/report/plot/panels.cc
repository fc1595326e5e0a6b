// Which results are drawn together, and how: one PanelMaker a chart.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "runtime/report/plot/panel_texts.h"
#include "runtime/report/plot/scene.h"
#include "runtime/report/text/human_text.h"

namespace pmjit {

namespace {

constexpr int kLineTicks = 5, kSmallTicks = 3, kColourTicks = 10;
constexpr double kFaint = 0.01;  // of the scale; rows that stay below it look alike

// Of finite values; infinite ones are at the ends of whatever axis there is.
ValueRange range_of(HeatSeries& row, uint32_t shift) {
  ValueRange range;
  const auto& cells = row.cells(shift);
  for (size_t i = 0; i < kHeatCells; ++i) {
    if (cells[i].any() && std::isfinite(cells[i].most)) range.add(cells[i].most);
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

constexpr std::string_view kNoUnit = "no unit";

// What the numbers at the axis are; where they have no unit, that is said.
std::string unit_text(const ValueAxis& axis, const Gathered& from, const SeriesName& name) {
  const bool counter = from.info.semantics == Semantics::counter;
  if (!axis.units.empty()) return axis.units + (counter ? ", counter" : "");
  // Only of a time the rate has no unit.
  if (name.is_rate) return "seconds per second";
  return counter ? "counter, no unit" : std::string(kNoUnit);
}

// Results without a single value have no panel; but a chart has one at least.
std::vector<size_t> absent_results(Gather& gather) {
  const bool any = std::ranges::any_of(gather.results(), &Gathered::known);
  std::vector<size_t> out;
  for (size_t k = any ? 0 : 1; k < gather.results().size(); ++k) {
    if (gather.results()[k].known == 0) out.push_back(k);
  }
  return out;
}

class PanelMaker {
 public:
  PanelMaker(Gather& gather, const ChartFacts& facts)
      : gather_(gather), facts_(facts), shift_(gather.moments().shift()) {
    for (const Gathered& each : gather.results()) names_.push_back(series_name(each.info));
  }

  std::vector<Panel> make() {
    limit_instances();
    for (const size_t k : absent_results(gather_)) drawn_.insert(k);
    for (size_t k = 0; k < names_.size(); ++k) {
      if (!drawn_.contains(k)) result(k).is_heat ? add_heat(k) : add_family(k);
    }
    tell_apart();
    return std::move(out_);
  }

 private:
  // Metrics of one parent are apart where their units differ: then these are in the titles.
  void tell_apart() {
    std::map<std::string, size_t> titles;
    for (const Panel& panel : out_) ++titles[panel.small ? panel.head : panel.title];
    std::map<std::string, size_t> taken;
    for (Panel& panel : out_) {
      if (panel.small || titles[panel.title] < 2) continue;
      panel.title += ", " + (panel.units.empty() ? std::string(kNoUnit) : panel.units);
      const size_t before = taken[panel.title]++;
      if (before > 0) panel.title += fmt::format(" ({})", before + 1);
    }
  }

  using Results = std::vector<size_t>;

  void limit_instances() {
    size_t panels = 0;
    for (const Gathered& each : gather_.results()) {
      if (each.lines.size() > kTogetherMax) panels += each.lines.size();
    }
    if (panels <= kInstancesMost) return;
    for (Gathered& each : gather_.results()) {
      if (each.lines.size() > kTogetherMax) gather_.turn_into_heat(each);
    }
  }

  Gathered& result(size_t k) { return gather_.results()[k]; }
  size_t lines_of(const Results& results) {
    size_t lines = 0;
    for (const size_t k : results) lines += result(k).lines.size();
    return lines;
  }
  std::span<const std::string> unknown_of(size_t k) const {
    if (k >= facts_.unknown.size()) return {};
    return facts_.unknown[k];
  }

  // The lines of k and of all that have its parent.
  void add_family(size_t k) {
    Results rest;
    for (size_t other = k; other < names_.size(); ++other) {
      if (drawn_.contains(other) || result(other).is_heat || !related(k, other)) continue;
      Results together{other};
      for (size_t more = other + 1; more < names_.size(); ++more) {
        if (drawn_.contains(more) || !related(k, more)) continue;
        if (comparable(other, more)) together.push_back(more);
      }
      drawn_.insert(together.begin(), together.end());
      if (together.size() > 1 && lines_of(together) <= kTogetherMax) {
        add_lines(together);
        continue;
      }
      for (const size_t each : together) {
        result(each).lines.size() > kTogetherMax ? add_instances(each) : rest.push_back(each);
      }
    }
    std::ranges::sort(rest);
    if (rest.size() == 1) {
      add_lines(rest);
    } else if (rest.size() > 1) {
      add_small(rest);
    }
  }

  bool related(size_t a, size_t b) const {
    if (a == b) return true;
    return names_[a].name == names_[b].name ||
           (!names_[a].parent().empty() && names_[a].parent() == names_[b].parent());
  }

  // May they have an axis in common? Without units nothing says so, but that they are the same
  // metric of several hosts.
  bool comparable(size_t a, size_t b) {
    const ResultInfo &one = result(a).info, &other = result(b).info;
    const bool counters = one.semantics == Semantics::counter;
    return !result(b).is_heat && one.units == other.units &&
           counters == (other.semantics == Semantics::counter) &&
           names_[a].is_rate == names_[b].is_rate &&
           (!one.units.none() || names_[a].is_rate || names_[a].name == names_[b].name);
  }

  static std::string label(const std::string& rest, const std::string& instance) {
    if (rest.empty() || instance.empty()) return rest + instance;
    return fmt::format("{}[{}]", rest, instance);
  }

  void add_series(Panel& panel, size_t k, size_t lane, const std::string& rest, ValueRange& range) {
    Gathered& from = result(k);
    range.add(range_of(from.lines[lane], shift_));
    panel.series.push_back({.result = k,
                            .lane = lane,
                            .label = label(rest, from.instances[lane]),
                            .full = label(name_with_host(from.info), from.instances[lane])});
  }

  void set_axis(Panel& panel, const ValueRange& range, bool whole) {
    const size_t k = panel.series.empty() ? 0 : panel.series[0].result;
    panel.axis =
        value_axis(range, result(k).info.units, panel.small ? kSmallTicks : kLineTicks, whole);
    panel.units = unit_text(panel.axis, result(k), names_[k]);
  }

  std::vector<SeriesName> names_of(const Results& results) const {
    std::vector<SeriesName> out;
    for (const size_t k : results) out.push_back(names_[k]);
    return out;
  }

  void add_lines(const Results& together) {
    const PanelNames names = panel_names(names_of(together));
    Panel panel{.kind = Panel::Kind::lines, .title = names.title};
    ValueRange range;
    PanelNotes notes;
    bool whole = true;
    for (size_t i = 0; i < together.size(); ++i) {
      Gathered& from = result(together[i]);
      whole = whole && !is_float(from.info.elem);
      for (size_t lane = 0; lane < from.lines.size(); ++lane) {
        add_series(panel, together[i], lane, names.rests[i], range);
      }
      notes.add_values(names.rests[i], from, kAtTheEdge, unknown_of(together[i]));
    }
    set_axis(panel, range, whole);
    panel.notes = notes.lines(together.size());
    finish(std::move(panel));
  }

  // A small panel a metric, each with an axis of its own.
  void add_small(const Results& results) {
    const PanelNames names = panel_names(names_of(results));
    PanelNotes notes;
    for (size_t i = 0; i < results.size(); ++i) {
      Gathered& from = result(results[i]);
      Panel panel{.kind = Panel::Kind::lines, .small = true, .title = names.rests[i]};
      if (i == 0) panel.head = names.title;
      ValueRange range;
      for (size_t lane = 0; lane < from.lines.size(); ++lane) {
        add_series(panel, results[i], lane, "", range);
      }
      set_axis(panel, range, !is_float(from.info.elem));
      notes.add_values(names.rests[i], from, kAtTheEdge, unknown_of(results[i]));
      if (i + 1 == results.size()) panel.notes = notes.lines(results.size());
      finish(std::move(panel));
    }
  }

  // A small panel an instance, all with the same axis.
  void add_instances(size_t k) {
    Gathered& from = result(k);
    ValueRange range;
    std::vector<Panel> panels;
    for (size_t lane = 0; lane < from.lines.size(); ++lane) {
      Panel panel{.kind = Panel::Kind::lines, .small = true, .title = from.instances[lane]};
      add_series(panel, k, lane, "", range);
      panel.series[0].label.clear();
      panels.push_back(std::move(panel));
    }
    PanelNotes notes;
    notes.add_values("", from, kAtTheEdge, unknown_of(k));
    panels.front().head = names_[k].with_host();
    panels.back().notes = notes.lines(1);
    for (Panel& panel : panels) {
      set_axis(panel, range, !is_float(from.info.elem));
      finish(std::move(panel));
    }
  }

  void add_heat(size_t k) {
    Gathered& from = result(k);
    const bool truth = from.info.elem == Elem::truth;
    Panel panel{.kind = truth ? Panel::Kind::truth : Panel::Kind::heat,
                .title = names_[k].with_host()};
    std::vector<ValueRange> ranges;
    ValueRange all, others;
    for (HeatSeries& row : from.rows) {
      ranges.push_back(range_of(row, shift_));
      all.add(ranges.back());
    }
    panel.axis = value_axis(all, from.info.units, kColourTicks, !is_float(from.info.elem));
    const std::vector<size_t> shown = rows_shown(ranges, truth, panel.axis);
    for (const size_t lane : shown) {
      panel.series.push_back({.result = k,
                              .lane = lane,
                              .label = from.instances[lane],
                              .full = label(name_with_host(from.info), from.instances[lane])});
    }
    const std::set<size_t> kept(shown.begin(), shown.end());
    for (size_t lane = 0; lane < ranges.size(); ++lane) {
      if (!kept.contains(lane)) others.add(ranges[lane]);
    }
    if (!truth) panel.units = unit_text(panel.axis, from, names_[k]);
    note_rows(from, shown.size(), others, panel);
    PanelNotes notes;
    notes.add_values("", from, "shown as the largest and the least there are", unknown_of(k));
    for (std::string& line : notes.lines(1)) panel.notes.push_back(std::move(line));
    drawn_.insert(k);
    finish(std::move(panel));
  }

  // The rows of truth values in their order; of others the largest first, without those that are
  // faint throughout.
  static std::vector<size_t> rows_shown(const std::vector<ValueRange>& ranges, bool truth,
                                        const ValueAxis& axis) {
    std::vector<size_t> rows(ranges.size());
    std::iota(rows.begin(), rows.end(), size_t{0});
    if (truth && rows.size() <= kHeatRowsMax) return rows;
    std::ranges::stable_sort(rows, [&](size_t a, size_t b) {
      if (ranges[a].any != ranges[b].any) return ranges[a].any;
      return ranges[a].most > ranges[b].most;
    });
    const size_t before = rows.size();
    rows.resize(std::min(before, kHeatRowsMax));
    if (truth) {
      std::ranges::sort(rows);
      return rows;
    }
    const auto is_faint = [&](size_t row) {
      return !ranges[row].any || axis.share(ranges[row].most) <= kFaint;
    };
    const auto end = std::ranges::find_if(rows, is_faint);
    if (end != rows.begin()) rows.erase(end, rows.end());
    return rows;
  }

  void note_rows(const Gathered& from, size_t shown, const ValueRange& others, Panel& panel) {
    const bool truth = panel.kind == Panel::Kind::truth;
    if (shown < from.rows.size()) {
      std::string note = fmt::format("{} of {} instances{}, {}", shown, from.rows.size(),
                                     from.lanes_left_out ? " and more" : "",
                                     truth ? "true ones first" : "largest first");
      if (others.any && !truth) {
        note += fmt::format("; the other {} stay at or below {}", from.rows.size() - shown,
                            human_number(others.most * panel.axis.factor, std::nullopt));
        if (panel.units != kNoUnit) note += " " + panel.units;
      }
      panel.notes.push_back(note);
    }
    if (from.lanes_left_out) {
      panel.notes.push_back(
          fmt::format("only the first {} instances were looked at: csv and json have them all",
                      gather_.rows_max()));
    }
    if (truth && gather_.moments().several_in_a_heat_cell()) {
      panel.notes.push_back(
          fmt::format("a cell is true where it was at any time of up to {}",
                      human_duration(std::ldexp(1e-9, int(shift_ + kHeatShift)))));
    }
  }

  void finish(Panel panel) {
    if (panel.series.empty()) panel.notes.insert(panel.notes.begin(), "no value is known");
    out_.push_back(std::move(panel));
  }

  static constexpr std::string_view kAtTheEdge = "marked at the edge";
  Gather& gather_;
  const ChartFacts& facts_;
  uint32_t shift_;
  std::vector<SeriesName> names_;
  std::set<size_t> drawn_;
  std::vector<Panel> out_;
};

}  // namespace

std::vector<Panel> panels_of(Gather& gather, const ChartFacts& facts) {
  return PanelMaker(gather, facts).make();
}

std::vector<std::string> notes_of_absent(Gather& gather, const ChartFacts& facts) {
  PanelNotes notes;
  for (const size_t k : absent_results(gather)) {
    const Gathered& from = gather.results()[k];
    const std::string name = series_name(from.info).with_host();
    if (k < facts.unknown.size() && !facts.unknown[k].empty()) {
      for (const std::string& text : facts.unknown[k]) notes.add(name, text);
    } else {
      notes.add(name, "no value is known");
    }
  }
  return notes.lines(gather.results().size());
}

}  // namespace pmjit
