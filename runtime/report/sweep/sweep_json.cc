// A sweep as JSON lines. The first object is what was swept, then one object a point:
//   {"host":"app1","expression":"x > $t","parameters":["t"],"indom":"60.1","evaluations":1440}
//   {"values":{"t":5},"first":"2023-11-14T22:13:20Z",…,"seconds":86340}
// What there is not is null.
#include <fmt/format.h>

#include "runtime/model/units.h"
#include "runtime/report/sweep/sweep_writer.h"
#include "runtime/report/text/json_text.h"

namespace pmjit {

namespace {

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

}  // namespace

std::unique_ptr<Writer> make_sweep_json(Sink& sink, const WriterOptions& options,
                                        SweepPoints points) {
  return std::make_unique<SweepJson>(sink, options, std::move(points));
}

}  // namespace pmjit
