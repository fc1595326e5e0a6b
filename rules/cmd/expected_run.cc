#include "rules/cmd/expected_run.h"

#include <algorithm>

namespace pmjit {

namespace {

// A value takes no less of an archive: instance, and the value or where it stands.
constexpr double kBytesPerValue = 8;
// Some dozens of records tell how often metrics come. All of them are read again by the run, so a
// short recording is read to a sixteenth only.
constexpr uint32_t kRecordsSeen = 64, kRecordsAtOnce = 8;
constexpr uint64_t kShareSeen = 16;
constexpr uint32_t kPieceSeen = 64u << 10;

// How much of the source is run over. To know where it ends takes a look at its last record.
struct Extent {
  double share = 1;       // of all its time
  double grid_times = 0;  // of a grid; of others none
};

Extent extent_of(const Recording& source, const ExpectedRun& run) {
  const Stamp begin = source.start(), end = source.end();
  const double all = seconds_between(end, begin);
  const double seconds = seconds_between(std::min(run.to, end), std::max(run.from, begin));
  Extent out;
  if (end != kStampMax && all > 0) out.share = std::clamp(seconds / all, 0.0, 1.0);
  if (run.step > 0) out.grid_times = std::max(0.0, seconds) * 1e9 / static_cast<double>(run.step);
  return out;
}

// Rows that a metric has which is in `seen` of the records in `bytes`.
double rows_of(const Recording& source, const ExpectedRun& run, const Extent& extent, double seen,
               double bytes) {
  const double rows = run.step > 0
                          ? extent.grid_times
                          : seen * static_cast<double>(source.bytes()) / bytes * extent.share;
  return run.rows_most > 0 ? std::min(rows, run.rows_most) : rows;
}

// A source that cannot be read says so when it is evaluated.
std::vector<MetricWork> of_metrics(const Recording& source, const ExpectedRun& run,
                                   const Extent& extent, std::span<const PmId> metrics) {
  std::vector<MetricWork> out(metrics.size());
  Rosters rosters;
  FetchPlan plan{.from = std::max(run.from, source.start()),
                 .rows_max = kRecordsAtOnce,
                 .piece_bytes = kPieceSeen};
  for (const PmId metric : metrics) plan.metrics.emplace_back(metric);
  Block block;
  auto cursor = source.open(plan, rosters);
  if (!cursor) return out;
  std::vector<size_t> rows(metrics.size()), lanes(metrics.size());
  size_t records = 0;
  uint64_t bytes = 0;
  while (records < kRecordsSeen && bytes <= source.bytes() / kShareSeen) {
    if (const auto more = (*cursor)->next(block); !more || !*more) break;
    records += block.records.size();
    bytes += block.bytes;
    for (size_t i = 0; i < out.size(); ++i) {
      rows[i] += block.columns[i].rows.size();
      lanes[i] += block.columns[i].count;
    }
  }
  for (size_t i = 0; i < out.size(); ++i) {
    if (rows[i] == 0) continue;
    const auto seen = static_cast<double>(rows[i]);
    out[i] = {.rows = rows_of(source, run, extent, seen,
                              static_cast<double>(std::max(bytes, uint64_t{1}))),
              .lanes = static_cast<double>(lanes[i]) / seen};
  }
  return out;
}

}  // namespace

ExpectedWork expected_work(const Recording& source, const ExpectedRun& run) {
  const Extent extent = extent_of(source, run);
  ExpectedWork out{.values_most = static_cast<double>(source.bytes()) / kBytesPerValue};
  // Each time of a grid may have all of them again.
  if (run.step > 0) out.values_most *= std::max(1.0, extent.grid_times);
  out.of_metrics = [&source, run, extent](std::span<const PmId> metrics) {
    return of_metrics(source, run, extent, metrics);
  };
  return out;
}

}  // namespace pmjit
