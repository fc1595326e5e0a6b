// A sweep for people: a line a point, times in the zone that was asked for.
#include <fmt/format.h>

#include "runtime/report/sweep/sweep_writer.h"
#include "runtime/report/text/grid.h"
#include "runtime/report/text/human_text.h"
#include "runtime/report/text/quantities.h"
#include "runtime/report/text/terminal.h"
#include "runtime/text/time_text.h"

namespace pmjit {

namespace {

std::string duration(Nanos time) { return human_duration(static_cast<double>(time) / 1e9); }

class SweepTable final : public SweepWriter {
 public:
  using SweepWriter::SweepWriter;

  Result<void> end() override {
    const size_t width = static_cast<size_t>(terminal_width(options_.width));
    std::string head = "host " + schema_.host;
    if (times_ > 0) head += ", " + iso_local(first_, options_.zone);
    if (times_ > 1) head += " … " + iso_local(last_, options_.zone);
    head += fmt::format(", {} {}", times_, times_ == 1 ? "time" : "times");
    sink_.put(fit(head, width) + "\n" + fit(points_.expression, width) + "\n");
    sink_.put("over " + duration(time_) + "\n\n");
    Grid grid(headings());
    for (size_t point = 0; point < summaries_.size(); ++point) grid.add(cells(point));
    sink_.put(grid.text(width));
    return sink_.flush();
  }

 private:
  std::vector<Grid::Heading> headings() const {
    std::vector<Grid::Heading> out;
    for (const std::string& name : points_.parameters) out.push_back({"$" + name, true});
    for (const char* name : {"true", "share", "unknown", "episodes", "longest"}) {
      out.push_back({name, true});
    }
    if (over_instances()) {
      out.push_back({"most", true});
      out.push_back({"ever", true});
    }
    out.push_back({"first true"});
    out.push_back({"last true"});
    return out;
  }

  std::string percent(Nanos part) const {
    return time_ == 0 ? "" : human_number(share(part) * 100, options_.digits) + " %";
  }
  std::string time_text(const std::optional<Stamp>& time) {
    return time ? iso_local(*time, options_.zone) : "never";
  }

  std::vector<std::string> cells(size_t point) {
    SweepSummary& summary = summaries_[point];
    std::vector<std::string> out = points_.values[point];
    out.push_back(duration(summary.true_time));
    out.push_back(percent(summary.true_time));
    out.push_back(percent(summary.unknown_time));
    out.push_back(fmt::to_string(summary.episodes));
    out.push_back(duration(summary.longest));
    if (over_instances()) {
      out.push_back(fmt::to_string(summary.most));
      out.push_back(fmt::to_string(summary.ever.count()));
    }
    out.push_back(time_text(summary.first));
    out.push_back(summary.last ? time_text(summary.last) : "");
    return out;
  }
};

}  // namespace

std::unique_ptr<Writer> make_sweep_table(Sink& sink, const WriterOptions& options,
                                         SweepPoints points) {
  return std::make_unique<SweepTable>(sink, options, std::move(points));
}

}  // namespace pmjit
