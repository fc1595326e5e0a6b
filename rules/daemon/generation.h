// Generation: a configuration that was read and compiled, with everything that is wrong with it,
// and the groups that run it. Source: spec alerting.md §2.6.
//
//   auto next = read_generation(input);
//   if (next.problems.has_errors()) return next.problems.text();    // nothing has changed
//   const GroupPlan plan = plan_groups(next, setups, running);
//   auto groups = open_groups(plan, world, clock);                   // an error: likewise
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rules/daemon/rule_group.h"

namespace pmjit {

struct Generation {
  std::shared_ptr<const DaemonConfig> config;
  ConfigProblems problems;
  std::vector<RuleBlock> blocks;
};

[[nodiscard]] Generation read_generation(const ConfigInput& input);

// What each block's group is set up with: every host is watched by the first block that has it.
[[nodiscard]] std::vector<GroupSetup> group_setups(const Generation& generation,
                                                   const std::string& page);

// What a reload makes of the groups that run: a block whose hosts, interval and definitions are the
// same stays in its group, whatever its rules are, and the group keeps its connections.
struct GroupPlan {
  struct Part {
    RuleGroup* group = nullptr;  // null: a new one
    RuleBlock rules{};
    GroupSetup setup{};
  };
  std::vector<Part> parts;
  uint64_t connections = 0;  // until groups that do not go on have ended
};
[[nodiscard]] GroupPlan plan_groups(const Generation& next, const std::vector<GroupSetup>& setups,
                                    const std::vector<RuleGroup*>& running);

// The new groups of a plan, opened side by side, while those that go on open what is new to them.
// An error is that of the first whose rules cannot run; nothing has changed then.
[[nodiscard]] Result<std::vector<std::unique_ptr<RuleGroup>>> open_groups(const GroupPlan& plan,
                                                                          const GroupWorld& world,
                                                                          const Clock& clock);
// Groups that go on need not open anything any more.
void forget_prepared(const GroupPlan& plan);

// What a configuration needs beyond what the process may have is an error that says so. The limit
// of descriptors is raised as far as it may be. `connections`: of a plan; 0: of a start.
[[nodiscard]] Result<void> check_connections(const DaemonConfig& config, uint64_t connections = 0);

}  // namespace pmjit
