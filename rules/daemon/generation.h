// Generation: a configuration that was read and compiled, with everything that is wrong with it,
// and the groups that run it. Source: spec alerting.md §2.6.
//
//   auto next = read_generation(input);
//   if (next.problems.has_errors()) return next.problems.text();    // nothing has changed
//   const GroupPlan plan = plan_groups(next, setups, running);
//   auto groups = open_new_groups(plan, world, clock);               // an error: likewise
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

// What a reload makes of the groups that run. Rules that are the same stay in their group, and it
// keeps windows and connections; those of a block that are new or others get a group more. So a
// block has several groups after some reloads: kGroupsMost, then all its rules begin anew.
struct GroupPlan {
  static constexpr size_t kGroupsMost = 3;
  struct Part {
    RuleGroup* group = nullptr;  // null: a new one
    RuleBlock rules{};           // its own
    GroupSetup setup{};
  };
  std::vector<Part> parts;
  uint64_t connections = 0;  // until groups that do not go on have ended
};
[[nodiscard]] GroupPlan plan_groups(const Generation& next, const std::vector<GroupSetup>& setups,
                                    const std::vector<RuleGroup*>& running);

// The new groups of a plan, opened side by side. An error is that of the first whose rules cannot
// run.
[[nodiscard]] Result<std::vector<std::unique_ptr<RuleGroup>>> open_new_groups(
    const GroupPlan& plan, const GroupWorld& world, const Clock& clock);

// What a configuration needs beyond what the process may have is an error that says so. The limit
// of descriptors is raised as far as it may be. `connections`: of a plan; 0: of a start.
[[nodiscard]] Result<void> check_connections(const DaemonConfig& config, uint64_t connections = 0);

}  // namespace pmjit
