// RuleGroup: a [[rules]] block at work, on a thread of its own: its connections, the rules of both
// dialects, their alerts. Source: spec alerting.md §3.3, §4.2, §5.
//
//   RuleGroup group(block, setup, world, clock);
//   auto opened = group.open();           // connects and compiles; an error is one of the rules
//   group.restore(states);
//   group.start();
//   auto states = group.stop();           // for whoever goes on
//
// A reload that leaves hosts and intervals as they are has three steps, from another thread. Rules
// that are the same go on throughout, and others are opened on the same connections (RuleParts):
//
//   group.prepare(setup, block);
//   auto prepared = group.prepared();     // an error: rules cannot run; then forget(), and no more
//   group.adopt(setup, block);            // labels, texts, sinks, rules
//   auto states = group.given_up();       // of rules that are others now, or no more
//   group.receive(states);                // those that are its own by now
//
// Where no host is there yet rules cannot be compiled: the group opens again and again, and its
// rules are unknown until then.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "rules/daemon/alert_binding.h"
#include "rules/daemon/group_engine.h"
#include "rules/daemon/rule_blocks.h"
#include "rules/daemon/rule_parts.h"
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
  // What a rule does at a time.
  std::function<void(const std::string& rule, const std::string& host, std::vector<ActionPlan>)>
      act{};
  std::function<void(LogLevel, const std::string& message,
                     std::vector<std::pair<std::string_view, std::string>> fields)>
      log{};
  std::function<bool()> stop{};  // is the daemon to end? From any thread; none: it is not
  std::function<std::unique_ptr<Network>(const Clock& clock)> network = make_network;
  AlertBoard& board;
  MetricSheet& metrics;
};

// What the groups know of their hosts.
enum class HostCondition : uint8_t { connecting, up, late, down };

class RuleGroup {
 public:
  // `clock` outlives it.
  RuleGroup(RuleBlock block, GroupSetup setup, GroupWorld world, const Clock& clock);
  ~RuleGroup();
  RuleGroup(const RuleGroup&) = delete;
  RuleGroup& operator=(const RuleGroup&) = delete;

  // For the thread of reloads: its rules, and whether it may go on with these.
  [[nodiscard]] const RuleBlock& latest() const { return latest_; }
  [[nodiscard]] bool can_take(const RuleBlock& next) const;
  [[nodiscard]] std::string name() const;

  // On the thread of the caller, before start(). An error: rules that cannot run; that no host is
  // there is none.
  [[nodiscard]] Result<void> open();
  // Before start(): takes out of `states` those that are its own.
  void restore(std::map<AlertKey, StoredAlert>& states);
  void start();
  [[nodiscard]] bool started() const { return thread_.joinable(); }
  [[nodiscard]] const std::vector<std::string>& watched() const { return watched_; }  // hosts
  // What the thread does again and again; a test without one calls it.
  void run_round();
  // How many rules on hosts have something that is remembered: alerts, or that they are unknown.
  [[nodiscard]] size_t remembered() const { return bindings_.size() + dark_.size(); }
  // Ends the thread.
  [[nodiscard]] std::vector<StoredAlert> stop();
  // Opens what a reload brings that can_take(); it tells of it when it is adopted.
  void prepare(GroupSetup setup, RuleBlock rules);
  // Waits until that is done.
  [[nodiscard]] Result<void> prepared();
  void forget();
  // What a reload changes, once it is prepared.
  void adopt(GroupSetup setup, RuleBlock rules);
  // Waits until the thread has done so: states of rules that it does not go on with.
  [[nodiscard]] std::vector<StoredAlert> given_up();
  // Then: takes those of its rules out of `states`.
  void receive(std::map<AlertKey, StoredAlert>& states);

  // From any thread.
  [[nodiscard]] size_t connections() const { return members_.size(); }  // at most; one per host
  [[nodiscard]] Instant alive_at() const { return Instant(std::chrono::nanoseconds(alive_ns_)); }
  [[nodiscard]] std::chrono::nanoseconds shortest_interval() const {
    return std::chrono::nanoseconds(shortest_ns_);
  }
  [[nodiscard]] std::map<std::string, HostCondition> hosts() const;
  // How many rules on hosts are unknown, by the reason; some seconds ago.
  [[nodiscard]] std::map<std::string, size_t> unknown() const;

 private:
  // A host of the block, at its place in RulesBlock::host_ids.
  struct Member {
    std::unique_ptr<AlertBinding> down{};  // pmjit.host_down; null: another group's, or nobody's
    std::optional<WallTime> stepped{};     // the time of the host that was looked at last
    bool came = false;                     // was it there when rules were to be opened?
  };
  // A rule on a host that is unknown, has no alert, and of which nobody has heard. They may be all
  // rules of a host, so they are small.
  struct Dark {
    WallTime since{};
    Milliseconds stale{};  // after which it is an event
    bool held = false;     // at the last tick: the host was known to be down
    AlertReason reason{};
  };
  struct RuleOnHost {
    std::string_view rule, host, instance{};
  };
  struct ByRuleAndHost {
    using is_transparent = void;
    bool operator()(const auto& one, const auto& other) const {
      using Key = std::tuple<std::string_view, std::string_view, std::string_view>;
      return Key(one.rule, one.host, one.instance) < Key(other.rule, other.host, other.instance);
    }
  };
  template <class Value>
  using ByRule = std::map<AlertKey, Value, ByRuleAndHost>;
  using Bindings = ByRule<std::unique_ptr<AlertBinding>>;

