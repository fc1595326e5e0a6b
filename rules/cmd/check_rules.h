// pmjit check of rule files.
#pragma once

#include <string>
#include <vector>

namespace pmjit {

struct CheckRulesOptions {
  std::vector<std::string> files;
  std::vector<std::string> archives;  // a source each; none: what the texts alone show
  std::vector<std::string> settings;  // NAME=VALUE
  std::string dialect;                // strict or pmie, of files that do not say theirs; or empty
  bool compat = false;                // all are in the dialect pmie, whatever they say
};

// Is a file one of rules? By its name, NAME.pmie, or because a comment of rules begins it; and
// standard input (-).
[[nodiscard]] bool is_rule_file(const std::string& path);

// The exit status.
[[nodiscard]] int check_rule_files(const CheckRulesOptions& options);

}  // namespace pmjit
