// The table for people: one line a metric and instance with the last value, the extremes and a
// picture over time; below it, when there are only a few times, the values themselves. Memory is
// bounded: a lane takes the same space whatever the number of times, and lanes beyond kLanesMax are
// counted and not shown.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "runtime/report/lane_index.h"
#include "runtime/report/lane_labels.h"
#include "runtime/report/lane_stats.h"
#include "runtime/report/table_parts.h"
#include "runtime/report/text/grid.h"
#include "runtime/report/text/human_text.h"
#include "runtime/report/text/values.h"
#include "runtime/text/zone.h"

namespace pmjit {

namespace {

constexpr size_t kLanesMax = 10'000;  // more lines than anybody reads; a lane takes about 600 bytes
constexpr size_t kTimesShown = 10;

class TableWriter final : public BlockWriter {
 public:
  TableWriter(Sink& sink, const WriterOptions& options)
      : BlockWriter(sink),
        digits_(options.digits),
        width_(terminal_width(options.width)),
        zone_(options.zone),
        paint_(options.paint),
        reasons_(options.reasons) {}

  void begin(const Schema& schema) override {
    Writer::begin(schema);
    metrics_.resize(schema_.infos.size());
    labels_.emplace(schema_,
                    [](const ResultInfo&, const auto& instance) { return instance.value_or(""); });
  }

  Result<void> write(const ResultBlock& block) override {
    const uint64_t before = times_;
    for (const Stamp time : block.times) {
      if (times_ == 0) first_ = time;
      last_ = time;
      if (first_times_.size() < kTimesShown) first_times_.push_back(time);
      ++times_;
    }
    const size_t times = block.times.size(), metrics = block.columns.size();
    const auto add = [&](size_t k, size_t i) {
      add_row(k, block.columns[k], block.columns[k].rows[i], block.times[i], before + i);
    };
    // Which lanes there is room for must not depend on where blocks end. One metric after the other
    // is faster.
    const bool by_time = may_fill(block);
    for (size_t outer = 0; outer < (by_time ? times : metrics); ++outer) {
      for (size_t inner = 0; inner < (by_time ? metrics : times); ++inner) {
        by_time ? add(inner, outer) : add(outer, inner);
      }
    }
    if (reasons_) unknowns_.add(block, *schema_.rosters);
    return {};
  }

  Result<void> end() override {
    const std::string last = times_ > 1 ? " … " + iso_local(last_, zone_) : "";
    const std::string span = iso_local(first_, zone_) + last + ", ";
    const std::string host = schema_.several_hosts()
                                 ? fmt::format("hosts {}", fmt::join(schema_.hosts, ", "))
                                 : "host " + schema_.host;
    sink_.put(fmt::format("{}, {}{} {}\n\n", fit(host, width_ + 5), times_ > 0 ? span : "", times_,
                          times_ == 1 ? "time" : "times"));
    put_summary();
    if (times_ > 0 && times_ <= kTimesShown) put_values();
    if (reasons_) put_unknowns();
    return sink_.flush();
  }

 private:
  // The lanes of one metric in the order in which they came, and what stands for all of them.
  struct Metric {
    std::vector<LaneStats> lanes;
    LaneIndex index;
    uint64_t rows_unknown = 0;
    std::array<bool, kTimesShown> unknown_at{};
  };

  // What a line of the summary has, from the widest on.
  struct Shape {
    bool extremes;
    size_t picture;  // cells of it; 0: none
  };
  static constexpr Shape kShapes[] = {
      {true, Picture::kCells}, {true, 8}, {false, Picture::kCells}, {false, 8}, {false, 0}};
  // Takes the columns that the shape has not from a line or its headings.
  template <class Cell>
  static void leave_out(std::vector<Cell>& line, const Shape& shape) {
    if (shape.picture == 0) line.pop_back();
    if (!shape.extremes) line.erase(line.begin() + 4, line.begin() + 6);  // min and max
  }

  void add_row(size_t k, const Column& column, const Row& row, Stamp when, uint64_t time_index) {
    Metric& metric = metrics_[k];
    if (row.status != 0) {
      ++metric.rows_unknown;
      if (time_index < kTimesShown) metric.unknown_at[time_index] = true;
      return;
    }
    if (row.roster_id == Rosters::kNobodyId) return;
    const std::span<const size_t> lanes =
        metric.index.of(labels_->of(k, row, when),
                        [&](const std::string& name) { return add_lane(metric, k, name); });
    for (size_t lane = 0; lane < lanes.size(); ++lane) {
      const uint64_t i = row.offset + lane;
      const bool known = column.is_valid(i);
      values_ += known;
      if (lanes[lane] == LaneIndex::kNotKept) continue;
      add(metric.lanes[lanes[lane]], column, i, known, time_index);
    }
  }

  // Can the last lane that there is room for come in this block?
  [[nodiscard]] bool may_fill(const ResultBlock& block) const {
    if (lanes_ == kLanesMax) return false;
    size_t lanes = lanes_;
    for (const Column& column : block.columns) {
      RosterId last = Rosters::kNobodyId;
      for (const Row& row : column.rows) {
        if (row.roster_id != last) lanes += schema_.rosters->size(row.roster_id);
        last = row.roster_id;
      }
    }
    return lanes > kLanesMax;
  }

  bool add_lane(Metric& metric, size_t k, const std::string& name) {
    if (lanes_ == kLanesMax) {
      more_lanes_ = true;
      return false;
    }
    ++lanes_;
    LaneStats& stats = metric.lanes.emplace_back();
    stats.metric = k;
    stats.instance = name;
    return true;
  }

