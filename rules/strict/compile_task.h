// The rules of a task, compiled together and placed on hosts: a rule about metrics of its own host
// is there once per host that has them; one that reduces the hosts, names one (`:'web2'`) or has no
// metric is there once.
//
//   CompiledTask made = compile_task(set, rules, feeds, {}, options);
//   if (!made.errors.empty()) …           // all that is to be said
//   made.rules[0].clauses[0].condition    // a root of made.made.program
#pragma once

#include <string>
#include <vector>

#include "compiler/driver/driver.h"
#include "rules/strict/rule_set.h"
#include "runtime/model/feed.h"

namespace pmjit::strict {

struct CompiledTask {
  Compilation made{};
  std::string errors{};
  std::vector<std::string> notes{};  // where rules do not run, and why
  // In the order of the file, those of one rule in the order of the hosts; their roots are those
  // of the program.
  std::vector<TaskRule> rules{};
  std::vector<HostsRoot> roots{};    // beside TaskRules::roots
  std::vector<std::string> hosts{};  // as HostsRoot::of_host has them
};

// `set` and `feeds` outlive it.
[[nodiscard]] CompiledTask compile_task(const RuleSet& set, const TaskRules& rules,
                                        const Feeds& feeds,
                                        const std::vector<SourceText>& definition_files,
                                        const CompileOptions& options);

}  // namespace pmjit::strict
