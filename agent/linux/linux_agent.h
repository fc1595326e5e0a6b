// LinuxAgent: what the kernel of this machine says of it, as PCP's agent `linux` (domain 60) does:
// the same names, identifiers, types, instances, semantics and units, with texts of our own.
//
//   LinuxAgent linux;                        // of "/"
//   LinuxAgent of_a_test("machine");   // a folder with proc/stat and so on
//
// Metrics are rows of linux_metrics.def, files rows of linux_sources.def. A file is read once in a
// fetch, and only when one of its metrics is asked for. A file that does not exist gives
// PM_ERR_APPVERSION; a line or column that does not exist gives no value.
#pragma once

#include "agent/linux/linux_machine.h"
#include "agent/model/agent.h"

namespace pmjit {

class LinuxAgent final : public Agent {
 public:
  static constexpr uint32_t kDomain = 60;

  // `ask`, `patience`: of a test whose mounts hang.
  explicit LinuxAgent(std::string root = "", MountRooms::Ask ask = statfs_of,
                      std::chrono::milliseconds patience = MountRooms::kPatience);

  [[nodiscard]] std::string_view name() const override { return "linux"; }
  [[nodiscard]] uint32_t domain() const override { return kDomain; }
  [[nodiscard]] std::span<const AgentMetric> metrics() const override { return metrics_; }
  [[nodiscard]] std::span<const AgentInDom> indoms() const override { return indoms_; }
  [[nodiscard]] OrPmError<std::vector<AgentInstance>> instances(InDomId indom,
                                                                const AgentAsker& asker) override;
  [[nodiscard]] std::vector<std::vector<AgentLabel>> instance_labels(
      InDomId indom, std::span<const AgentInstance> instances) override;
  void fetch(std::span<const uint32_t> which, const AgentAsker& asker,
             std::span<AgentValues* const> out) override;
  [[nodiscard]] bool takes_stores() const override { return false; }
  [[nodiscard]] bool knows_containers() const override { return false; }
  [[nodiscard]] std::vector<std::string> take_notes() override { return machine_.take_notes(); }

  // By the last fetch; for tests.
  [[nodiscard]] size_t files_read() const { return machine_.files_read(); }

 private:
  struct MetricPlan {
    LinuxSourceId source;
    LinuxDomain domain;
    std::vector<PlaceSum> places;            // one, or one for each instance
    LinuxComputation computation = nullptr;  // instead of places
  };
  void add_metrics();
  void fill(const MetricPlan& plan, AgentValues& out);
  void fill_instances(const MetricPlan& plan, AgentValues& out);
  void fill_sum(const MetricPlan& plan, AgentValues& out);
  void fill_fixed(const MetricPlan& plan, AgentValues& out);

  LinuxMachine machine_;
  std::vector<AgentMetric> metrics_;
  std::vector<MetricPlan> plans_;  // of metrics_
  std::vector<AgentInDom> indoms_;
};

}  // namespace pmjit
