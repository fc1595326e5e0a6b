#include "compiler/cmd/expected.h"

#include <algorithm>

namespace pmjit {

namespace {

// A value takes no less of an archive: instance, and the value or where it stands.
constexpr double kBytesPerValue = 8;
// Records that are looked at: how often metrics come is seen after some dozens.
constexpr uint32_t kRecordsSeen = 64;

// Which part of the source lies in the window.
double share_of(const Source& source, const ExpectedRun& run) {
  const double all = seconds_between(source.end(), source.start());
  if (source.end() == kStampMax || all <= 0) return 1;
  const Stamp from = std::max(run.from, source.start()), to = std::min(run.to, source.end());
  return std::clamp(seconds_between(to, from) / all, 0.0, 1.0);
}

double times_of_grid(const Source& source, const ExpectedRun& run) {
  const Stamp from = std::max(run.from, source.start()), to = std::min(run.to, source.end());
  return std::max(0.0, seconds_between(to, from)) * 1e9 / static_cast<double>(run.step);
}

// Rows that a metric has which is in `seen` of the records in `bytes`.
double rows_of(const Source& source, const ExpectedRun& run, double seen, double bytes) {
  double rows = 0;
  if (run.step > 0) {
    rows = times_of_grid(source, run);
  } else {
    rows = seen * static_cast<double>(source.bytes()) / bytes * share_of(source, run);
  }
  return run.rows_most > 0 ? std::min(rows, run.rows_most) : rows;
}

// A source that cannot be read says so when it is evaluated.
std::vector<MetricWork> of_metrics(const Source& source, const ExpectedRun& run,
                                   std::span<const PmId> metrics) {
  std::vector<MetricWork> out(metrics.size());
  Rosters rosters;
  FetchPlan plan{.from = std::max(run.from, source.start()), .rows_max = kRecordsSeen};
  for (const PmId metric : metrics) plan.metrics.emplace_back(metric);
  Block block;
  auto cursor = source.open(plan, rosters);
  if (!cursor) return out;
  if (const auto more = (*cursor)->next(block); !more || !*more) return out;
  for (size_t i = 0; i < out.size(); ++i) {
    const Column& column = block.columns[i];
    const auto rows = static_cast<double>(column.rows.size());
    if (rows == 0) continue;
    const auto bytes = static_cast<double>(std::max<uint64_t>(1, block.bytes));
    out[i] = {.rows = rows_of(source, run, rows, bytes),
              .lanes = static_cast<double>(column.count) / rows};
  }
  return out;
}

}  // namespace

ExpectedWork expected_work(const Source& source, const ExpectedRun& run) {
  ExpectedWork out{.values_most = static_cast<double>(source.bytes()) / kBytesPerValue};
  // Each time of a grid may have all of them again.
  if (run.step > 0) out.values_most *= std::max(1.0, times_of_grid(source, run));
  out.of_metrics = [&source, run](std::span<const PmId> metrics) {
    return of_metrics(source, run, metrics);
  };
  return out;
}

}  // namespace pmjit
