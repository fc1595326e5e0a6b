// A grid over an archive of arbitrary bytes, or over two: every metric at every time, by columns,
// beside interpolation of each metric alone, and in blocks of one time each. All say the same.
// Where records are damaged, times go back or a metric is there twice at a time nobody knows what
// is right: that is read, and no more.
//
// Parameters: where to start (a record, and what is added in 1/16 of the step), the step (in 1/16
// of the mean distance of records), which metrics.
#include <algorithm>
#include <set>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/client/archive_context/grid_source.h"
#include "tests/fuzz/archive_input.h"
#include "tests/fuzz/archive_target.h"
#include "tests/unit/archive_context/grid_text.h"

namespace pmjit::fuzz {
namespace {

// So that an input is quick.
constexpr int kTimesMax = 30;
constexpr size_t kMetricsMax = 3;
constexpr Nanos kStepMin = 1'000'000, kStepMax = 20'000'000'000'000'000;
constexpr int64_t kLatest = 8'000'000'000;  // seconds; nanoseconds end at nine thousand millions

// Of the records, up to where they are damaged.
struct Times {
  std::vector<Stamp> stamps;
  bool sound = false;  // to the end, in order, and no metric twice at a time
};

Times times_of(const Archives& archives) {
  RecordReader reader(archives, BadVolumes::refuse);
  Times out;
  std::set<PmId> at_once;  // metrics of the last time
  bool once = true;
  auto more = reader.next();
  for (; more.value_or(false); more = reader.next()) {
    const Stamp stamp = reader.record().stamp;
    if (out.stamps.empty() || out.stamps.back() != stamp) at_once.clear();
    out.stamps.push_back(stamp);
    for (const ValueSet& set : reader.layout().sets) once &= at_once.insert(set.pmid).second;
  }
  out.sound = more.has_value() && once && std::ranges::is_sorted(out.stamps);
  return out;
}

TimeGrid grid_of(const Archives& archives, const std::vector<Stamp>& times,
                 const ArchiveInput& input) {
  TimeGrid grid{.origin = archives.start(), .step = {.sec = 1}};
  if (!times.empty()) {
    grid.origin = times[input.parameter(0) % times.size()];
    const double mean =
        seconds_between(times.back(), archives.start()) * 1e9 / static_cast<double>(times.size());
    const double step = mean * (1 + input.parameter(2)) / 16;
    grid.step = replay_step(static_cast<Nanos>(
        std::clamp(step, static_cast<double>(kStepMin), static_cast<double>(kStepMax))));
  }
  if (grid.origin.sec < 0 || grid.origin.sec > kLatest) return grid;
  const Nanos step = nanos(grid.step);
  grid.origin = stamp_from_nanos(nanos(grid.origin) + step / 16 * (input.parameter(1) % 16));
  grid.end = stamp_from_nanos(nanos(grid.origin) + step * kTimesMax);
  return grid;
}

FetchPlan plan_of(const Archives& archives, uint32_t first) {
  std::vector<const Desc*> descs;
  for (const auto& [pmid, desc] : archives.metadata().descs) {
    if (elem_from_pm(desc.pm_type)) descs.push_back(&desc);
  }
  std::ranges::sort(descs, {}, &Desc::pmid);
  FetchPlan plan;
  for (size_t i = 0; i < std::min(descs.size(), kMetricsMax); ++i) {
    const Desc& desc = *descs[(first + i) % descs.size()];
    const bool holds = desc.semantics == Semantics::discrete;
    plan.metrics.emplace_back(desc.pmid, Between::exact, holds);
    plan.metrics.emplace_back(desc.pmid, Between::as_pcp, holds);
  }
  return plan;
}

bool agree(const test::GridText& one, const test::GridText& other) {
  if (one.whole && other.whole) return one.rows == other.rows;
  return one.rows.starts_with(other.rows) || other.rows.starts_with(one.rows);
}

}  // namespace

const MemoryBound kMemory = {.fixed = 64u << 20, .per_byte = 600};

void run(Bytes all) {
  ArchiveInput input = take_apart_input(all);
  std::erase_if(input.files, [](const InputFile& file) { return file.number == kIndexVolume; });
  auto archives = open_archives(input);
  if (!archives) return;
  const Times times = times_of(*archives);
  const TimeGrid grid = grid_of(*archives, times.stamps, input);
  if (grid.origin.sec < 0 || grid.origin.sec > kLatest) return;
  FetchPlan plan = plan_of(*archives, input.parameter(3));
  if (plan.metrics.empty()) return;
  const ArchivesSource recorded(std::move(archives));
  const GridSource source(recorded, grid);
  const auto gridded = test::gridded_texts(source, plan).metrics;
  if (!times.sound) return;
  for (size_t i = 0; i < gridded.size(); ++i) {
    check(agree(gridded[i], test::interpolated_text(recorded, grid, plan.metrics[i])),
          "a grid has what interpolation has");
  }
  plan.rows_max = 1;
  const auto one_by_one = test::gridded_texts(source, plan).metrics;
  for (size_t i = 0; i < gridded.size(); ++i) {
    check(one_by_one[i].rows == gridded[i].rows && one_by_one[i].whole == gridded[i].whole,
          "a grid does not depend on the size of blocks");
  }
}

}  // namespace pmjit::fuzz
