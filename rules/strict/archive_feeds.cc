#include "rules/strict/archive_feeds.h"

#include <algorithm>
#include <utility>

#include "runtime/archive/recording/archives_source.h"
#include "runtime/archive/recording/marks.h"
#include "runtime/exec/sampler.h"

namespace pmjit::strict {

namespace {

Result<std::unique_ptr<Feed>> open_grid(const ArchivesSource& archives,
                                        std::vector<WantedMetric> metrics, const FeedTimes& times,
                                        const TimeGrid& part, Rosters& rosters,
                                        const Recording* reader = nullptr) {
  TimeGrid grid = part;
  grid.origin = times.origin;
  grid.end = times.end;
  grid.step = replay_step(times.step);
  return Sampler::open(GridSource(archives, grid, reader),
                       {.metrics = std::move(metrics), .rows_max = times.rows_max}, rosters,
                       {.joined = false});
}

std::vector<HostsCatalog::Part> parts_of(const std::vector<const ArchivesSource*>& hosts,
                                         const std::deque<HeldNames>& names) {
  std::vector<HostsCatalog::Part> out;
  for (size_t i = 0; i < hosts.size(); ++i) {
    out.push_back({.name = hosts[i]->host(), .catalog = &names[i]});
  }
  return out;
}

std::deque<HeldNames> names_of(const std::vector<const ArchivesSource*>& hosts) {
  std::deque<HeldNames> out;
  for (const ArchivesSource* host : hosts) out.emplace_back(*host);
  return out;
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

// Where time goes back, what a part sees depends on where it begins, as where records are damaged.
Result<std::vector<Stamp>> ArchiveFeeds::marks() const {
  std::call_once(heads_read_, [this] { heads_.emplace(read_heads()); });
  return heads_->marks;
}

ArchiveFeeds::Heads ArchiveFeeds::read_heads() const {
  const Archives& archives = archives_.archives();
  Heads out{.marks = std::vector<Stamp>()};
  StepsBack back;
  size_t member = 0;
  scan_heads(archives, kStampMin, kStampMax,
             [&](const MarkScan::Scanned& head, const Archive& archive) {
               while (&archives[member] != &archive) ++member;
               back.add(head, archive);
               out.places.add(head, member);
             });
  if (const auto warning = back.warning()) {
    out.marks = fail(Error(Fault::format, *warning));
  } else {
    out.marks = all_marks(archives_);
  }
  return out;
}

Result<std::unique_ptr<Feed>> ArchiveFeeds::open_part(std::vector<WantedMetric> metrics,
                                                      const FeedPart& part,
                                                      Rosters& rosters) const {
  const TimeGrid grid{
      .origin = {},
      .step = {},
      .goes_on = part.goes_on,
      .marks = std::make_shared<const std::vector<Stamp>>(part.marks.begin(), part.marks.end())};
  if (!heads_) return open_grid(archives_, std::move(metrics), part.times, grid, rosters);
  const PlacedSource reader(archives_, heads_->places);
  return open_grid(archives_, std::move(metrics), part.times, grid, rosters, &reader);
}

HostsFeeds::HostsFeeds(std::vector<const ArchivesSource*> hosts)
    : hosts_(std::move(hosts)), names_(names_of(hosts_)), catalog_(parts_of(hosts_, names_)) {}

Result<std::unique_ptr<Feed>> HostsFeeds::open(std::vector<WantedMetric> metrics,
                                               const FeedTimes& times, Rosters& rosters) const {
  const TimeGrid grid{.origin = times.origin, .end = times.end, .step = replay_step(times.step)};
  std::deque<GridSource> sources;
  std::vector<HostsRecording::Part> parts;
  for (const ArchivesSource* host : hosts_) {
    sources.emplace_back(*host, grid_within(*host, grid));
    parts.push_back({.name = host->host(), .recording = &sources.back()});
  }
  return Sampler::open(HostsRecording(std::move(parts), catalog_, {.grid = times}),
                       {.metrics = std::move(metrics), .rows_max = times.rows_max}, rosters,
                       {.joined = false});
}

std::unique_ptr<Feeds> feeds_of(const std::vector<const ArchivesSource*>& hosts) {
  if (hosts.size() == 1) return std::make_unique<ArchiveFeeds>(*hosts.front());
  return std::make_unique<HostsFeeds>(hosts);
}

}  // namespace pmjit::strict
