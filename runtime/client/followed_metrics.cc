#include "runtime/client/followed_metrics.h"

#include <algorithm>
#include <utility>

#include "runtime/client/host_fetcher.h"
#include "runtime/client/requests.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

// An agent that starts is not always told of: what was not described is asked for each time.
Async<Result<bool>> FollowedMetrics::refresh(Connection& connection, uint64_t epoch) {
  const bool known = epoch_ == epoch;
  if (known && complete_) co_return true;
  auto naming = refresh_names(connection);
  Result<bool> done = co_await naming;
  if (!done) co_return done;
  if (!known) {
    auto listing = refresh_instances(connection);
    done = co_await listing;
    if (!done) co_return done;
  }
  epoch_ = epoch;
  co_return true;
}

Async<Result<bool>> FollowedMetrics::refresh_names(Connection& connection) {
  std::vector<std::string> names;
  for (const auto& [name, metric] : by_name_) names.push_back(name);
  std::vector<OrPmError<Desc>> found;
  if (!names.empty()) {
    auto asking = request_described(connection, names);
    Result<std::vector<OrPmError<Desc>>> answer = co_await asking;
    if (!answer) co_return fail(answer.error());
    found = *std::move(answer);
  }
  complete_ = true;
  for (size_t i = 0; i < names.size(); ++i) {
    const auto metric = by_name_.find(names[i]);
    if (metric != by_name_.end()) take(metrics_.at(metric->second), found[i]);
  }
  co_return true;
}

void FollowedMetrics::take(Metric& metric, const OrPmError<Desc>& found) {
  metric.status = found ? 0 : found.error();
  if (!found) {
    complete_ = complete_ && found.error() == pm_err::E_NAME;
    return;
  }
  metric.now = found->pmid;
  if (metric.desc && compared(*metric.desc, found).status < 0) replace(metric);
}

void FollowedMetrics::replace(Metric& metric) {
  metric.replaced = moved_ = true;
  metric.status = pm_err::E_AGAIN;
  by_name_.erase(metric.name);
}

// Those that have come, or gone, change nothing: only a number that is of another instance does.
Async<Result<bool>> FollowedMetrics::refresh_instances(Connection& connection) {
  std::vector<InDomId> domains;
  for (const auto& [indom, instances] : instances_) domains.push_back(indom);
  for (const InDomId indom : domains) {
    auto asking = request_instances(connection, indom);
    const Result<OrPmError<std::vector<Catalog::Instance>>> found = co_await asking;
    if (!found) co_return fail(found.error());
    if (!*found) continue;
    Instances& known = instances_[indom];
    const bool others = std::ranges::any_of(**found, [&](const Catalog::Instance& instance) {
      const auto before = known.find(instance.id);
      return before != known.end() && before->second != instance.name;
    });
    if (!others) continue;
    known.clear();
    for (auto& [pmid, metric] : metrics_) {
      if (!metric.replaced && metric.desc && metric.desc->indom == indom) replace(metric);
    }
  }
  co_return true;
}

PmId FollowedMetrics::known_as(std::string_view name, PmId now) {
  if (const auto known = by_name_.find(name); known != by_name_.end()) return known->second;
  constexpr PmId kMadeUp = 0x8000'0000;  // no collector has such
  const PmId out = metrics_.contains(now) ? kMadeUp | made_up_++ : now;
  by_name_.emplace(name, out);
  metrics_.emplace(out, Metric{.name = std::string(name), .now = now});
  return out;
}

PmId FollowedMetrics::now(PmId metric) const {
  const auto found = metrics_.find(metric);
  return found == metrics_.end() ? metric : found->second.now;
}

FollowedFetch FollowedMetrics::fetch_of(std::span<const PmId> metrics) const {
  FollowedFetch out;
  for (const PmId metric : metrics) {
    const auto found = metrics_.find(metric);
    const int32_t status = found == metrics_.end() ? 0 : found->second.status;
    out.statuses.push_back(status);
    if (status >= 0) out.pmids.push_back(now(metric));
  }
  return out;
}

void FollowedMetrics::described(PmId metric, Desc& desc) {
  desc.pmid = metric;
  const auto found = metrics_.find(metric);
  if (found != metrics_.end() && !found->second.replaced) found->second.desc = desc;
}

void FollowedMetrics::listed(InDomId indom, const std::vector<Catalog::Instance>& instances) {
  Instances& known = instances_[indom];
  for (const Catalog::Instance& instance : instances) known[instance.id] = instance.name;
}

}  // namespace pmjit
