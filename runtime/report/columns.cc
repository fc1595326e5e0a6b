// Columns for people, as vmstat and pmrep have them: a line a time, a column a metric and instance,
// with names and units above. Columns are those of the instances that have come so far; when
// another one comes, the heading stands again.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/report/lane_index.h"
#include "runtime/report/text/human_text.h"
#include "runtime/report/text/values.h"
#include "runtime/report/time_head.h"
#include "runtime/report/writer.h"

namespace pmjit {

namespace {

constexpr size_t kTitleMax = 18, kWidthLeast = 7, kColumnsMax = 512;
constexpr size_t kHeldMax = 10;  // lines that wait for columns
constexpr std::string_view kAbsent = "N/A", kNothingKnown = "no values";

// The end of a long name says more than its beginning.
std::string title_text(std::string_view name) {
  if (name.starts_with("rate(") && name.ends_with(")")) {
    name = name.substr(5, name.size() - 6);  // the unit says the same
  }
  if (display_width(name) <= kTitleMax) return std::string(name);
  return "…" + std::string(name.substr(name.size() - kTitleMax + 1));
}

class ColumnsWriter final : public BlockWriter {
 public:
  ColumnsWriter(Sink& sink, const WriterOptions& options)
      : BlockWriter(sink), digits_(options.digits), head_(options.zone), paint_(options.paint) {}

  void begin(const Schema& schema) override {
    Writer::begin(schema);
    labels_.emplace(schema_,
                    [](const ResultInfo&, const auto& instance) { return instance.value_or(""); });
    of_result_.resize(schema_.infos.size());
    sink_.rows_end(RowEnds::lines);
  }

  Result<void> write(const ResultBlock& block) override {
    for (size_t k = 0; k < of_result_.size(); ++k) find_columns(block, k);
    for (size_t i = 0; i < block.times.size(); ++i) {
      Line line = line_of(block, i);
      if (waits()) {
        held_.push_back(std::move(line));
        continue;
      }
      put_held();
      put(line);
    }
    return sink_.status();
  }

  Result<void> end() override {
    put_held();
    if (left_out_ > 0) {
      warnings_.add(
          fmt::format("{} instances have no column: there are {} already\n  help: -o csv "
                      "has all values, -i NAME chooses instances",
                      left_out_, kColumnsMax));
    }
    return sink_.flush();
  }

 private:
  struct Heading {
    std::string host, title, instance, unit;
    size_t width, result;
  };
  // A time, and the text of each column; empty: there is none.
  struct Line {
    Stamp when;
    std::vector<std::string> cells;
  };
  struct OfResult {
    LaneIndex lanes;
    std::vector<size_t> columns;  // of each of its lanes
  };

  // Of all rows of the block, so that the heading is as seldom as can be. A result without
  // instances has its column also where it is unknown.
  void find_columns(const ResultBlock& block, size_t k) {
    OfResult& of = of_result_[k];
    if (schema_.infos[k].domain == kNullId && of.columns.empty()) {
      of.columns.push_back(add_column(k, ""));
    }
    const RowList& rows = block.columns[k].rows;
    for (size_t i = 0; i < rows.size(); ++i) (void)lanes_of(k, rows[i], block.times[i]);
  }

  // Of each lane of the row its number; empty: nothing is there.
  std::span<const size_t> lanes_of(size_t k, const Row& row, Stamp when) {
    if (row.status != 0 || row.roster_id == Rosters::kNobodyId) return {};
    OfResult& of = of_result_[k];
    return of.lanes.of(labels_->of(k, row, when), [&](const std::string& instance) {
      if (schema_.infos[k].domain != kNullId) of.columns.push_back(add_column(k, instance));
      return true;
    });
  }

  // The column of a new lane; kNotKept: there is no room.
  size_t add_column(size_t k, const std::string& instance) {
    if (headings_.size() == kColumnsMax) {
      ++left_out_;
      return LaneIndex::kNotKept;
    }
    const ResultInfo& info = schema_.infos[k];
    Heading heading{.host = fit(info.host, kTitleMax),
                    .title = title_text(info.name),
                    .instance = fit(instance, kTitleMax),
                    .unit = units_text(info.units),
                    .width = kWidthLeast,
                    .result = k};
    for (const std::string* const text :
         {&heading.host, &heading.title, &heading.instance, &heading.unit}) {
      heading.width = std::max(heading.width, display_width(*text));
    }
    order_.push_back(headings_.size());
    headings_.push_back(std::move(heading));
    changed_ = true;
    return headings_.size() - 1;
  }

