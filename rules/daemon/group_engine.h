// GroupEngine: evaluates the rules of a block over its hosts while time goes by: those of the
// strict dialect over the fleet, those of pmie once per host. Source: spec alerting.md §3.3, §5.
//
//   auto engine = GroupEngine::open(*network, block, setup, sink, clock, stop);
//   while (!stop()) engine->run_some(until);       // says what it has evaluated to the sink
//
// Ticks are aligned: rules of an interval are due at its multiples. One fetch per dialect goes to
// each host, for all that is due.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rules/daemon/alert_binding.h"
#include "rules/daemon/rule_blocks.h"
#include "rules/model/action_plan.h"
#include "rules/model/events.h"
#include "runtime/client/host_fleet.h"

namespace pmjit {

// What the engine says; `host` as the configuration names it, empty for a rule of all hosts.
struct EngineSink {
  std::function<void(const std::string& rule, const std::string& host, const RuleTick& tick)>
      evaluated{};
  std::function<void(const std::string& rule, const std::string& host, ActionPlan plan)> act{};
  // Of a task: how much later than its time it was evaluated, in seconds.
  std::function<void(double late)> ticked{};
  std::function<void(uint64_t times)> missed{};
  std::function<void(const std::string& warning)> warn{};
  // Is an alert of this rule wanted, though it is an expression without actions?
  std::function<bool(const std::string& rule)> wants{};
};

class GroupEngine {
 public:
  // What it needs of a block.
  struct Setup {
    const RuleBlock& block;
    const DaemonConfig& config;
    std::function<bool()> stop{};
  };
  virtual ~GroupEngine() = default;

  // Connects. None: no host is there, and `why` says so. An error: the rules cannot run.
  [[nodiscard]] static Result<std::unique_ptr<GroupEngine>> open(const Setup& setup,
                                                                 EngineSink sink,
                                                                 const Clock& clock, Error& why);

  // Evaluates what is due; waits for hosts, or for the next time, at most until then.
  virtual void run_some(Stamp until) = 0;
  // Why the host does not answer; none: it does. By its place in RulesBlock::host_ids.
  [[nodiscard]] virtual std::optional<std::string> down(size_t host) const = 0;
};

}  // namespace pmjit
