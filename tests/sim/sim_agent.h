// The agents of simulated hosts, for requests that are not answered from prepared bytes: names,
// descriptors, instances, and the first fetch of each shape. One collector core serves all hosts;
// which host is meant follows from the connection that asks.
//
//   SimAgent values(shape, moment_of);     // moment_of(client): host, step, instances
//   SimPmcd pmcd(state, moment_of);        // pmcd.*, with the host's own name
//   CollectorCore core(clock, {&pmcd, &values}, state);
#pragma once

#include <functional>

#include "agent/pmcd/pmcd_agent.h"
#include "tests/sim/sim_metrics.h"

namespace pmjit::test {

// By AgentAsker::client.
using SimMomentOf = std::function<SimMoment(uint32_t client)>;

class SimAgent final : public Agent {
 public:
  SimAgent(const SimShape& shape, SimMomentOf moment_of);

  [[nodiscard]] std::string_view name() const override { return "sim"; }
  [[nodiscard]] uint32_t domain() const override { return kSimDomain; }
  [[nodiscard]] std::span<const AgentMetric> metrics() const override { return rows_; }
  [[nodiscard]] std::span<const AgentInDom> indoms() const override { return indoms_; }
  [[nodiscard]] OrPmError<std::vector<AgentInstance>> instances(InDomId indom,
                                                                const AgentAsker& asker) override;
  void fetch(std::span<const uint32_t> which, const AgentAsker& asker,
             std::span<AgentValues* const> out) override;

  [[nodiscard]] std::span<const SimMetric> sim_metrics() const { return metrics_; }

 private:
  SimShape shape_;
  SimMomentOf moment_of_;
  std::vector<SimMetric> metrics_;
  std::vector<AgentMetric> rows_;  // of the same metrics
  std::vector<AgentInDom> indoms_;
};

// Our collector's own agent `pmcd`, but for pmcd.hostname.
class SimPmcd final : public Agent {
 public:
  SimPmcd(CollectorState& state, SimMomentOf moment_of)
      : inner_(state), moment_of_(std::move(moment_of)) {}

  [[nodiscard]] std::string_view name() const override { return inner_.name(); }
  [[nodiscard]] uint32_t domain() const override { return inner_.domain(); }
  [[nodiscard]] std::span<const AgentMetric> metrics() const override { return inner_.metrics(); }
  [[nodiscard]] std::span<const AgentInDom> indoms() const override { return inner_.indoms(); }
  [[nodiscard]] OrPmError<std::vector<AgentInstance>> instances(InDomId indom,
                                                                const AgentAsker& asker) override {
    return inner_.instances(indom, asker);
  }
  void fetch(std::span<const uint32_t> which, const AgentAsker& asker,
             std::span<AgentValues* const> out) override;
  [[nodiscard]] int store_refusal() const override { return inner_.store_refusal(); }
  [[nodiscard]] int store(uint32_t which, std::span<const StoredItem> items,
                          const AgentAsker& asker) override {
    return inner_.store(which, items, asker);
  }

 private:
  PmcdAgent inner_;
  SimMomentOf moment_of_;
};

}  // namespace pmjit::test
