#include "rules/strict/archive_feeds.h"

#include <utility>

#include "runtime/archive/recording/archives_source.h"
#include "runtime/exec/sampler.h"

namespace pmjit::strict {

namespace {

Result<std::unique_ptr<Feed>> open_grid(const ArchivesSource& archives,
                                        std::vector<WantedMetric> metrics, const FeedTimes& times,
                                        const TimeGrid& part, Rosters& rosters) {
  TimeGrid grid = part;
  grid.origin = times.origin;
  grid.end = times.end;
  grid.step = replay_step(times.step);
  return Sampler::open(GridSource(archives, grid),
                       {.metrics = std::move(metrics), .rows_max = times.rows_max}, rosters,
                       {.joined = false});
}

}  // namespace

Result<std::unique_ptr<Feed>> ArchiveFeeds::open(std::vector<WantedMetric> metrics,
                                                 const FeedTimes& times, Rosters& rosters) const {
  return open_grid(archives_, std::move(metrics), times, {}, rosters);
}

uint64_t ArchiveFeeds::largest_set(InDomId domain) const {
  const Domain* const known = archives_.archives().metadata().domain(domain);
  return known == nullptr ? 0 : known->largest_set();
}

Result<std::vector<Stamp>> ArchiveFeeds::marks() const {
  Rosters rosters;
  const auto marks = Marks::of(archives_, rosters);
  if (!marks) return fail(marks.error());
  return (*marks)->all();
}

Result<std::unique_ptr<Feed>> ArchiveFeeds::open_part(std::vector<WantedMetric> metrics,
                                                      const FeedPart& part,
                                                      Rosters& rosters) const {
  const TimeGrid grid{
      .origin = {},
      .step = {},
      .goes_on = part.goes_on,
      .marks = std::make_shared<const std::vector<Stamp>>(part.marks.begin(), part.marks.end())};
  return open_grid(archives_, std::move(metrics), part.times, grid, rosters);
}

}  // namespace pmjit::strict