  void run();
  void index_hosts();
  [[nodiscard]] EngineSink sink_of(const RulePart& part);
  [[nodiscard]] GroupEngine::Setup engine_setup(const GroupSetup& setup, const RuleBlock& rules);
  // Steps of a reload (group_reload.cc).
  void tend_reload();
  [[nodiscard]] bool is_prepared() const;
  void drop_forgotten();
  void open_prepared();
  void see_prepared();
  void settle(Result<void> prepared);
  void drop_prepared();
  void take_setup();
  void take_received();
  void drop_silent_parts();
  void give_up_others();
  [[nodiscard]] bool is_of(const RuleBlock& rules, const AlertKey& key) const;
  [[nodiscard]] bool tells(const RuleBlock& rules, const std::string& alert) const;
  void reopen_if_due();
  [[nodiscard]] static std::string name_of(const RuleBlock& block);
  void watch_hosts();
  void watch_host(size_t place, const HostTick& tick);
  // Null: the block has no such rule.
  [[nodiscard]] AlertBinding* binding(const AlertKey& key, Milliseconds interval);
  [[nodiscard]] const ConfigHost* config_host(std::string_view name) const;
  [[nodiscard]] AlertTable table_of(const AlertKey& key) const;
  [[nodiscard]] Milliseconds stale_of(const std::string& rule) const;
  void step(const std::string& rule, const std::string& host, const RuleTick& tick);
  [[nodiscard]] bool holds_unknown(const AlertReason& reason) const;
  AlertChanges step_place(const RuleOnHost& place, const RuleTick& tick);
  AlertChanges step_new(const RuleOnHost& place, const RuleTick& tick, bool holds);
  // What becomes of the elements of an alert, and its actions (alert_elements.cc).
  struct AlertActs {
    std::vector<std::optional<std::string>> began{}, firing{}, ended{}, dark{};
    void add(const std::optional<std::string>& instance, const AlertChanges& changes);
  };
  void step_alert(const std::string& rule, const std::string& host, const AlertTick& tick);
  void step_lanes(const RuleOnHost& place, const AlertTick& tick, AlertActs& acts);
  void step_all_of(const RuleOnHost& place, const RuleTick& tick,
                   const std::vector<std::string>& instances, AlertActs& acts);
  void act_on_alert(const RuleOnHost& place, const AlertTick& tick, const AlertActs& acts);
  // Of those that are pending or fire.
  [[nodiscard]] std::vector<std::string> active_instances(const RuleOnHost& place) const;
  void step_all_unknown(WallTime at);
  void flush();
  void flush_costs();
  void count_unknown();

  RuleBlock latest_;  // of the thread of reloads
  const TickPlace places_;
  RuleParts parts_;
  RuleBlock block_;  // the rules whose alerts it tells and whose actions it does
  GroupSetup setup_;
  GroupWorld world_;
  const Clock& clock_;
  std::string name_;
  std::vector<std::string> watched_;
  std::unordered_map<std::string_view, const ConfigHost*> hosts_;  // of the setup, by name
  Bindings bindings_;  // only of what is pending, fires, or was told to be unknown
  ByRule<Dark> dark_;
  AlertOutput output_;
  // Its parts are those of parts_. Null: no host is there yet.
  std::unique_ptr<GroupEngine> engine_;
  // The last part is that of a reload: it is opened, or was and has not been adopted yet.
  bool opens_part_ = false, has_prepared_part_ = false;
  std::vector<Member> members_;
  // Since the last flush; evaluations by RuleTruth.
  std::array<uint64_t, 3> evaluated_{};
  TimeCounts late_{}, worked_{};
  std::unordered_map<std::string, double> spent_;
  Instant next_watch_{}, next_keep_{}, next_open_{};
  Instant patient_until_{};  // with hosts that have not answered yet
  std::chrono::nanoseconds open_pause_{0};

  struct Next {
    GroupSetup setup;
    RuleBlock rules;
  };
  struct Prepared {
    Next next;
    bool has_begun = false;  // its rules are being opened, or were
    std::optional<Result<void>> done{};
  };
  mutable std::mutex mutex_;  // of what follows, and of changes of name_
  std::condition_variable settled_;
  std::optional<Prepared> prepared_{};
  std::optional<Next> next_{};
  std::vector<StoredAlert> given_up_{};
  std::optional<RuleBlock> coming_{};  // all that it goes on with
  bool may_come_ = false;
  std::map<AlertKey, StoredAlert> received_{};
  std::map<std::string, HostCondition> host_states_{};
  std::string refusal_{};  // why rules do not run on hosts that have come; empty: they may
  std::map<std::string, size_t> unknown_{};
  std::atomic<bool> stops_ = false;
  std::atomic<int64_t> alive_ns_ = 0, shortest_ns_ = 0;
  std::thread thread_;
};

}  // namespace pmjit
