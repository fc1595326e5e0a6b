// StrictTasks: strict rules of one interval, over all hosts of a block, evaluated as answers come.
//
//   StrictTasks tasks(set, delta, fleet, hosts, sink, clock);
//   auto opened = tasks.open(options, safe_shell);    // an error: the rules cannot run
//   Stamp wakes = tasks.run();                        // evaluates what is due and has come
//
// Where other rules run on the fleet already, they go on while hosts are asked:
//
//   tasks.open_beside(options, safe_shell);
//   while (!tasks.opened()) tasks.run() …
//
// If rules cannot be compiled any more, the sink hears it, and StrictTasks tries again later.
// Fleet, hosts, sink and clock must live longer.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rules/daemon/group_engine.h"
#include "rules/daemon/lacking_watch.h"
#include "rules/strict/fleet_replay.h"

namespace pmjit {

class StrictTasks final : public EventWriter, public strict::ReplayWatcher {
 public:
  // `hosts` are the members of the fleet, in its order. `delta` is in seconds.
  StrictTasks(strict::RuleSet set, double delta, const HostFleet& fleet,
              const std::vector<ConfigHost>& hosts, EngineSink& sink, const Clock& clock);

  [[nodiscard]] Result<void> open(strict::TaskOptions options, bool safe_shell);
  void open_beside(strict::TaskOptions options, bool safe_shell);
  // None: hosts have not said yet what they have.
  [[nodiscard]] const std::optional<Result<void>>& opened() const { return opened_; }
  // With windows that begin anew, once hosts have said what they have. What is wrong then is said,
  // and tried again.
  void begin_anew();
  // When there is something to do again.
  [[nodiscard]] Stamp run();

 private:
  [[nodiscard]] Result<std::unique_ptr<strict::FleetReplay>> compiled();
  void go_on_with(std::unique_ptr<strict::FleetReplay> replay);
  void tell_cost(double seconds);
  void give_up(const Error& why);
  // Where hosts have said that they have more, an agent may have come; or after a failure. Windows
  // begin anew only if rules run on more hosts.
  void compile_again_if_ready();
  // Rules are unknown where they lack a metric, as those of pmie are. When again.
  Stamp tell_lacking();
  [[nodiscard]] std::vector<strict::LackingRule> lacking() const;
  void tell_lacking_alert(const strict::LackingRule& one, AlertReason why, double when);
  void tell_alert(const strict::Evaluated& evaluated, double when);

  void begin(const ReplaySchema& schema) override;
  void put(const RuleTransition& event) override;
  void put(const RuleAction& event) override;
  void end(double when, std::span<const RuleState> states) override;
  void evaluated(std::span<const strict::Evaluated> rules, double when) override;
  // A rule behind a true one is passed over, and counts as false.
  void tell_ruleset(const strict::Evaluated& set, double when);
  void tell(const std::string& name, const strict::Evaluated& rule, RuleTruth truth, double when);

  [[nodiscard]] bool acts(size_t rule) const;
  // Empty: the rule is about all of them.
  [[nodiscard]] std::string host_of(std::optional<size_t> member) const;
  [[nodiscard]] AlertReason reason_of(std::optional<size_t> host) const;

  strict::RuleSet set_;
  double delta_;
  const HostFleet& fleet_;
  const std::vector<ConfigHost>& hosts_;
  EngineSink& sink_;
  const Clock& clock_;
  strict::TaskOptions options_{};
  bool safe_shell_ = true;
  std::optional<Result<void>> opened_{};
  std::unique_ptr<strict::FleetReplay> replay_;  // null: it is not there yet, or has failed
  LackingWatch lacking_watch_;
  Stamp ran_{};                                   // what had begun by then was evaluated, or is
  bool begins_anew_ = false;                      // whatever hosts say
  Stamp next_lacking_{};                          // when what lacks a metric is unknown again
  uint64_t missed_ = 0;                           // that has been told
  std::vector<std::string> names_;                // of ReplaySchema::rules
  std::vector<std::optional<size_t>> members_;    // likewise: of the fleet; none: of all hosts
  std::vector<std::vector<std::string>> alerts_;  // of each rule of the set: their names
};

}  // namespace pmjit
