// What `run` and `check` hand to the daemon of a file NAME.toml.
#pragma once

#include <string>
#include <vector>

#include "rules/daemon_config/config_tree.h"

namespace pmjit {

// By its name: it ends in .toml.
[[nodiscard]] bool is_daemon_config(const std::string& path);
// With the variables of the environment that override keys, and what --set gave.
[[nodiscard]] ConfigInput daemon_input(const std::string& path,
                                       const std::vector<std::string>& settings);
// The same of a text that came through a pipe. A reload has it again; paths in it are as seen from
// the current folder.
[[nodiscard]] ConfigInput daemon_input_of(std::string text,
                                          const std::vector<std::string>& settings);

}  // namespace pmjit
