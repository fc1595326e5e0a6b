// The interval of a report over an archive: that of the records which have its metrics. pmlogger
// may write them in several groups a tick, some milliseconds apart.
#include <algorithm>
#include <cmath>

#include "rules/cmd/report_columns.h"
#include "runtime/model/recording.h"

namespace pmjit {

namespace {

// Enough to tell what is usual.
constexpr size_t kRecordsLookedAt = 64;
constexpr uint32_t kBytesAtOnce = 64u << 10;
constexpr size_t kStepsOfRhythm = 9;
// Steps shorter than this part of the rhythm are within one tick.
constexpr double kWithinTick = 0.25;
constexpr size_t kGroupsPart = 10;  // one in so many of them may be there by chance

// Of the first records, without what marks and pauses take.
std::vector<double> first_steps(const Recording& source, const std::vector<PmId>& metrics) {
  FetchPlan plan{.from = source.start(), .rows_max = kRecordsLookedAt, .piece_bytes = kBytesAtOnce};
  for (const PmId metric : metrics) plan.metrics.emplace_back(metric);
  std::vector<double> out;
  Rosters rosters;
  auto cursor = source.open(plan, rosters);
  if (!cursor) return out;
  Block block;
  std::optional<Stamp> last;
  while (out.size() < kRecordsLookedAt) {
    if (const auto more = (*cursor)->next(block); !more || !*more) break;
    for (const Record& record : block.records) {
      if (record.source != 0) continue;
      if (last && !record.mark) out.push_back(seconds_between(record.stamp, *last));
      last = record.mark ? std::nullopt : std::optional(record.stamp);
    }
  }
  return out;
}

}  // namespace

RecordRhythm rhythm_of(const Recording& source, const std::vector<PmId>& metrics) {
  std::vector<double> steps = first_steps(source, metrics);
  if (steps.empty()) return {};
  const size_t all = steps.size();
  std::vector<double> rhythm(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                steps.size(), kStepsOfRhythm)));
  std::ranges::sort(rhythm);
  // One of them may be a pause.
  const double tick = rhythm.size() > 4 ? rhythm[rhythm.size() - 2] : rhythm.back();
  std::erase_if(steps, [&](double step) { return step < kWithinTick * tick; });
  std::ranges::nth_element(steps, steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2));
  const double usual = steps[steps.size() / 2];
  return {.interval = usual >= 1 ? std::round(usual) : usual,
          .in_groups = (all - steps.size()) * kGroupsPart > all};
}

}  // namespace pmjit
