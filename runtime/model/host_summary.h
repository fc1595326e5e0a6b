// HostSummary: what a live host says of itself: its collector, agents, metrics and instance
// domains. Asked by runtime/client/host_summary.h; printed by runtime/report/host_info. Of the
// metrics of an archive, too: runtime/archive/summary/summary.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/model/catalog.h"
#include "runtime/model/desc.h"
#include "runtime/model/stamp.h"

namespace pmjit {

// An agent behind the collector, or a domain of metrics whose agent has no name.
struct AgentFacts {
  uint32_t domain = 0;
  std::string name{};
  std::optional<int64_t> status{};  // 0: it runs; none: the collector does not say
  uint64_t metrics = 0;
};

// How often an archive has a metric.
struct RecordedFacts {
  uint64_t records = 0, values = 0, errors = 0;
  std::optional<double> interval{};  // seconds, the median; none: it was recorded once or never
};

struct MetricFacts {
  std::string name{};
  PmId pmid = kNullId;
  std::optional<Desc> desc{};  // none: `status` says why
  int32_t status = 0;          // a PM_ERR_*
  // Of a metric that was asked for by name.
  std::string one_line{}, help{};
  std::vector<std::string> labels{};  // a JSON object for each level that has some, outer first
  std::optional<RecordedFacts> recorded{};  // of an archive
};

struct DomainFacts {
  InDomId indom = kNullId;
  std::vector<Catalog::Instance> instances{};
  int32_t status = 0;                  // why there are no instances; a PM_ERR_*
  std::vector<std::string> metrics{};  // those that are listed
  std::string one_line{};
};

// The names of metrics that have instances, by domain.
inline std::map<InDomId, std::vector<std::string>> names_by_domain(
    std::span<const MetricFacts> metrics) {
  std::map<InDomId, std::vector<std::string>> out;
  for (const MetricFacts& metric : metrics) {
    if (metric.desc && metric.desc->indom != kNullId)
      out[metric.desc->indom].push_back(metric.name);
  }
  return out;
}

struct HostSummary {
  std::string given{};                        // as the user named it
  std::string name{}, version{}, timezone{};  // empty: the collector does not say
  std::optional<Stamp> time{};                // the host's own
  std::vector<std::string> labels{};          // of the host: a JSON object, if it has any
  bool in_detail = false;                     // metrics were asked for by name
  std::vector<AgentFacts> agents{};           // by domain
  std::vector<MetricFacts> metrics{};         // by name
  std::vector<DomainFacts> domains{};         // by number
};

}  // namespace pmjit
