// read_config(): CONFIG.toml and all that it names, as values, with everything that is wrong with
// it. Source: spec alerting.md §2.
//
//   SystemConfigFiles files;
//   ConfigRead read = read_config({.path = path, .environment = environment, .set = set}, files);
//   std::fputs(read.problems.text().c_str(), stderr);
//   if (read.problems.has_errors()) return 2;
//
// Rule files are found, not read: what they say is added by who compiles them (rules_twice(),
// ProblemCode::rule_file). A reload reads again and asks restart_problems().
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rules/daemon_config/config_files.h"
#include "rules/daemon_config/config_problems.h"
#include "rules/daemon_config/config_tree.h"
#include "rules/daemon_config/daemon_config.h"

namespace pmjit {

struct ConfigRead {
  DaemonConfig config{};  // whole where there is no error
  ConfigProblems problems{};
};

[[nodiscard]] ConfigRead read_config(const ConfigInput& input, const ConfigFiles& files);

// What the files of a [[rules]] block have.
struct ConfigRule {
  uint32_t block = 0;  // of DaemonConfig::rules
  std::string file, name;
  bool joins_hosts = false;  // its alert is about no host
};
// A rule that is there twice on one host: two files of a block, or two blocks with a host in
// common. One that joins hosts is there once in all: its state has no host (spec §4.3).
void rules_twice(const DaemonConfig& config, std::span<const ConfigRule> rules,
                 ConfigProblems& problems);

// Keys that a reload cannot change, and `next` has changed. `problems`: those of `next`.
void restart_problems(const DaemonConfig& running, const DaemonConfig& next,
                      ConfigProblems& problems);

}  // namespace pmjit
