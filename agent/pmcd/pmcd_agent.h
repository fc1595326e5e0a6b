// PmcdAgent: what the collector says of itself, as the agent `pmcd` (domain 2) that PCP's pmcd has:
// the metrics that clients expect to find, and who is connected. Source: spec
// collector-and-agents.md §1.17.
//
//   CollectorState state{.version = "0.1.0", .build = "pmjit"};
//   PmcdAgent pmcd(state);
//   CollectorCore core(clock, {&pmcd, &linux}, state);    // which keeps `state` true
//
// One metric can be stored: pmcd.client.whoami, by each client for itself.
#pragma once

#include "agent/model/agent.h"
#include "agent/model/collector_state.h"

namespace pmjit {

// How much processor time was used when cputime.per_pdu_in was last fetched.
struct PduTimes {
  uint64_t microseconds = 0;
  uint32_t pdus = 0;
};

class PmcdAgent final : public Agent {
 public:
  static constexpr uint32_t kDomain = 2;

  explicit PmcdAgent(CollectorState& state);  // which outlives it

  [[nodiscard]] std::string_view name() const override { return "pmcd"; }
  [[nodiscard]] uint32_t domain() const override { return kDomain; }
  [[nodiscard]] std::span<const AgentMetric> metrics() const override { return metrics_; }
  [[nodiscard]] std::span<const AgentInDom> indoms() const override { return indoms_; }
  [[nodiscard]] OrPmError<std::vector<AgentInstance>> instances(InDomId indom,
                                                                const AgentAsker& asker) override;
  void fetch(std::span<const uint32_t> which, const AgentAsker& asker,
             std::span<AgentValues* const> out) override;
  [[nodiscard]] int store_refusal() const override { return pm_err::E_PMID; }
  [[nodiscard]] int store(uint32_t which, std::span<const StoredItem> items,
                          const AgentAsker& asker) override;

 private:
  CollectorState* state_;
  std::vector<AgentMetric> metrics_;
  std::vector<AgentInDom> indoms_;
  PduTimes last_times_;
};

// In pmcd_host.cc: of this machine, as pmcd tells it.
[[nodiscard]] std::string collector_host_name();
[[nodiscard]] std::string posix_time_zone();  // "CET-1CEST,M3.5.0,M10.5.0/3"
[[nodiscard]] std::string zone_info_name();   // ":Europe/Berlin"; empty where it has none

}  // namespace pmjit
