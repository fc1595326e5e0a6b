// HostFleet: several hosts as one source that is evaluated live. Each host has its own HostFeeds,
// and a feed of the fleet joins theirs: one wave for each time, with the operands of every host.
//
//   auto fleet = HostFleet::open(network, {web1, web2}, settings);
//   (*fleet)->hosts()->of_host(1)                    // what web2 has, for the compiler
//   auto feed = (*fleet)->open(wanted_by(*program), {.origin = now, .step = second}, rosters);
//
// All hosts are asked at the beginning of a tick, so their fetches are in flight together. More
// than kAskedAtOnce are asked over its first tenth, each at its place (spread_hash), unless members
// have places for all who ask them.
//
// | host                                | the wave                                             |
// |---|---|
// | answers, or fails                   | does not wait for it any longer                      |
// | does not answer                     | waits until the tick ends; then its values are those |
// |                                     | of a host that is down                               |
// | did not answer in the last tick     | waits a twentieth of the tick for it: it does not    |
// |                                     | hold up the others again. What comes later is of the |
// |                                     | next tick                                            |
//
// A host that cannot be reached when the fleet is opened is away: it borrows the metadata of the
// first host that is there (HostCatalog::borrow_from). Its values are unknown until it is there,
// too. Then the feed looks its metrics up, and one that differs from what was borrowed has error
// rows. A metric whose agent is not running on one host is borrowed alike.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/client/client_settings.h"
#include "runtime/client/host_feed.h"
#include "runtime/client/host_spec.h"
#include "runtime/model/hosts.h"

namespace pmjit {

// How much later than a tick begins a host is asked: hosts that are many have their places in it.
struct TickPlace {
  double part = 0;              // of the tick, from 0 to 1
  Nanos most = 10'000'000'000;  // a longer tick has its places in so much of it (alerting.md §5.1)

  [[nodiscard]] Nanos after(Nanos step) const {
    return static_cast<Nanos>(part * static_cast<double>(std::min(step, most)));
  }
};

struct FleetMember {
  FleetMember(Network& network, const HostSpec& spec, const ClientSettings& settings)
      : client(network, spec, settings), context(client), feeds(context) {}

  HostClient client;
  HostContext context;
  HostFeeds feeds;
  // In results: what the host calls itself; what the user wrote where several say the same.
  std::string name{};
  std::string timezone{};       // empty: not known
  std::optional<Error> away{};  // why it was not there when the fleet was opened
  // All users ask the host at this place, so one fetch serves them. None: a feed of the fleet has
  // its own places.
  std::optional<TickPlace> place{};
};

// One that is wanted. `name`: what results call it; empty: what it calls itself. Hosts with names
// are told no more than that somebody is there when they are opened, but for the first one.
struct FleetHost {
  HostSpec spec;
  std::string name{};
};

// Where a host has its place when fetches are spread: always the same of one name.
[[nodiscard]] uint64_t spread_hash(std::string_view name);
[[nodiscard]] double place_of(std::string_view name);  // from 0 to 1

class HostFleet final : public Feeds {
 public:
  // Connects to all of them together. Fails where no host can be reached, where one is named twice,
  // or when the settings say to stop. `network` outlives it.
  [[nodiscard]] static Result<std::unique_ptr<HostFleet>> open(Network& network,
                                                               const std::vector<FleetHost>& hosts,
                                                               const ClientSettings& settings);

  [[nodiscard]] const std::vector<std::unique_ptr<FleetMember>>& members() const {
    return members_;
  }
  // The first one that is there: whose metadata the others borrow.
  [[nodiscard]] const FleetMember& lender() const;
  // Catalogs of the hosts will be asked for these: all hosts, or this one, are asked at once. Who
  // does not answer is passed over, and asked again by its catalog.
  void expect(std::span<const std::string> metrics) const;
  void expect(std::span<const std::string> metrics, uint32_t host) const;
  // The same of the metrics below a name.
  void expect_leaves(std::string_view prefix) const;
  // What its users should know.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  // Lets the network work until then, or until something has come that a feed may want.
  void wait(Stamp until) const { members_.front()->feeds.wait(until); }

  // Of one host alone they are its own.
  [[nodiscard]] const Catalog& catalog() const override;
  [[nodiscard]] std::string host() const override { return members_.front()->name; }
  [[nodiscard]] const HostsCatalog* hosts() const override { return hosts_ ? &*hosts_ : nullptr; }
  [[nodiscard]] Result<std::unique_ptr<Feed>> open(std::vector<WantedMetric> metrics,
                                                   const FeedTimes& times,
                                                   Rosters& rosters) const override;

 private:
  HostFleet() = default;
  [[nodiscard]] Result<void> connect(const ClientSettings& settings);
  [[nodiscard]] bool all_away() const;
  [[nodiscard]] Error none_there() const;
  // Is it there, and asked when its catalog is? What it was asked for in another epoch is
  // forgotten.
  [[nodiscard]] bool may_expect(uint32_t host) const;
  void expect(std::span<const std::string> metrics, std::span<const uint32_t> hosts) const;
  // Asks these, which are there, at once for a metric that is one text: then their contexts have it
  // without waiting.
  void fetch_text(std::string_view metric, std::span<FleetMember* const> members) const;
  // Lets the network work until then, or until the settings say to stop.
  void run_until(const std::function<bool()>& done) const;
  void meet_members();
  void name_members();
  void join();

  std::vector<std::unique_ptr<FleetMember>> members_;
  std::vector<std::unique_ptr<const Catalog>> asking_together_;  // of several: beside members_
  std::optional<HostsCatalog> hosts_;                            // likewise
  // Of each member: metrics that it was asked for in this epoch of its client, and names above
  // some.
  struct Expected {
    uint64_t epoch = 0;
    std::set<std::string, std::less<>> metrics{}, leaves{};
  };
  mutable std::vector<Expected> expected_;
  std::vector<std::string> notes_;
};

}  // namespace pmjit
