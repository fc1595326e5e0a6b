#include "rules/strict/archive_feeds.h"

#include <utility>

#include "runtime/archive/recording/marks.h"
#include "runtime/exec/groups.h"

namespace pmjit::strict {

Result<std::unique_ptr<Feed>> ArchiveFeeds::open(std::vector<WantedMetric> metrics,
                                                 const FeedTimes& times, Rosters& rosters) const {
  return open_part(std::move(metrics), times, false, nullptr, rosters);
}

uint64_t ArchiveFeeds::largest_set(InDomId domain) const {
  const Domain* const known = archives_.archives().metadata().domain(domain);
  return known == nullptr ? 0 : known->largest_set();
}

Result<RecordedFeeds::MarkTimes> ArchiveFeeds::marks() const {
  Rosters rosters;
  const auto marks = Marks::of(archives_, rosters);
  if (!marks) return fail(marks.error());
  auto all = (*marks)->all();
  if (!all) return fail(all.error());
  return std::make_shared<const std::vector<Stamp>>(*std::move(all));
}

Result<std::unique_ptr<Feed>> ArchiveFeeds::open_part(std::vector<WantedMetric> metrics,
                                                      const FeedTimes& times, bool goes_on,
                                                      const MarkTimes& marks,
                                                      Rosters& rosters) const {
  const GridSource grid(archives_, {.origin = times.origin,
                                    .end = times.end,
                                    .step = replay_step(times.step),
                                    .goes_on = goes_on,
                                    .marks = marks});
  return Sampler::open(grid, {.metrics = std::move(metrics), .rows_max = times.rows_max}, rosters,
                       false);
}

}  // namespace pmjit::strict
