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

#include <array>
#include <chrono>
#include <map>
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

// What is read from files: the time zone of this machine, and which of PCP's tools run.
struct PmcdPlaces {
  std::string local_time = "/etc/localtime";
  std::string temporary{};  // has folders `pmlogger` and `pmie`; empty: none of them is known
  std::string run{};        // has pmie.pid, with the process of the primary one
};

// Where PCP's installation has them.
[[nodiscard]] PmcdPlaces installed_places();

class PmcdAgent final : public Agent {
 public:
  static constexpr uint32_t kDomain = 2;

  explicit PmcdAgent(CollectorState& state);  // which outlives it
  struct FilesApart {
    std::chrono::milliseconds patience = TimedAgent::kPatience;
    PmcdPlaces places{};
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
  [[nodiscard]] bool begin_instances(InDomId indom, const AgentAsker& asker) override;
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

// In pmcd_tools.cc: by process, what a file of a process that runs says. That of the primary one
// has the number 0, too.
struct LoggerFacts {
  uint32_t port = 0;
  std::string host{}, archive{};  // that it records, and writes
};
[[nodiscard]] std::map<int32_t, LoggerFacts> running_loggers(const PmcdPlaces& places);
struct EngineFacts {
  std::string rules_file{}, log_file{}, host{};
  float expected = 0;                // evaluations a second
  std::array<uint32_t, 7> counts{};  // rules, actions, true, false, unknown, evaluations, version
};
[[nodiscard]] std::map<int32_t, EngineFacts> running_engines(const PmcdPlaces& places);

}  // namespace pmjit
