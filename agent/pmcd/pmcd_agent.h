// PmcdAgent: what the collector says of itself, as the agent `pmcd` (domain 2) that PCP's pmcd has:
// the metrics that clients expect to find, and who is connected. Source: spec
// collector-and-agents.md §1.17.
//
//   CollectorState state{.version = "0.1.0", .build = "pmjit"};
//   PmcdAgent pmcd(state);
//   CollectorCore core(clock, {&pmcd, &linux}, state);    // which keeps `state` true
//
// Each client can store pmcd.client.whoami for itself, the super-user pmcd.control.timeout and
// pmcd.agent.fenced; a store of pmcd.seqnum counts.
//
// Most values are counters of the collector, which its own thread alone may read. A few are read
// from files, which may hang with their disk. After read_files_apart() another thread reads those,
// with a deadline: when it is late, these metrics alone have no values.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "agent/model/agent.h"
#include "agent/model/collector_state.h"
#include "agent/model/timed_agent.h"
#include "runtime/tz/rules.h"

namespace pmjit {

// How much processor time was used when cputime.per_pdu_in was last fetched.
struct PduTimes {
  uint64_t microseconds = 0;
  uint32_t pdus = 0;
};

// Where the time zone of this machine is.
inline constexpr std::string_view kLocalTime = "/etc/localtime";

class PmcdAgent final : public Agent {
 public:
  static constexpr uint32_t kDomain = 2;

  explicit PmcdAgent(CollectorState& state);  // which outlives it
  struct FilesApart {
    std::chrono::milliseconds patience = TimedAgent::kPatience;
    std::string local_time{kLocalTime};
  };
  void read_files_apart(FilesApart how);

  [[nodiscard]] std::string_view name() const override { return "pmcd"; }
  [[nodiscard]] uint32_t domain() const override { return kDomain; }
  [[nodiscard]] std::span<const AgentMetric> metrics() const override { return metrics_; }
  [[nodiscard]] std::span<const AgentInDom> indoms() const override { return indoms_; }
  [[nodiscard]] OrPmError<std::vector<AgentInstance>> instances(InDomId indom,
                                                                const AgentAsker& asker) override;
  void fetch(std::span<const uint32_t> which, const AgentAsker& asker,
             std::span<AgentValues* const> out) override;
  [[nodiscard]] bool begin_fetch(std::span<const uint32_t> which, const AgentAsker& asker) override;
  [[nodiscard]] bool fetches(const AgentAsker& asker) const override {
    return files_ && files_->fetches(asker);
  }
  void when_fetched(std::function<void()> call) override {
    if (files_) files_->when_fetched(std::move(call));
  }
  void forget(const AgentAsker& asker) override {
    if (files_) files_->forget(asker);
  }
  [[nodiscard]] std::chrono::milliseconds patience() const override {
    return files_ ? files_->patience() : std::chrono::milliseconds();
  }
  [[nodiscard]] std::vector<std::string> take_notes() override {
    return files_ ? files_->take_notes() : std::vector<std::string>();
  }
  [[nodiscard]] int store_refusal() const override { return pm_err::E_PMID; }
  [[nodiscard]] int store(uint32_t which, std::span<const StoredItem> items,
                          const AgentAsker& asker) override;

 private:
  [[nodiscard]] int store_control(uint32_t which, std::span<const StoredItem> items,
                                  const AgentAsker& asker);

  CollectorState* state_;
  std::vector<AgentMetric> metrics_;
  std::vector<AgentInDom> indoms_;
  PduTimes last_times_;
  const tz::SharedRules zone_;         // of this process
  std::unique_ptr<TimedAgent> files_;  // null: they are read when they are asked for
};

// In pmcd_host.cc: of this machine, as pmcd tells it.
[[nodiscard]] std::string collector_host_name();
[[nodiscard]] std::string posix_time_zone(
    const std::string& local_time);  // "CET-1CEST,M3.5.0,M10.5.0/3"
[[nodiscard]] std::string zone_info_name(
    const std::string& local_time);  // ":Europe/Berlin"; empty where it has none

}  // namespace pmjit
