// HostFeeds: a host as a source that is evaluated live. Feeds of one host that are due together
// share one fetch, and each decodes its answer straight into its columns. Source: design of the
// live half §4, §5.
//
//   HostContext context(client);
//   HostFeeds feeds(context);
//   auto program = compile(texts, feeds.catalog(), {…});
//   auto feed = feeds.open(wanted_by(*program), {.origin = now, .step = second}, rosters);
//   for (;;) {
//     const auto next = (*feed)->next(wave);
//     if (!next || *next == Feed::Next::end) break;
//     if (*next == Feed::Next::wave) evaluator.step(wave, results);
//     if (*next == Feed::Next::nothing_yet) feeds.wait((*feed)->due());
//   }
//
// A tick is a time that is due, and lasts until the next one. The host is asked at its beginning.
//
// | in the tick                           | the wave                                        |
// |---|---|
// | the answer comes                      | at once, with values; stamps are the host's own  |
// | an answer without values (access)     | at once: every row has the code as its status    |
// | the fetch fails, or no connection     | at once: every row has the status kHostDown      |
// | nothing comes                         | at its end, kHostDown; what then comes is of the |
// |                                       | tick in which it comes                           |
// | nobody calls next()                   | none: the tick is skipped, and counted           |
//
// After a reconnection, and when agents or names have changed, metrics are looked up again by their
// names. One that is gone, or is described otherwise than it was compiled for, has error rows. A
// host whose time goes back begins a new segment.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/client/host_catalog.h"
#include "runtime/model/feed.h"

namespace pmjit {

class HostFeed;
class HostFetcher;
struct HostTally;

class HostFeeds final : public Feeds {
 public:
  // `context` outlives it, and what is opened is destroyed before it.
  explicit HostFeeds(HostContext& context);
  ~HostFeeds() override;
  HostFeeds(const HostFeeds&) = delete;
  HostFeeds& operator=(const HostFeeds&) = delete;

  [[nodiscard]] const HostCatalog& catalog() const override { return catalog_; }
  // What the host calls itself.
  [[nodiscard]] std::string host() const override { return context_.host_name(); }
  // Each metric was described by catalog(). Refused: one whose values no column holds (events).
  [[nodiscard]] Result<std::unique_ptr<Feed>> open(std::vector<WantedMetric> metrics,
                                                   const FeedTimes& times,
                                                   Rosters& rosters) const override;
  // For a fleet (host_fleet.h): the same, and where metadata are taken from while there are none.
  [[nodiscard]] Result<std::unique_ptr<HostFeed>> open_part(std::vector<WantedMetric> metrics,
                                                            const FeedTimes& times,
                                                            Rosters& rosters) const;
  void borrow_from(const Catalog& lender) { catalog_.borrow_from(lender); }
  void lend_agents(std::vector<const HostCatalog*> others) {
    catalog_.lend_agents(std::move(others));
  }

  // Lets the network work until then, or until something has come that a feed may want.
  void wait(Stamp until) const;
  // Why the last tick that ended had no answer; none: it had one. A host that hangs is down, too.
  [[nodiscard]] const std::optional<Error>& why_down() const;
  // Of a host that is down: nothing has failed, and its answer may still come.
  [[nodiscard]] bool late() const;
  // At how many times it was asked, and did not answer.
  [[nodiscard]] const HostTally& tally() const;
  // Fetches that were sent: feeds that are due together share one.
  [[nodiscard]] uint64_t fetches() const;

 private:
  HostContext& context_;
  HostCatalog catalog_;
  std::unique_ptr<HostFetcher> fetcher_;
};

}  // namespace pmjit
