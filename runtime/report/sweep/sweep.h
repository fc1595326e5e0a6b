// Sweeps as text: a line a point, when all is evaluated. The formats stand in one table.
//
//   auto writer = find_sweep_format("csv")->make(sink, options, points);   // then as any Writer
#pragma once

#include "runtime/model/results.h"
#include "runtime/report/sweep/sweep_summary.h"
#include "runtime/report/writer.h"

namespace pmjit {

// Its blocks have a column a point, in their order, and ResultBlock::after_gap.
struct SweepFormat {
  std::string_view name;
  std::unique_ptr<Writer> (*make)(Sink& sink, const WriterOptions& options, SweepPoints points);
};
std::span<const SweepFormat> sweep_formats();
const SweepFormat* find_sweep_format(std::string_view name);  // null: no such format

std::unique_ptr<Writer> make_sweep_table(Sink& sink, const WriterOptions& options,
                                         SweepPoints points);
std::unique_ptr<Writer> make_sweep_csv(Sink& sink, const WriterOptions& options,
                                       SweepPoints points);
std::unique_ptr<Writer> make_sweep_json(Sink& sink, const WriterOptions& options,
                                        SweepPoints points);

// SweepWriter: what the formats of a sweep share: summaries of all points, and the fields that
// files have of each. Private to runtime/report.

// A field of a point in csv and json. An empty text: there is none.
struct SweepField {
  std::string_view name;
  std::string text;
  bool is_time = false;  // else a number
};

class SweepWriter : public BlockWriter {
 public:
  SweepWriter(Sink& sink, const WriterOptions& options, SweepPoints points)
      : BlockWriter(sink), options_(options), points_(std::move(points)) {
    summaries_.resize(points_.values.size());
  }

  void begin(const Schema& schema) override;
  Result<void> write(const ResultBlock& block) override;

 protected:
  [[nodiscard]] bool over_instances() const { return schema_.infos[0].domain != kNullId; }
  [[nodiscard]] double share(Nanos part) const;
  std::vector<SweepField> fields(size_t point);

  WriterOptions options_;
  SweepPoints points_;
  std::vector<SweepSummary> summaries_;
  std::optional<InstanceNumbers> numbers_;
  uint64_t times_ = 0;
  Stamp first_, last_;  // evaluations
  Nanos time_ = 0;      // that evaluations stand for, gaps not counted
};

}  // namespace pmjit
