// Generation: a configuration that was read and compiled, with everything that is wrong with it,
// and the groups that run it. Source: spec alerting.md §2.6.
//
//   auto next = read_generation(input);
//   if (next.problems.has_errors()) return next.problems.text();    // nothing has changed
//   auto groups = open_groups(next, running groups, world, clock);   // an error: likewise
//
// A [[rules]] block whose evaluation does not change keeps its group: connections, windows and
// states go on.
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
// A group goes on with the block: the same evaluation, and the same hosts to watch.
[[nodiscard]] bool goes_on(const RuleGroup& group, const RuleBlock& block, const GroupSetup& setup);

// New groups, opened side by side; null where one of `running` goes on. An error is that of the
// first block whose rules cannot run.
[[nodiscard]] Result<std::vector<std::unique_ptr<RuleGroup>>> open_new_groups(
    const Generation& generation, const std::vector<GroupSetup>& setups,
    const std::vector<RuleGroup*>& running, const GroupWorld& world, const Clock& clock);

// What a configuration needs beyond what the process may have is an error that says so. The limit
// of descriptors is raised as far as it may be. `leaving`: connections of groups that do not go on,
// which are open until the new ones are.
[[nodiscard]] Result<void> check_connections(const DaemonConfig& config, uint64_t leaving = 0);
[[nodiscard]] uint64_t leaving_connections(const std::vector<RuleGroup*>& running,
                                           const Generation& next,
                                           const std::vector<GroupSetup>& setups);

}  // namespace pmjit
