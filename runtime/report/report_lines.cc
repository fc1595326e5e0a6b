// The lines of a named report, as its layout has them (report_layout.h). Columns and lines are
// those of the instances that have come so far, in the order in which they came. Times before the
// first known value have no line: they are those without a sample before.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/report/lane_index.h"
#include "runtime/report/report_layout.h"
#include "runtime/report/text/human_text.h"
#include "runtime/report/text/values.h"
#include "runtime/report/time_head.h"
#include "runtime/report/writer.h"

namespace pmjit {

namespace {

constexpr std::string_view kNotKnown = "N/A", kNotKnownShort = "?", kNoValues = "no values";
constexpr size_t kTextMax = 40;           // columns of the terminal that a name or a text takes
constexpr size_t kWidthUsual = 7;         // of a column that does not say
constexpr size_t kInstancesMax = 10'000;  // lines of a time
constexpr size_t kSpreadMax = 512;        // columns

class LayoutWriter final : public BlockWriter {
 public:
  LayoutWriter(Sink& sink, const WriterOptions& options)
      : BlockWriter(sink),
        layout_(*options.layout),
        digits_(options.digits),
        height_(options.height),
        head_(options.zone),
        paint_(options.paint) {}

  void begin(const Schema& schema) override {
    Writer::begin(schema);
    labels_.emplace(schema_,
                    [](const ResultInfo&, const auto& instance) { return instance.value_or(""); });
    of_result_.resize(schema_.infos.size());
    instance_width_ = display_width(layout_.instance_header);
    for (const std::string& host : schema_.hosts) {
      host_width_ = std::max(host_width_, display_width(host));
    }
    // In the order of the layout, also those that never have a value.
    for (size_t k = 0; k < of_result_.size(); ++k) {
      const bool spreads = is_by_time() && schema_.infos[k].domain != kNullId;
      if (!spreads) of_result_[k].place = place_of(layout_.column_of[k], "");
    }
    sink_.rows_end(RowEnds::lines);
  }

  Result<void> write(const ResultBlock& block) override {
    for (size_t i = 0; i < block.times.size(); ++i) {
      gather(block, i);
      put_time(block.times[i]);
    }
    return sink_.status();
  }

  Result<void> end() override {
    if (!started_) put_text(paint_.as_unknown(kNoValues));
    if (left_out_ > 0) {
      warnings_.add(fmt::format(
          "{} instances are left out, there are so many\n  help: -o csv has all values, -i NAME "
          "chooses instances",
          left_out_));
    }
    return sink_.flush();
  }

 private:
  static constexpr size_t kNowhere = SIZE_MAX;

  // A column on the screen: of a layout's column, and of an instance where they spread.
  struct Place {
    size_t column;
    std::string instance;
    size_t width;
  };
  // Whose line it is.
  struct LineKey {
    std::string host, instance;
    friend auto operator<=>(const LineKey&, const LineKey&) = default;
  };
  struct Line {
    size_t key;
    std::vector<std::string> cells;
  };
  struct Target {
    size_t key, place;
  };
  struct OfResult {
    LaneIndex lanes;
    std::vector<Target> targets{};  // of each of its lanes
    size_t place = kNowhere;        // where it has one for all of its lanes
  };

  [[nodiscard]] bool is_by_time() const { return layout_.rows == ReportLayout::Rows::time; }
  [[nodiscard]] bool is_block() const { return layout_.rows == ReportLayout::Rows::block; }
  // One value that stands in each line of its host, or of all hosts.
  [[nodiscard]] bool is_in_all(size_t k) const {
    if (schema_.infos[k].domain != kNullId) return false;
    return !is_by_time() || (schema_.several_hosts() && schema_.infos[k].host.empty());
  }

  size_t place_of(size_t column, const std::string& instance) {
    // Instances of a column stand beside each other.
    size_t at = places_.size();
    for (size_t p = 0; p < order_.size(); ++p) {
      const Place& place = places_[order_[p]];
      if (place.column == column && place.instance == instance) return order_[p];
      if (place.column > column) {
        at = p;
        break;
      }
    }
    const ReportColumn& look = layout_.columns[column];
    const std::string shown = fit(instance, kTextMax);
    has_spread_ = has_spread_ || !instance.empty();
    const size_t least = look.width > 0 ? look.width : kWidthUsual;
    places_.push_back(
        {.column = column,
         .instance = shown,
         .width = std::max({least, display_width(look.header), display_width(shown)})});
    order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(std::min(at, order_.size())),
                  places_.size() - 1);
    changed_ = true;
    return places_.size() - 1;
  }

  size_t key_of(const std::string& host, const std::string& instance) {
    const auto [at, is_new] = key_numbers_.try_emplace(LineKey{host, instance}, keys_.size());
    if (is_new) keys_.push_back(&at->first);
    return at->second;
  }

