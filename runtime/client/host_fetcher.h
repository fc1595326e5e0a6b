// HostFetcher: one fetch of one host for all of its feeds that are due. Inside of HostFeeds;
// nobody else needs it.
//
//   fetcher.start(now);                 // feeds that are due and do not wait yet get a round
//   … feed.round()->work.done()         // its answer has been decoded, or it has failed
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/base/warnings.h"
#include "runtime/client/host_catalog.h"
#include "runtime/client/host_health.h"
#include "runtime/model/feed.h"
#include "runtime/wire/result_columns.h"

namespace pmjit {

// A metric as the host has it now. `status` is why it cannot be used: it is gone, or another.
struct LiveMetric {
  Desc desc;
  int32_t status = 0;
};
// As it was compiled for against what it is now.
[[nodiscard]] LiveMetric compared(const Desc& was, const OrPmError<Desc>& now);
// What a collector describes metrics of these names as, in their order.
[[nodiscard]] Async<Result<std::vector<OrPmError<Desc>>>> request_described(
    Connection& connection, const std::vector<std::string>& names);

class HostFeed;

// A host answers; `status` is why it gives no values, and 0 that it does so again.
[[nodiscard]] std::string refusal_text(int status);

// The last time of the grid from `from` on that is not behind `now`; `from` if all are.
[[nodiscard]] Stamp latest_due(const FeedTimes& times, Stamp from, Stamp now);

// One fetch, and whose it is. Feeds own it together; the last one that goes ends it.
struct FetchRound {
  Stamp due;
  std::vector<HostFeed*> members;
  std::optional<Async<Result<bool>>> work;
  std::optional<Error> why{};  // it failed

  [[nodiscard]] bool done() const { return work && work->done(); }
};

class HostFetcher {
 public:
  HostFetcher(HostClient& client, const HostCatalog& catalog)
      : client_(client), catalog_(catalog), user_(client) {}

  void start(Stamp now);
  // `epoch`: that its metrics were described in.
  void add(HostFeed& feed, uint64_t epoch);
  void remove(HostFeed& feed);
  // Of all feeds, each once: if all are due they are one fetch.
  [[nodiscard]] size_t metrics() const { return users_.size(); }
  // A metric that was described; version() changes when metrics were looked up again.
  [[nodiscard]] LiveMetric metric(const HostCatalog::Described& compiled) const;
  [[nodiscard]] uint64_t version() const { return version_; }

  [[nodiscard]] HostClient& client() const { return client_; }
  // A tick of a feed has ended, with an answer or without one. `why`: its round has failed.
  void end_tick(Stamp due, bool answered, const std::optional<Error>& why);
  [[nodiscard]] HostHealth& health() { return health_; }
  [[nodiscard]] uint64_t fetches() const { return fetches_; }
  [[nodiscard]] Stamp wall_now() const;

 private:
  [[nodiscard]] Async<Result<bool>> run(FetchRound& round);
  [[nodiscard]] Async<Result<bool>> fetch(FetchRound& round);
  [[nodiscard]] Async<Result<FetchAnswer>> ask(const FetchRound& round, Connection& connection,
                                               std::span<const PmId> wanted);
  [[nodiscard]] Async<Result<bool>> look_up_again(Connection& connection);
  [[nodiscard]] Async<Result<bool>> learn_names(FetchRound& round, Connection& connection);

  HostClient& client_;
  const HostCatalog& catalog_;
  std::vector<HostFeed*> feeds_;
  std::unordered_map<PmId, size_t> users_;                // feeds by metric
  std::unordered_map<std::string, OrPmError<Desc>> now_;  // by name: of those looked up again
  // The epoch that what the feeds know is of; kLookUpAgain: not all of it.
  static constexpr uint64_t kLookUpAgain = UINT64_MAX;
  uint64_t epoch_ = 0, version_ = 0, fetches_ = 0;
  HostHealth health_;
  TickUser user_;
};

class HostFeed final : public Feed {
 public:
  HostFeed(HostFetcher& fetcher, std::vector<HostCatalog::Described> metrics,
           const FeedTimes& times, Rosters& rosters);
  ~HostFeed() override;
  HostFeed(const HostFeed&) = delete;
  HostFeed& operator=(const HostFeed&) = delete;

  [[nodiscard]] Result<Next> next(Wave& wave) override;
  [[nodiscard]] Stamp due() const override;
  void keep_rosters(Rosters& rosters) const override;
  [[nodiscard]] FeedStats stats() const override { return stats_; }
  [[nodiscard]] std::vector<std::string> take_warnings() override { return warnings_.take(); }

  // For a feed of several hosts (host_fleet.cc), which says which tick it is.
  void move_to(Stamp due) { due_ = due; }
  void ask(Stamp now);
  // After ask(): the answer has come, or will not come.
  [[nodiscard]] bool settled() const { return round_->done(); }
  // Did the last tick end without an answer?
  [[nodiscard]] bool down() const { return down_; }
  void end_tick(Wave& wave, Stamp now);

  // For the fetcher.
  [[nodiscard]] bool wants_round(Stamp now) const {
    return !round_ && due_ <= now && due_ <= times_.end;
  }
  void join(std::shared_ptr<FetchRound> round, Stamp now);
  void want(std::vector<PmId>& out);                  // as the host has them now
  void add_domains(std::set<InDomId>& out) const;     // of these
  [[nodiscard]] FetchTick tick() const;               // whose round it is in
  [[nodiscard]] std::vector<PmId> described() const;  // as they were compiled
  void add_names(std::vector<std::string>& out) const;
  [[nodiscard]] Result<bool> take(Bytes pdu);
  // An answer without values: nothing was asked for, or the host refuses with this code.
  void take_nothing(Stamp stamp, int status = 0);
  // Domains with instances that have come since they were asked for last.
  [[nodiscard]] std::vector<InDomId> domains_to_learn();

 private:
  struct Followed {
    HostCatalog::Described compiled;
    Elem elem = Elem::f64;
    LiveMetric now{};
    std::vector<int32_t> named{};  // instances whose names are known, ascending
    std::optional<size_t> same{};  // an earlier one of metrics_ is the same metric
  };
  void skip_to(Stamp now);
  void follow_changes();
  [[nodiscard]] std::string change_text(const std::string& metric, int status) const;
  [[nodiscard]] std::optional<size_t> first_of(PmId pmid, size_t before) const;
  void fill(size_t metric, bool answered, Wave& wave);
  [[nodiscard]] Stamp end_of_tick() const;

  HostFetcher& fetcher_;
  Rosters& rosters_;
  FeedTimes times_;
  Stamp due_;
  std::shared_ptr<FetchRound> round_;  // that it waits for
  Instant asked_{};                    // when it joined that
  std::vector<Followed> metrics_;
  std::optional<wire::ResultColumns> columns_;  // made anew when metrics change
  uint64_t version_ = UINT64_MAX;               // of the fetcher's metrics
  Block block_;
  std::optional<Stamp> answered_;  // the stamp of what is in block_
  int refused_ = 0;                // the code of the last answer; 0: it had values
  int told_refusal_ = 0;
  Stamp last_ = kStampMin;  // the host's own, of the last answer
  uint64_t segment_ = 0;
  bool begun_ = false;  // a time has ended
  bool down_ = false;
  FeedStats stats_;
  Warnings warnings_;
};

}  // namespace pmjit
