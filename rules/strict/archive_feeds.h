// ArchiveFeeds: archives as feeds at the times of a grid (GridSource), for rules and whoever else
// does not care where rows come from.
//
//   const ArchiveFeeds feeds(archives_source);
//   auto feed = feeds.open(wanted_by(program), {.origin = start, .step = minute}, rosters);
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/archive/recording/record_places.h"
#include "runtime/client/archive_context/grid_source.h"
#include "runtime/model/feed.h"
#include "runtime/model/hosts.h"

namespace pmjit::strict {

class ArchiveFeeds final : public RecordedFeeds {
 public:
  // `archives` outlives it.
  explicit ArchiveFeeds(const ArchivesSource& archives) : archives_(archives) {}

  [[nodiscard]] const Catalog& catalog() const override { return names_; }
  [[nodiscard]] std::string host() const override { return archives_.host(); }
  [[nodiscard]] Result<std::unique_ptr<Feed>> open(std::vector<WantedMetric> metrics,
                                                   const FeedTimes& times,
                                                   Rosters& rosters) const override;
  [[nodiscard]] Stamp end() const override { return archives_.end(); }
  [[nodiscard]] uint64_t largest_set(InDomId domain) const override;
  [[nodiscard]] Result<std::vector<Stamp>> marks() const override;
  [[nodiscard]] Result<std::unique_ptr<Feed>> open_part(std::vector<WantedMetric> metrics,
                                                        const FeedPart& part,
                                                        Rosters& rosters) const override;

 private:
  // What the heads of all records say, once somebody has asked for marks().
  struct Heads {
    Result<std::vector<Stamp>> marks;
    RecordPlaces places{};
  };
  [[nodiscard]] Heads read_heads() const;

  const ArchivesSource& archives_;
  HeldNames names_{archives_};
  mutable std::once_flag heads_read_;
  mutable std::optional<Heads> heads_;
};

// The same of several hosts: at every time that one of them has. Each host's archives are read from
// their own start to their own end, and beside them nothing is known of it.
class HostsFeeds final : public Feeds {
 public:
  // In the order of `hosts`, which outlive it.
  explicit HostsFeeds(std::vector<const ArchivesSource*> hosts);

  [[nodiscard]] const Catalog& catalog() const override { return catalog_; }
  [[nodiscard]] std::string host() const override { return hosts_.front()->host(); }
  [[nodiscard]] const HostsCatalog* hosts() const override { return &catalog_; }
  [[nodiscard]] Result<std::unique_ptr<Feed>> open(std::vector<WantedMetric> metrics,
                                                   const FeedTimes& times,
                                                   Rosters& rosters) const override;

 private:
  std::vector<const ArchivesSource*> hosts_;
  std::deque<HeldNames> names_;
  HostsCatalog catalog_;
};

// Those of one host, or of several.
[[nodiscard]] std::unique_ptr<Feeds> feeds_of(const std::vector<const ArchivesSource*>& hosts);

}  // namespace pmjit::strict
