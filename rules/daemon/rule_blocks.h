// RuleBlock: the rule files of a [[rules]] block, read without asking any
// host: their dialect, the names of their rules, and what is wrong with them. Source: spec
// alerting.md §2.4, §2.6.
//
//   auto blocks = read_rule_blocks(config, problems);     // one for each of config.rules
//   if (problems.has_errors()) …                           // C15, C08
//   blocks[0].engine_key == running.engine_key             // rules that are the same go on
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compat/pmie/settings.h"
#include "rules/daemon/alert_tables.h"
#include "rules/daemon/rule_keys.h"
#include "rules/daemon_config/read_config.h"
#include "runtime/client/host_fleet.h"

namespace pmjit {

struct BlockRuleFile {
  std::string path, text;
  bool strict = false;
};

struct BlockRule {
  std::string name{};
  std::vector<std::string> alerts{};  // their names: alerts_of()
  RuleKeys keys{};
  double delta = 10;         // how often it is due, in seconds
  bool joins_hosts = false;  // its alert is about no host
  bool acts = true;          // else it is an expression, whose alert a [rules.alert] asks for
};

using RuleNames = std::set<std::string, std::less<>>;

struct RuleBlock {
  uint32_t block = 0;  // of DaemonConfig::rules
  std::vector<BlockRuleFile> files{};
  std::vector<BlockRule> rules{};              // those that are enabled, in the order of the files
  RuleNames names{};                           // of these
  RuleNames silent{};                          // of these, those that do not act
  std::map<std::string, BlockAlert> alerts{};  // of these: `alert` in strict rules
  // Of each alert a hash of what its condition depends on, but hosts: what was counted under
  // another one means something else.
  std::map<std::string, std::string, std::less<>> shapes{};
  double shortest_interval = 10;  // seconds
  pmie::Settings settings{};
  // All that the evaluation depends on beside the rules: interval, hosts, how they are asked. Rules
  // go on through a reload in a block of the same key.
  std::string engine_key{};

  // Where hosts have their places in an interval: the same for all rules, whatever their interval.
  [[nodiscard]] TickPlace places() const;
  [[nodiscard]] bool has_rule(std::string_view name) const { return names.contains(name); }
  [[nodiscard]] bool has_alert(std::string_view name) const { return shapes.contains(name); }
  // The same with these rules alone, by their names.
  [[nodiscard]] RuleBlock with(const RuleNames& some) const;
};

// What alerts of the rule are called: by its name, or those of a ruleset each by its own. An action
// by itself has none.
[[nodiscard]] std::vector<std::string> alerts_of(const strict::Rule& rule);

// Adds C15 and C08 to `problems`.
[[nodiscard]] std::vector<RuleBlock> read_rule_blocks(const DaemonConfig& config,
                                                      ConfigProblems& problems);

}  // namespace pmjit
