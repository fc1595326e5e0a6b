// Patterns of archives that the shell has left to us: -a 'web*', -a 'logs/2026-11-*'.
//
//   std::vector<std::string> archives = {"web*"};
//   const std::string wrong = expand_archive_patterns(archives);   → {"web1,web2"}
#pragma once

#include <string>
#include <vector>

namespace pmjit {

// In place of a name with *, ? or [ that is no file: the bases of the archives that it matches,
// with commas, as a folder stands for those in it. What is wrong, or nothing.
[[nodiscard]] std::string expand_archive_patterns(std::vector<std::string>& names);

}  // namespace pmjit
