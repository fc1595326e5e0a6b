// RuleBlock: the rule files of a [[rules]] block, read without asking any
// host: their dialect, the names of their rules, and what is wrong with them. Source: spec
// alerting.md §2.4, §2.6.
//
//   auto blocks = read_rule_blocks(config, problems);     // one for each of config.rules
//   if (problems.has_errors()) …                           // C15, C08
//   blocks[0].engine_key == running.engine_key             // it can go on as it is
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compat/pmie/settings.h"
#include "rules/daemon_config/read_config.h"

namespace pmjit::strict {
struct Rule;
}

namespace pmjit {

struct BlockRuleFile {
  std::string path, text;
  bool strict = false;
};

struct RuleBlock {
  uint32_t block = 0;  // of DaemonConfig::rules
  std::vector<BlockRuleFile> files{};
  std::vector<std::string> names{};  // of rules, in the order of the files; those that are enabled
  // Of these and of their alerts: the same names, but of each rule of a ruleset. Sorted.
  std::vector<std::string> alerts{};
  std::vector<std::string> joining{};  // of these: whose alerts are about no host
  double shortest_interval = 10;       // seconds
  pmie::Settings settings{};
  // All that the evaluation depends on: texts, settings, interval, hosts, how they are asked. A
  // block of the same key goes on through a reload, with its windows and connections.
  std::string engine_key{};
  [[nodiscard]] bool has_alert(std::string_view name) const {
    return std::ranges::binary_search(alerts, name, std::less<>());
  }
  // A hash of the same without hosts: what was counted under another one means something else.
  std::string shape{};
};

// What alerts of the rule are called: by its name, or those of a ruleset each by its own. An action
// by itself has none.
[[nodiscard]] std::vector<std::string> alerts_of(const strict::Rule& rule);

// Adds C15 and C08 to `problems`.
[[nodiscard]] std::vector<RuleBlock> read_rule_blocks(const DaemonConfig& config,
                                                      ConfigProblems& problems);

}  // namespace pmjit
