// GroupEngine: evaluates the rules of a block over its hosts while time goes by: those of the
// strict dialect over the fleet, those of pmie once per host. Source: spec alerting.md §3.3, §5.
//
//   auto engine = GroupEngine::open({.block = block, .config = config}, sink, clock, why);
//   while (!stop()) (*engine)->run_some(until);    // says what it has evaluated to the sink
//
// Ticks are aligned: rules of an interval are due at its multiples. One fetch goes to each host,
// for all that is due.
//
// A reload adds rules on the same hosts and connections, and drops others:
//
//   auto begun = engine->add({.block = more, .config = config}, sink);
//   while (!engine->added()) run_some(until) …    // those that run go on
//   engine->drop(0);                              // the parts behind it move up
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rules/daemon/alert_binding.h"
#include "rules/daemon/rule_blocks.h"
#include "rules/model/action_plan.h"
#include "rules/model/events.h"
#include "rules/strict/alert_reading.h"
#include "runtime/client/fetch_counts.h"
#include "runtime/client/host_fleet.h"
#include "runtime/client/net/asio_network.h"

namespace pmjit {

// What an evaluation says of an `alert` in strict rules; while the engine tells it.
struct AlertTick {
  using Elements = std::span<const std::optional<std::string>>;  // instances; none: the whole
  const strict::AlertReading& reading;
  WallTime at{};
  Milliseconds interval{};
  // Where elements are now, with their values.
  std::function<std::vector<RuleBinding>(Elements elements)> bindings{};
  // What is to be done about them; `again`: they fire as before. None: nothing.
  std::function<std::optional<ActionPlan>(strict::Clause::When when,
                                          const std::vector<RuleBinding>& about, bool again)>
      plan{};
};

// What the engine says; `host` as the configuration names it, empty for a rule of all hosts.
struct EngineSink {
  // Of a host, by its place in RulesBlock::host_ids: is it there? Before rules are read.
  std::function<void(size_t host, bool is_there)> came{};
  // `rule`: of a ruleset each of its rules, as name_in_ruleset() has it.
  std::function<void(const std::string& rule, const std::string& host, const RuleTick& tick)>
      evaluated{};
  // The same of an `alert`, whose actions are for the listener to ask for.
  std::function<void(const std::string& rule, const std::string& host, const AlertTick& tick)>
      alert{};
  std::function<void(const std::string& rule, const std::string& host, ActionPlan plan)> act{};
  // Rules of an interval on a host: how much later than it was due, at the host's place in the
  // interval, this ended, in seconds.
  std::function<void(double late)> ticked{};
  // Rules of an interval, on the hosts that had answered: how long that took, in seconds.
  std::function<void(double seconds)> worked{};
  // How much of that a rule took. Strict rules are evaluated together, and share it evenly.
  std::function<void(const std::string& rule, double seconds)> spent{};
  // So many of these were due, and nobody evaluated them.
  std::function<void(uint64_t times)> missed{};
  std::function<void(const std::string& warning)> warn{};
  // Is an alert of this rule wanted, though it is an expression without actions?
  std::function<bool(const std::string& rule)> wants{};
};

struct HostTick {
  WallTime at{};
  Milliseconds interval{};                // of the rules that are due most often
  std::optional<std::string> why_down{};  // none: it has answered
  bool late = false;                      // all that is wrong is that no answer came in time
};

// The newer one is in `out`; of the same time the one that says that there was no answer.
void take_newer(std::optional<HostTick>& out, std::optional<HostTick> tick);

class GroupEngine {
 public:
  // What it needs of a block.
  struct Setup {
    const RuleBlock& block;
    const DaemonConfig& config;
    std::function<bool()> stop{};
    // Of open(): where its hosts have their places, also for rules that are added.
    TickPlace places{};
    // Of open(): its own connections; it is not used by others.
    std::function<std::unique_ptr<Network>(const Clock& clock)> network = make_network;
  };
  virtual ~GroupEngine() = default;

  // Connects. None: no host is there, and `why` says so. An error: the rules cannot run.
  [[nodiscard]] static Result<std::unique_ptr<GroupEngine>> open(const Setup& setup,
                                                                 EngineSink sink,
                                                                 const Clock& clock, Error& why);

  // Rules that are evaluated as one part more, the last one. It asks hosts first; nothing waits for
  // them. An error: the rules cannot run, and there is no such part.
  [[nodiscard]] virtual Result<void> add(const Setup& setup, EngineSink sink) = 0;
  // Of the last part: does it run? None: hosts have not said yet what they have. An error: it
  // cannot; who added it drops it.
  [[nodiscard]] virtual std::optional<Result<void>> added() const = 0;
  virtual void drop(size_t part) = 0;

  // Evaluates what is due; waits for hosts, or for the next time, at most until then.
  virtual void run_some(Stamp until) = 0;
  // The newest time at which the host was asked, and that has ended; none: there is none yet. By
  // its place in RulesBlock::host_ids.
  [[nodiscard]] virtual std::optional<HostTick> last_tick(size_t host) const = 0;
  // Since the last call.
  [[nodiscard]] virtual FetchCounts take_fetch_counts() = 0;
};

}  // namespace pmjit