  // Of a lane that comes for the first time.
  bool add_lane(size_t k, const std::string& instance) {
    OfResult& of = of_result_[k];
    const std::string& host = schema_.host_of(schema_.infos[k]);
    if (places_.size() >= kSpreadMax || keys_.size() >= kInstancesMax) {
      ++left_out_;
      return false;
    }
    if (of.place != kNowhere) {
      of.targets.push_back({is_in_all(k) ? kNowhere : key_of(host, instance), of.place});
      if (is_by_time()) of.targets.back().key = key_of(host, "");
    } else {
      of.targets.push_back({key_of(host, ""), place_of(layout_.column_of[k], instance)});
    }
    return true;
  }

  // Everything of one time, in lines_.
  void gather(const ResultBlock& block, size_t i) {
    lines_.clear();
    line_of_key_.assign(keys_.size(), kNowhere);
    is_known_ = false;
    if (is_by_time()) {
      for (size_t k = 0; k < of_result_.size(); ++k) {
        if (!is_in_all(k)) (void)line_at(key_of(schema_.host_of(schema_.infos[k]), ""));
      }
    }
    for (const bool in_all : {false, true}) {
      for (size_t k = 0; k < of_result_.size(); ++k) {
        if (is_in_all(k) == in_all) add_values(k, block.columns[k], i, block.times[i]);
      }
    }
    std::ranges::sort(lines_, {}, &Line::key);
  }

  void add_values(size_t k, const Column& column, size_t i, Stamp when) {
    const Row& row = column.rows[i];
    if (row.status != 0 || row.roster_id == Rosters::kNobodyId) return;
    OfResult& of = of_result_[k];
    const auto lanes = of.lanes.of(labels_->of(k, row, when), [&](const std::string& instance) {
      return add_lane(k, instance);
    });
    for (size_t lane = 0; lane < lanes.size(); ++lane) {
      if (lanes[lane] == LaneIndex::kNotKept) continue;
      const auto [key, place] = of.targets[lanes[lane]];
      const uint64_t at = row.offset + lane;
      const bool is_valid = column.is_valid(at);
      values_ += is_valid;
      if (key != kNowhere) {
        std::string& cell = cell_at(line_at(key), place);
        if (is_valid) cell = cell_text(layout_.column_of[k], column, at);
      } else if (is_valid) {
        put_in_all(k, place, cell_text(layout_.column_of[k], column, at));
      }
      is_known_ = is_known_ || is_valid;
    }
  }

  void put_in_all(size_t k, size_t place, const std::string& text) {
    const std::string& host = schema_.host_of(schema_.infos[k]);
    if (lines_.empty()) (void)line_at(key_of(host, ""));
    for (Line& line : lines_) {
      if (host.empty() || keys_[line.key]->host == host) cell_at(line, place) = text;
    }
  }

  Line& line_at(size_t key) {
    if (key >= line_of_key_.size()) line_of_key_.resize(keys_.size(), kNowhere);
    if (line_of_key_[key] == kNowhere) {
      line_of_key_[key] = lines_.size();
      lines_.push_back({.key = key, .cells = {}});
    }
    return lines_[line_of_key_[key]];
  }
  static std::string& cell_at(Line& line, size_t place) {
    if (place >= line.cells.size()) line.cells.resize(place + 1);
    return line.cells[place];
  }

  [[nodiscard]] std::string cell_text(size_t column, const Column& values, uint64_t i) const {
    if (values.elem == Elem::truth) return *number_of(values, i) != 0 ? "true" : "false";
    const auto number = number_of(values, i);
    if (!number) return fit(text_of(values, i), kTextMax);
    const auto digits = is_float(values.elem) && digits_ ? digits_ : layout_.columns[column].digits;
    return human_number(*number, digits);
  }

  void put_time(Stamp time) {
    if (!is_known_ && !started_) return;
    started_ = true;
    const bool is_new_date = head_.take(time);
    for (const Line& line : lines_) {
      const size_t width = display_width(fit(keys_[line.key]->instance, kTextMax));
      if (width <= instance_width_) continue;
      instance_width_ = width;
      changed_ = true;
    }
    if (is_block()) return put_block(is_new_date);
    if (is_new_date) put_head();
    if (height_ > 0 && lines_since_head_ + lines_.size() > height_) changed_ = true;
    if (std::exchange(changed_, false)) put_headings();
    for (const Line& line : lines_) put_line(head_.clock(), line);
    if (lines_.empty()) put_text(head_.clock() + "  " + paint_.as_unknown(kNoValues));
  }

  void put_block(bool is_new_date) {
    if (std::exchange(first_, false)) put_heading(head_text());
    put_text("");
    put_heading((is_new_date ? head_.date() + " " : "") + head_.clock());
    if (lines_.empty()) return put_text(paint_.as_unknown(kNoValues));
    put_headings();
    for (const Line& line : lines_) put_line("", line);
  }