  [[nodiscard]] Line line_of(const ResultBlock& block, size_t i) {
    Line out{.when = block.times[i], .cells = std::vector<std::string>(headings_.size())};
    for (size_t k = 0; k < of_result_.size(); ++k) {
      fill_cells(k, block.columns[k], i, out);
    }
    return out;
  }

  // A rate of a host has no instances at its first time: a heading without them would say nothing.
  [[nodiscard]] bool waits() const {
    const bool has_all =
        std::ranges::none_of(of_result_, [](const OfResult& of) { return of.columns.empty(); });
    return first_ && !has_all && held_.size() < (headings_.empty() ? kHeldMax : 1);
  }

  void put_held() {
    for (Line& line : held_) {
      line.cells.resize(headings_.size());
      put(line);
    }
    held_.clear();
  }

  void put(const Line& line) {
    if (head_.take(line.when)) changed_ = true;
    if (std::exchange(changed_, false)) put_headings();
    std::string text = fmt::format("{:<{}}", head_.clock(), head_.width());
    if (headings_.empty()) text += fmt::format("  {}", paint_.as_unknown(kNothingKnown));
    for (const size_t c : order_) {
      const size_t width = headings_[c].width;
      text += "  " + (line.cells[c].empty() ? absent(width) : right(line.cells[c], width));
    }
    sink_.put(text + "\n");
  }

  void fill_cells(size_t k, const Column& column, size_t i, Line& out) {
    const Row& row = column.rows[i];
    const OfResult& of = of_result_[k];
    const auto lanes = lanes_of(k, row, out.when);
    for (size_t lane = 0; lane < lanes.size(); ++lane) {
      const size_t at = of.columns[lanes[lane]];
      const uint64_t value = row.offset + lane;
      if (at == LaneIndex::kNotKept || !column.is_valid(value)) continue;
      ++values_;
      out.cells[at] = cell_text(column, value);
    }
  }

  [[nodiscard]] std::string cell_text(const Column& column, uint64_t i) const {
    if (column.elem == Elem::truth) return *number_of(column, i) != 0 ? "true" : "false";
    if (const auto number = number_of(column, i)) {
      return human_number(*number, is_float(column.elem) ? digits_ : std::nullopt);
    }
    return fit(text_of(column, i), kTitleMax);
  }

  void put_headings() {
    if (first_) std::ranges::stable_sort(order_, {}, [&](size_t c) { return headings_[c].result; });
    if (!first_) sink_.put("\n");
    first_ = false;
    const std::string text =
        fmt::format("{}{}, times {}", TimeHead::host(schema_), head_.date(), head_.zone());
    sink_.put(paint_.as_heading(text) + "\n");
    if (schema_.several_hosts()) put_line(&Heading::host);
    put_line(&Heading::title);
    put_line(&Heading::instance);
    put_line(&Heading::unit);
  }

  // Not where it would be blank.
  void put_line(std::string Heading::* part) {
    if (std::ranges::all_of(headings_, [&](const Heading& h) { return (h.*part).empty(); })) return;
    std::string line(head_.width(), ' ');
    for (const size_t c : order_) line += "  " + right(headings_[c].*part, headings_[c].width);
    line.erase(line.find_last_not_of(' ') + 1);
    sink_.put(paint_.as_heading(line) + "\n");
  }

  [[nodiscard]] std::string absent(size_t width) const {
    return std::string(width - kAbsent.size(), ' ') + paint_.as_unknown(kAbsent);
  }

  static std::string right(std::string_view text, size_t width) {
    const size_t has = display_width(text);
    return std::string(width > has ? width - has : 0, ' ') + std::string(text);
  }

  std::optional<int> digits_;
  TimeHead head_;
  Paint paint_;
  std::optional<Labels> labels_;
  std::vector<OfResult> of_result_;
  std::vector<Heading> headings_;  // as their lanes came: of a host, singular ones first
  std::vector<size_t> order_;      // as they stand: as asked, and behind them what came later
  std::vector<Line> held_;         // until there are columns
  size_t left_out_ = 0;
  bool changed_ = true, first_ = true;
};

}  // namespace

std::unique_ptr<Writer> make_columns_writer(Sink& sink, const WriterOptions& options) {
  return std::make_unique<ColumnsWriter>(sink, options);
}

}  // namespace pmjit
