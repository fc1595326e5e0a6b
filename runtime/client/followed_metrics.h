// FollowedMetrics: the metrics of one host by name, for users that hold on to identifiers while the
// collector may be restarted with others. After a new connection, and after a fetch that says that
// agents or names have changed, all names are asked for again before anything else is.
//
//   auto followed = std::make_shared<FollowedMetrics>();
//   context.follow(followed);                  each context of the host
//   PmId load = *context.look_up("load");      stays: fetches ask for what it is by then
//
// | by then the metric                            | a fetch gives for it           |
// |---|---|
// | has another identifier                        | its values                     |
// | is not there                                  | why not, until it is there      |
// | is another: type, unit, domain, instances     | PM_ERR_AGAIN from now on; moved() |
//
// Whoever sees moved() looks its metrics up again, and gets other identifiers for those. They are
// this host's own, or, where that would be one that stands for another metric, made up.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/client/connection.h"
#include "runtime/model/catalog.h"

namespace pmjit {

// What a fetch asks for, where its metrics are followed; else empty.
struct FollowedFetch {
  std::vector<PmId> pmids{};        // as the collector knows them, of metrics without a status
  std::vector<int32_t> statuses{};  // of all metrics
  bool operator==(const FollowedFetch&) const = default;
};

class FollowedMetrics {
 public:
  // `epoch`: HostClient's. Asks nothing if it is the one that is known.
  [[nodiscard]] Async<Result<bool>> refresh(Connection& connection, uint64_t epoch);

  // What a metric is called from now on that the collector knows as `now`.
  [[nodiscard]] PmId known_as(std::string_view name, PmId now);
  // What the collector calls it. One that nobody looked up is what it is.
  [[nodiscard]] PmId now(PmId metric) const;
  [[nodiscard]] FollowedFetch fetch_of(std::span<const PmId> metrics) const;
  void described(PmId metric, Desc& desc);
  void listed(InDomId indom, const std::vector<Catalog::Instance>& instances);

  // Are some metrics others than they were, since settle()?
  [[nodiscard]] bool moved() const { return moved_; }
  void settle() { moved_ = false; }

 private:
  struct Metric {
    std::string name;
    PmId now = kNullId;
    std::optional<Desc> desc{};  // none: nobody asked
    int32_t status = 0;
    bool replaced = false;  // it was another when it was asked for again
  };
  using Instances = std::unordered_map<int32_t, std::string>;

  [[nodiscard]] Async<Result<bool>> refresh_names(Connection& connection);
  [[nodiscard]] Async<Result<bool>> refresh_instances(Connection& connection);
  void take(Metric& metric, const OrPmError<Desc>& found);
  void replace(Metric& metric);

  uint64_t epoch_ = 0;
  bool complete_ = true;  // each metric that is there was described in epoch_
  bool moved_ = false;
  std::unordered_map<PmId, Metric> metrics_;  // by what users call them
  std::map<std::string, PmId, std::less<>> by_name_;
  std::map<InDomId, Instances> instances_;
  uint32_t made_up_ = 0;
};

}  // namespace pmjit