  void put_head() {
    if (!first_) put_text("");
    first_ = false;
    put_heading(head_text());
    changed_ = true;
  }

  [[nodiscard]] std::string head_text() const {
    return fmt::format("{}{}times {}{}{}", TimeHead::host(schema_),
                       is_block() ? "" : head_.date() + ", ", head_.zone(),
                       layout_.interval.empty() ? "" : ", every ", layout_.interval);
  }

  void put_headings() {
    put_groups();
    std::string line = before(is_block() ? "" : " ", schema_.several_hosts() ? "host" : "",
                              layout_.instance_header);
    for (const size_t p : order_) {
      line += gap() + right(layout_.columns[places_[p].column].header, places_[p].width);
    }
    put_heading(std::move(line));
    if (has_spread_) {
      line = before(" ", "", "");
      for (const size_t p : order_) line += gap() + right(places_[p].instance, places_[p].width);
      put_heading(std::move(line));
    }
    lines_since_head_ = 0;
  }

  // A line of dashes above neighbours of one group, its name in the middle.
  void put_groups() {
    std::string line = before(" ", "", "");
    bool has_any = false;
    for (size_t p = 0; p < order_.size();) {
      const std::string& group = layout_.columns[places_[order_[p]].column].group;
      size_t width = 0, end = p;
      for (; end < order_.size(); ++end) {
        const Place& place = places_[order_[end]];
        if (layout_.columns[place.column].group != group) break;
        width += place.width + (end > p ? gap().size() : 0);
      }
      p = end;
      const std::string name = fit(group, width);
      const size_t free = width - display_width(name);
      const char fill = group.empty() ? ' ' : '-';
      line += gap() + std::string(free / 2, fill) + name + std::string(free - free / 2, fill);
      has_any = has_any || !group.empty();
    }
    if (has_any) put_heading(std::move(line));
  }

  void put_line(const std::string& clock, const Line& line) {
    const LineKey& key = *keys_[line.key];
    std::string text = before(clock, key.host, key.instance);
    if (std::ranges::all_of(line.cells, &std::string::empty)) {
      return put_text(text + (text.empty() ? "" : "  ") + paint_.as_unknown(kNoValues));
    }
    for (const size_t p : order_) {
      const bool is_known = p < line.cells.size() && !line.cells[p].empty();
      const size_t width = places_[p].width;
      text += gap() + (is_known ? right(line.cells[p], width) : unknown(width));
    }
    put_text(std::move(text));
  }

  [[nodiscard]] std::string unknown(size_t width) const {
    const std::string_view text = width < kNotKnown.size() ? kNotKnownShort : kNotKnown;
    return std::string(width - text.size(), ' ') + paint_.as_unknown(text);
  }

  // Between columns. Names of instances may have blanks.
  [[nodiscard]] std::string gap() const { return has_spread_ ? "  " : " "; }

  // What stands before the columns.
  [[nodiscard]] std::string before(std::string_view clock, const std::string& host,
                                   const std::string& instance) const {
    std::string out;
    if (!is_block()) out += left(clock, head_.width());
    if (schema_.several_hosts()) out += (out.empty() ? "" : "  ") + left(host, host_width_);
    if (!is_by_time()) {
      out += (out.empty() ? "" : "  ") + left(fit(instance, kTextMax), instance_width_);
    }
    return out;
  }

  void put_heading(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    put_text(paint_.as_heading(line));
  }
  void put_text(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    sink_.put(line + "\n");
    ++lines_since_head_;
  }

  static std::string left(std::string_view text, size_t width) {
    const size_t has = display_width(text);
    return std::string(text) + std::string(width > has ? width - has : 0, ' ');
  }
  static std::string right(std::string_view text, size_t width) {
    const size_t has = display_width(text);
    return std::string(width > has ? width - has : 0, ' ') + std::string(text);
  }

  const ReportLayout& layout_;
  std::optional<int> digits_;
  size_t height_;
  TimeHead head_;
  Paint paint_;
  std::optional<Labels> labels_;
  std::vector<OfResult> of_result_;
  std::vector<Place> places_;  // in the order in which they came
  std::vector<size_t> order_;  // of the places on the screen
  std::map<LineKey, size_t> key_numbers_;
  std::vector<const LineKey*> keys_;
  std::vector<Line> lines_;          // of the time at hand
  std::vector<size_t> line_of_key_;  // kNowhere: none yet
  size_t host_width_ = 4, instance_width_ = 0, left_out_ = 0, lines_since_head_ = 0;
  bool is_known_ = false, started_ = false, changed_ = true, first_ = true;
  bool has_spread_ = false;  // instances stand side by side
};

}  // namespace

std::unique_ptr<Writer> make_report_writer(Sink& sink, const WriterOptions& options) {
  return std::make_unique<LayoutWriter>(sink, options);
}

}  // namespace pmjit