  void add(LaneStats& stats, const Column& column, uint64_t i, bool known, uint64_t time_index) {
    if (time_index < kTimesShown) stats.by_time.resize(time_index + 1);
    if (!known) {
      ++stats.unknown;
      if (time_index < kTimesShown) stats.by_time[time_index] = "?";
      return;
    }
    const std::optional<double> value = number_of(column, i);
    if (value) {
      stats.add(time_index, *value);
      stats.trues += column.elem == Elem::truth && *value != 0;
    } else {
      ++stats.known;
      stats.last_text = fit(text_of(column, i), width_);
    }
    if (time_index < kTimesShown) stats.by_time[time_index] = last_value(stats, column.elem);
  }

  [[nodiscard]] std::string last_value(const LaneStats& stats, Elem elem) const {
    if (elem == Elem::text || elem == Elem::bytes) return stats.last_text;
    if (elem == Elem::truth) return stats.last != 0 ? "true" : "false";
    return human_number(stats.last, is_float(elem) ? digits_ : std::nullopt);
  }

  [[nodiscard]] std::vector<std::string> summary(const LaneStats& stats, uint64_t unknown,
                                                 const Shape& shape) const {
    const ResultInfo& info = schema_.infos[stats.metric];
    std::vector<std::string> cells{info.name, stats.instance.value_or(""), units_text(info.units)};
    const auto digits = is_float(info.elem) ? digits_ : std::nullopt;
    if (stats.known == 0) {
      cells.insert(cells.end(), {"?", "", ""});
    } else if (info.elem == Elem::truth) {
      cells.insert(cells.end(), {last_value(stats, info.elem), "true",
                                 fmt::format("{}/{}", stats.trues, stats.known)});
    } else if (is_number(info.elem) && stats.ordered) {
      cells.insert(cells.end(), {last_value(stats, info.elem), human_number(stats.least, digits),
                                 human_number(stats.most, digits)});
    } else {
      cells.insert(cells.end(), {last_value(stats, info.elem), "", ""});
    }
    const bool text = info.elem == Elem::text || info.elem == Elem::bytes;
    cells.push_back(fmt::format("{}", stats.known));
    cells.push_back(unknown == 0 ? "" : fmt::format("{}", unknown));
    cells.push_back(text || stats.known == 0 || shape.picture == 0
                        ? ""
                        : sparkline(stats.picture.cells(times_, shape.picture)));
    leave_out(cells, shape);
    if (schema_.several_hosts()) cells.insert(cells.begin(), info.host);
    return cells;
  }

  // Names are worth more than extremes, and those than the last bit of a picture.
  void put_summary() {
    for (const Shape& shape : kShapes) {
      const Grid grid = summary_grid(shape);
      if (grid.wanted_width() > width_ && shape.picture != 0) continue;
      sink_.put(grid.text(width_, paint_));
      if (!shape.extremes) {
        sink_.put(fmt::format("… there is no room for {}\n",
                              shape.picture != 0 ? "min and max" : "min, max and a picture"));
      }
      break;
    }
    if (more_lanes_) {
      sink_.put(
          fmt::format("… and more instances than {}: csv and json have them all\n", kLanesMax));
    }
  }

  [[nodiscard]] Grid summary_grid(const Shape& shape) const {
    std::vector<Grid::Heading> headings{{.text = "metric", .shrinks = true, .enough = width_ / 2},
                                        {.text = "instance", .shrinks = true},
                                        {.text = "units"},
                                        {.text = "last", .right = true, .shrinks = true},
                                        {.text = "min", .right = true},
                                        {.text = "max", .right = true},
                                        {.text = "values", .right = true},
                                        {.text = "unknown", .right = true},
                                        {.text = "over time"}};
    leave_out(headings, shape);
    if (schema_.several_hosts()) headings.insert(headings.begin(), {.text = "host"});
    Grid grid(std::move(headings));
    for (size_t k = 0; k < metrics_.size(); ++k) {
      const Metric& metric = metrics_[k];
      for (const LaneStats& stats : metric.lanes)
        grid.add(summary(stats, stats.unknown + metric.rows_unknown, shape));
      if (!metric.lanes.empty()) continue;
      LaneStats nothing;
      nothing.metric = k;
      grid.add(summary(nothing, metric.rows_unknown, shape));
    }
    return grid;
  }

  void put_values() {
    std::vector<FirstValues> lines;
    for (size_t k = 0; k < metrics_.size(); ++k) {
      for (const LaneStats& stats : metrics_[k].lanes) {
        FirstValues& line = lines.emplace_back();
        line.metric = name_with_host(schema_.infos[k]);
        line.instance = stats.instance.value_or("");
        for (size_t i = 0; i < first_times_.size(); ++i) {
          const std::string_view unknown = metrics_[k].unknown_at[i] ? "?" : "";
          const bool there = i < stats.by_time.size() && !stats.by_time[i].empty();
          line.cells.emplace_back(there ? std::string_view(stats.by_time[i]) : unknown);
        }
      }
    }
    sink_.put("\n" + first_values_text(first_times_, lines, width_, zone_, paint_));
  }

  void put_unknowns() {
    const std::string text = unknowns_.text(schema_.infos, width_, paint_);
    sink_.put(text.empty() ? "\nno value is unknown\n" : "\n" + text);
  }

  std::optional<int> digits_;
  size_t width_, lanes_ = 0;
  Zone zone_;
  Paint paint_;
  bool reasons_;
  Unknowns unknowns_;
  bool more_lanes_ = false;
  std::optional<Labels> labels_;
  std::vector<Metric> metrics_;
  uint64_t times_ = 0;
  Stamp first_, last_;
  std::vector<Stamp> first_times_;
};

}  // namespace

std::unique_ptr<Writer> make_table_writer(Sink& sink, const WriterOptions& options) {
  return std::make_unique<TableWriter>(sink, options);
}

}  // namespace pmjit
