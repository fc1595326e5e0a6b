// A line of blocks a rule: when it was true, when unknown.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "rules/event_writers/event_formats.h"
#include "runtime/report/text/grid.h"

namespace pmjit {

namespace {

class TimelineWriter final : public EventWriter {
 public:
  TimelineWriter(Sink& sink, Zone zone) : sink_(sink), zone_(std::move(zone)) {}

  void begin(const ReplaySchema& schema) override {
    schema_ = schema;
    rows_.assign(schema.rules.size(), {});
  }

  void put(const RuleTransition& event) override {
    Row& row = rows_[event.rule];
    const Transition& t = event.transition;
    if (!t.is_first) keep(row, {.truth = t.from, .from = t.when - t.lasted, .to = t.when});
    row.times += t.to == RuleTruth::yes ? 1 : 0;
  }

  void put(const RuleAction&) override {}

  void end(double when, std::span<const RuleState> states) override {
    end_ = when;
    find_widths();
    for (size_t i = 0; i < rows_.size(); ++i) {
      const RuleState& state = states[i];
      if (state.truth) keep(rows_[i], {.truth = *state.truth, .from = state.since, .to = when});
      draw(rows_[i]);
    }
    const std::string first = event_time_text(schema_.start, zone_);
    const std::string last = event_time_text(end_, zone_);
    const size_t gap =
        cells_ > first.size() + last.size() ? cells_ - first.size() - last.size() : 1;
    sink_.put(fmt::format("{:{}}  {}{:{}}{}\n", "", names_, first, "", gap, last));
    for (size_t i = 0; i < rows_.size(); ++i) put_row(schema_.label(i), rows_[i]);
    sink_.put("█▓▒░ true all of the time, or a part of it; ? unknown; · false\n");
  }

 private:
  static constexpr size_t kNameMax = 32, kCellsLeast = 20, kTotalWidth = 18;

  struct Cell {
    double yes = 0, unknown = 0;  // seconds
  };
  struct Span {
    RuleTruth truth;
    double from, to;
  };
  struct Row {
    std::vector<Span> spans;  // in which it is not false; drawn when the end is known
    std::vector<Cell> cells;
    double yes = 0;  // seconds
    int times = 0;   // that it became true
  };

  static void keep(Row& row, Span span) {
    if (span.truth != RuleTruth::no) row.spans.push_back(span);
  }

  void find_widths() {
    size_t width = 0;
    for (size_t i = 0; i < schema_.rules.size(); ++i) {
      width = std::max(width, schema_.label(i).size());
    }
    names_ = std::min(width, kNameMax);
    const size_t all = terminal_width(0);
    cells_ = std::max(kCellsLeast, all - std::min(all, names_ + 2 + kTotalWidth));
  }

  void draw(Row& row) {
    row.cells.assign(cells_, {});
    for (const Span& span : row.spans) add(row, span.truth, span.from, span.to);
  }

  void add(Row& row, RuleTruth truth, double from, double to) {
    if (truth == RuleTruth::yes) row.yes += to - from;
    const double cell = cell_seconds();
    for (size_t i = 0; i < cells_; ++i) {
      const double begin = schema_.start + cell * static_cast<double>(i);
      const double part = std::min(to, begin + cell) - std::max(from, begin);
      if (part <= 0) continue;
      (truth == RuleTruth::yes ? row.cells[i].yes : row.cells[i].unknown) += part;
    }
  }

  [[nodiscard]] double cell_seconds() const {
    return std::max(end_ - schema_.start, 1e-3) / static_cast<double>(cells_);
  }

  void put_row(const std::string& name, const Row& row) {
    static constexpr const char* kBlocks[] = {"░", "▒", "▓", "█"};
    std::string line = fmt::format("{:<{}.{}}  ", name, names_, names_);
    for (const Cell& cell : row.cells) {
      const double share = cell.yes / cell_seconds();
      if (share > 0) {
        line += kBlocks[std::min(3, static_cast<int>(share * 4 - 1e-9))];
      } else {
        line += cell.unknown > 0 ? "?" : "·";
      }
    }
    sink_.put(fmt::format("{} {} in {}\n", line, row.times == 0 ? "-" : duration_text(row.yes),
                          row.times));
  }

  Sink& sink_;
  Zone zone_;
  ReplaySchema schema_;
  double end_ = 0;
  size_t names_ = 0, cells_ = 0;
  std::vector<Row> rows_;
};

}  // namespace

std::unique_ptr<EventWriter> make_event_timeline(Sink& sink, Zone zone) {
  return std::make_unique<TimelineWriter>(sink, std::move(zone));
}

}  // namespace pmjit
