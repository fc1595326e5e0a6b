// EngineRules: the rules of a block that were opened together, over the hosts of an engine. Others
// may run beside them, on the same connections: a reload brings some.
//
//   EngineRules rules(world, sink);
//   auto opened = rules.open(setup);        // waits for hosts; an error: the rules cannot run
//   Stamp wakes = rules.run();              // evaluates what is due and has come
//
// Where others go on meanwhile:
//
//   auto begun = rules.open_beside(setup);
//   while (!rules.opened()) rules.run() …   // hosts are asked; nobody waits for them
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "rules/daemon/group_engine.h"
#include "rules/daemon/pmie_hosts.h"
#include "rules/daemon/strict_tasks.h"
#include "rules/strict/definitions.h"

namespace pmjit {

class EngineRules {
 public:
  // Of the engine, which outlives it.
  struct World {
    const Clock& clock;
    Network& network;
    const HostFleet& fleet;
    const std::vector<ConfigHost>& hosts;  // members of the fleet, in its order
    Definitions& definitions;
  };
  EngineRules(const World& world, EngineSink sink);

  // False: the daemon is to end.
  [[nodiscard]] Result<bool> open(const GroupEngine::Setup& setup);
  [[nodiscard]] Result<void> open_beside(const GroupEngine::Setup& setup);
  // None: hosts have not said yet what they have.
  [[nodiscard]] const std::optional<Result<void>>& opened() const { return opened_; }

  void begin_anew();
  // When there is something to do again.
  [[nodiscard]] Stamp run();
  // As GroupEngine has it.
  [[nodiscard]] std::optional<HostTick> last_tick(size_t host) const;
  // Interval of the rule that is due most often, in seconds; HUGE_VAL: there is none.
  [[nodiscard]] double shortest() const { return shortest_; }

 private:
  [[nodiscard]] Result<void> read(const GroupEngine::Setup& setup, bool beside);
  [[nodiscard]] Result<void> read_strict(const GroupEngine::Setup& setup, bool beside);
  void read_pmie(const GroupEngine::Setup& setup);
  [[nodiscard]] Result<void> begin_pmie();
  // Have all rules been opened by now?
  [[nodiscard]] std::optional<Result<void>> look_whether_opened();

  World world_;
  EngineSink sink_;
  std::optional<Result<void>> opened_{};
  std::vector<std::unique_ptr<StrictTasks>> strict_;
  RuleNames strict_names_;
  std::unique_ptr<pmie::CommonRules> rules_;  // of pmie; null: there are none
  std::vector<BlockRule> of_pmie_;
  PmieHosts pmie_;
  bool pmie_begun_ = false;
  double shortest_ = HUGE_VAL;
};

}  // namespace pmjit
