// RuleGroup: a [[rules]] block at work, on a thread of its own: its connections, the rules of both
// dialects, their alerts. Source: spec alerting.md §3.3, §4.2, §5.
//
//   RuleGroup group(block, setup, world, clock);
//   auto opened = group.open();           // connects and compiles; an error is one of the rules
//   group.restore(states);
//   group.start();
//   group.adopt(next setup);              // from another thread: labels, texts, sinks of a reload
//   auto states = group.stop();           // for whoever goes on
//
// Where no host is there yet rules cannot be compiled: the group opens again and again, and its
// rules are unknown until then.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "rules/daemon/alert_binding.h"
#include "rules/daemon/group_engine.h"
#include "rules/daemon/rule_blocks.h"
#include "rules/model/action_plan.h"
#include "runtime/base/clock.h"

namespace pmjit {

// A configuration, and which of its blocks a group is of. Shared by the groups of a generation.
struct GroupSetup {
  std::shared_ptr<const DaemonConfig> config;
  uint32_t block = 0;
  std::vector<uint32_t> watched{};  // hosts whose pmjit.host_down is this group's
  std::string page{};

  [[nodiscard]] const RulesBlock& rules() const { return config->rules[block]; }
};

// What a group hands on. Called by its thread.
struct GroupWorld {
  std::function<void(StateBatch)> post{};
  std::function<void(const std::string& rule, const std::string& host, ActionPlan)> act{};
  std::function<void(LogLevel, const std::string& message,
                     std::vector<std::pair<std::string_view, std::string>> fields)>
      log{};
  AlertBoard& board;
  MetricSheet& metrics;
};

// What the groups know of their hosts.
enum class HostCondition : uint8_t { connecting, up, down };

class RuleGroup {
 public:
  // `clock` outlives it.
  RuleGroup(RuleBlock block, GroupSetup setup, GroupWorld world, const Clock& clock);
  ~RuleGroup();
  RuleGroup(const RuleGroup&) = delete;
  RuleGroup& operator=(const RuleGroup&) = delete;

  [[nodiscard]] const std::string& engine_key() const { return block_.engine_key; }
  [[nodiscard]] const std::string& name() const { return name_; }

  // On the thread of the caller, before start(). An error: rules that cannot run; that no host is
  // there is none.
  [[nodiscard]] Result<void> open();
  // Before start(): takes out of `states` those that are its own.
  void restore(std::map<AlertKey, StoredAlert>& states);
  void start();
  [[nodiscard]] bool started() const { return thread_.joinable(); }
  [[nodiscard]] const std::vector<std::string>& watched() const { return watched_; }  // hosts
  // Ends the thread.
  [[nodiscard]] std::vector<StoredAlert> stop();
  void adopt(GroupSetup setup);

  // From any thread.
  [[nodiscard]] Instant alive_at() const { return Instant(std::chrono::nanoseconds(alive_ns_)); }
  [[nodiscard]] std::chrono::nanoseconds shortest_interval() const;
  [[nodiscard]] std::map<std::string, HostCondition> hosts() const;

 private:
  struct HostWatch {
    uint32_t host = 0;  // of DaemonConfig::hosts
    std::unique_ptr<AlertBinding> binding;
  };

  void run();
  void take_setup();
  void reopen_if_due();
  void watch_hosts();
  // Null: the block has no such rule.
  [[nodiscard]] AlertBinding* binding(const AlertKey& key, Milliseconds interval);
  [[nodiscard]] const ConfigHost* config_host(const std::string& name) const;
  [[nodiscard]] AlertTable table_of(const AlertKey& key) const;
  void step(const std::string& rule, const std::string& host, const RuleTick& tick);
  void step_all_unknown(WallTime at);
  void flush();

  RuleBlock block_;
  GroupSetup setup_;
  GroupWorld world_;
  const Clock& clock_;
  std::string name_;
  std::vector<std::string> watched_;
  std::map<AlertKey, std::unique_ptr<AlertBinding>> bindings_;
  AlertOutput output_;
  std::unique_ptr<GroupEngine> engine_;  // null: no host is there yet
  std::vector<HostWatch> watches_;
  Instant next_watch_{}, next_keep_{}, next_open_{};
  std::chrono::nanoseconds open_pause_{0};

  mutable std::mutex mutex_;  // of the three below
  std::optional<GroupSetup> next_setup_{};
  std::map<std::string, HostCondition> host_states_{};
  std::atomic<bool> stops_ = false;
  std::atomic<int64_t> alive_ns_ = 0;
  std::thread thread_;
};

}  // namespace pmjit
