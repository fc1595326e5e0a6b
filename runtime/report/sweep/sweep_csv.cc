// A sweep as CSV: $NAME of each parameter, then the fields; a row a point. Fields that there are
// not, such as the first time of what was never true, are empty.
#include "runtime/report/sweep/sweep_writer.h"

namespace pmjit {

namespace {

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

}  // namespace

std::unique_ptr<Writer> make_sweep_csv(Sink& sink, const WriterOptions& options,
                                       SweepPoints points) {
  return std::make_unique<SweepCsv>(sink, options, std::move(points));
}

}  // namespace pmjit
