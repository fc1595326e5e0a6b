#include "tests/unit/daemon_config/memory_files.h"

#include <fmt/format.h>
#include <fnmatch.h>

namespace pmjit {

Result<std::string> MemoryFiles::read(const std::string& path, size_t bytes_max) const {
  const auto found = files_.find(path);
  if (found == files_.end()) {
    return fail(Error(Fault::not_found, "no such file").at("file", path));
  }
  if (found->second.size() > bytes_max) return fail(Error(Fault::limit, "too long"));
  return found->second;
}

bool MemoryFiles::can_read(const std::string& path) const { return files_.contains(path); }

std::vector<std::string> MemoryFiles::matching(const std::string& pattern) const {
  std::vector<std::string> out;
  for (const auto& [path, text] : files_) {
    if (fnmatch(pattern.c_str(), path.c_str(), FNM_PATHNAME) == 0) out.push_back(path);
  }
  return out;
}

std::string problem_lines(const ConfigProblems& problems) {
  std::string out;
  for (const ConfigProblem& problem : problems.all()) {
    out += fmt::format("{} {} {}", problem_code_text(problem.code),
                       problems.place_text(problem.place), problem.message);
    for (const std::string& help : problem.helps) out += fmt::format(" | {}", help);
    out += '\n';
  }
  return out;
}

ConfigRead read_text(const std::string& text) {
  return read_config({.path = "pmjit.toml"}, MemoryFiles({{"pmjit.toml", text}}));
}

std::string problems_of(const std::string& text) { return problem_lines(read_text(text).problems); }

}  // namespace pmjit
