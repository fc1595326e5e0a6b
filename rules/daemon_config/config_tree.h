// The whole configuration as one tree: the main file, what it includes, then the environment, then
// --set. Source: spec alerting.md §2.1.
//
//   const TomlNode root = read_config_tree(input, files, problems);
//
// Tables of several files are put together, and lists of tables one behind the other. Whatever else
// two files set is a problem that names both places. PMJIT__HTTP__LISTEN=… overrides a scalar of
// the files, --set http.listen=… overrides both.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rules/daemon_config/config_files.h"
#include "rules/daemon_config/toml_tree.h"

namespace pmjit {

struct ConfigInput {
  std::string path;                        // of the main file
  std::optional<std::string> text{};       // what it has, where it was a pipe; else it is read
  std::vector<std::string> environment{};  // NAME=VALUE each
  std::vector<std::string> set{};          // SECTION.KEY=VALUE each, of --set
};

// A problem leaves out what it is about; the tree is what is left.
[[nodiscard]] TomlNode read_config_tree(const ConfigInput& input, const ConfigFiles& files,
                                        ConfigProblems& problems);

// The two parts of it that change a tree.

// `from` is of a file that is read after those of `into`. `name`: of the table, in messages.
void merge_config(TomlNode& into, TomlNode&& from, const std::string& name,
                  ConfigProblems& problems);
void override_config(TomlNode& root, const ConfigInput& input, ConfigProblems& problems);

}  // namespace pmjit
