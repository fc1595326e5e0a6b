#include <fmt/format.h>

#include "runtime/model/units.h"
#include "runtime/report/find_named.h"
#include "runtime/report/sweep/sweep.h"
#include "runtime/report/text/grid.h"
#include "runtime/report/text/human_text.h"
#include "runtime/report/text/quoting.h"
#include "runtime/text/zone.h"

namespace pmjit {

namespace {

constexpr SweepFormat kSweepFormats[] = {
    {"table", make_sweep_table},
    {"csv", make_sweep_csv},
    {"json", make_sweep_json},
};

// A sweep as CSV: $NAME of each parameter, then the fields; a row a point. Fields that there are
// not, such as the first time of what was never true, are empty.
class SweepCsv final : public SweepWriter {
 public:
  using SweepWriter::SweepWriter;

  Result<void> end() override {
    for (size_t point = 0; point < summaries_.size(); ++point) {
      const std::vector<SweepField> fields = this->fields(point);
      if (point == 0) put_header(fields);
      std::string line;
      for (const std::string& value : points_.values[point]) line += value + ",";
      for (const SweepField& field : fields) line += field.text + ",";
      line.back() = '\n';
      sink_.put(line);
    }
    return sink_.flush();
  }

 private:
  void put_header(const std::vector<SweepField>& fields) {
    std::string line;
    for (const std::string& name : points_.parameters) line += "$" + name + ",";
    for (const SweepField& field : fields) (line += field.name) += ",";
    line.back() = '\n';
    sink_.put(line);
  }
};

// A sweep as JSON lines. The first object is what was swept, then one object a point:
//   {"host":"app1","expression":"x > $t","parameters":["t"],"indom":"60.1","evaluations":1440}
//   {"values":{"t":5},"first":"2023-11-14T22:13:20Z",…,"seconds":86340}
// What there is not is null.
class SweepJson final : public SweepWriter {
 public:
  using SweepWriter::SweepWriter;

  Result<void> end() override {
    std::string names;
    for (const std::string& name : points_.parameters) {
      names += (names.empty() ? "" : ",") + json_text(name);
    }
    const InDomId domain = schema_.infos[0].domain;
    sink_.put(fmt::format(
        "{{\"host\":{},\"expression\":{},\"parameters\":[{}],\"indom\":{},\"evaluations\":{}}}\n",
        json_text(schema_.host), json_text(points_.expression), names,
        over_instances() ? json_text(indom_text(domain)) : "null", times_));
    for (size_t point = 0; point < summaries_.size(); ++point) put_point(point);
    return sink_.flush();
  }

 private:
  void put_point(size_t point) {
    std::string line;
    for (size_t i = 0; i < points_.parameters.size(); ++i) {
      line += (line.empty() ? "" : ",") + json_text(points_.parameters[i]) + ":" +
              points_.values[point][i];
    }
    line = "{\"values\":{" + line + "}";
    for (const SweepField& field : fields(point)) {
      line += fmt::format(",\"{}\":", field.name);
      line += field.text.empty() ? "null" : field.is_time ? json_text(field.text) : field.text;
    }
    sink_.put(line + "}\n");
  }
};

// A sweep for people: a line a point, times in the zone that was asked for.
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
    sink_.put(grid.text(width, options_.paint));
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

std::span<const SweepFormat> sweep_formats() { return kSweepFormats; }

const SweepFormat* find_sweep_format(std::string_view name) {
  return find_named(sweep_formats(), name);
}

std::unique_ptr<Writer> make_sweep_csv(Sink& sink, const WriterOptions& options,
                                       SweepPoints points) {
  return std::make_unique<SweepCsv>(sink, options, std::move(points));
}

std::unique_ptr<Writer> make_sweep_json(Sink& sink, const WriterOptions& options,
                                        SweepPoints points) {
  return std::make_unique<SweepJson>(sink, options, std::move(points));
}

std::unique_ptr<Writer> make_sweep_table(Sink& sink, const WriterOptions& options,
                                         SweepPoints points) {
  return std::make_unique<SweepTable>(sink, options, std::move(points));
}

}  // namespace pmjit
