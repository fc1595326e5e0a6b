// HostRows: many hosts whose metrics agree, as one source. A wave has a row for each host that has
// answered since the wave before (Wave::hosts), so one program is evaluated over all of them and
// nobody waits for anybody. Source: design of the live half §3, §5.
//
//   HostRows rows(fleet, lender, {0, 1, 2}, part);
//   auto program = compile(texts, rows.catalog(), options);      // once for all of them
//   auto feed = rows.open(wanted_by(*program), {.origin = now, .step = second}, rosters);
//
// A time that is due, a tick, begins for these hosts a part of the interval later, at most ten
// seconds: each set of hosts has its place there (spec alerting.md §5.1), so that they do not come
// all at once. All of them are asked then, each with one fetch.
//
// | in the tick                       | the host's row                                           |
// |---|---|
// | the answer comes                  | with values, some milliseconds later at most             |
// | the fetch fails, no connection    | likewise: every metric has the status kHostDown          |
// | nothing comes                     | at the end of the tick, kHostDown. The host is not asked |
// |                                   | again until it has answered: what comes is of that tick  |
// | nobody calls next()               | none: the tick is skipped, and counted                   |
//
// Metrics are those that the lender describes. Each host has them looked up by name when it is
// connected to, and again when agents or names have changed. One that it lacks, or describes
// otherwise, has error rows there. Hosts with the same answers share what was made of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/client/host_feed.h"
#include "runtime/client/host_fleet.h"
#include "runtime/model/feed.h"

namespace pmjit {

class HostRows final : public Feeds {
 public:
  // The fleet outlives it. `hosts`: which of its members; of several all have metrics as `lender`
  // has them. `place`: theirs.
  HostRows(const HostFleet& fleet, uint32_t lender, std::vector<uint32_t> hosts, TickPlace place);

  [[nodiscard]] const Catalog& catalog() const override;
  [[nodiscard]] std::string host() const override { return member(0).name; }
  // Whose rows of a wave are, by HostId: members of the fleet.
  [[nodiscard]] const std::vector<uint32_t>& row_hosts() const { return hosts_; }
  [[nodiscard]] std::vector<const Catalog*> row_catalogs() const override;
  // Had the host an answer at the last time that has a row?
  [[nodiscard]] bool answered(HostId host) const { return !member(host.index).feeds.why_down(); }
  // How much later than it is due a tick begins.
  [[nodiscard]] Nanos begins_after(Nanos step) const { return place_.after(step); }
  [[nodiscard]] Result<std::unique_ptr<Feed>> open(std::vector<WantedMetric> metrics,
                                                   const FeedTimes& times,
                                                   Rosters& rosters) const override;

 private:
  [[nodiscard]] const FleetMember& member(size_t host) const {
    return *fleet_.members()[hosts_[host]];
  }

  const HostFleet& fleet_;
  uint32_t lender_;
  std::vector<uint32_t> hosts_;
  TickPlace place_;
};

// Gives members of the fleet their places in the interval: some sixty hosts have the same, by a
// stable hash of their names. Places are as far apart as can be, so that one batch is done when the
// next is due. `within`: the part of an interval that has places.
void give_places(const HostFleet& fleet, TickPlace within);
// Hosts in batches of the same place, in the order of places.
struct RowBatch {
  std::vector<uint32_t> hosts;  // indices, ascending
  TickPlace place{};
};
[[nodiscard]] std::vector<RowBatch> in_batches(const HostFleet& fleet,
                                               const std::vector<uint32_t>& hosts);

// Which of `hosts` have these metrics as `lender` has them: all of them, or none. Those that do not
// answer in time are taken to: they are looked up when they do. The lender is the first. Nobody is
// asked where their catalogs answer from what is known (FleetAnswers::Catalogs).
[[nodiscard]] std::vector<uint32_t> agreeing_hosts(const HostFleet& fleet, uint32_t lender,
                                                   const std::vector<uint32_t>& hosts);

}  // namespace pmjit
