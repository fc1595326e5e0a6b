// Patterns of archives that the shell has left to us: -a 'web*', -a 'logs/2026-11-*'.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glob.h>

#include <filesystem>
#include <set>

#include "rules/cmd/missing_source.h"

namespace pmjit {

namespace {

constexpr std::string_view kMeta = ".meta";

std::vector<std::string> matching_paths(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> out;
  if (::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; ++i) out.emplace_back(found.gl_pathv[i]);
  }
  ::globfree(&found);
  return out;
}

// web1 of web1.meta and web1.meta.xz; empty: it is no metadata of an archive.
std::string base_of(const std::string& path) {
  const size_t meta = path.rfind(kMeta);
  if (meta == path.npos || path.find('/', meta) != path.npos) return {};
  const std::string_view rest = std::string_view(path).substr(meta + kMeta.size());
  return rest.empty() || rest.front() == '.' ? path.substr(0, meta) : std::string();
}

// Bases of archives; where there is none, folders.
std::set<std::string> matched(const std::string& pattern) {
  std::set<std::string> bases, folders;
  for (const std::string& all : {pattern, pattern + ".meta", pattern + ".meta.*"}) {
    for (const std::string& path : matching_paths(all)) {
      std::error_code unknown;
      if (std::string base = base_of(path); !base.empty()) {
        bases.insert(std::move(base));
      } else if (std::filesystem::is_directory(path, unknown)) {
        folders.insert(path);
      }
    }
  }
  return bases.empty() ? folders : bases;
}

bool is_archive_pattern(const std::string& name) {
  std::error_code unknown;
  return name.find_first_of("*?[") != name.npos && !std::filesystem::exists(name, unknown) &&
         !std::filesystem::exists(name + std::string(kMeta), unknown);
}

}  // namespace

std::string expand_archive_patterns(std::vector<std::string>& names) {
  for (std::string& name : names) {
    if (!is_archive_pattern(name) || name.contains(',')) continue;
    const std::set<std::string> found = matched(name);
    if (found.empty()) {
      const size_t folder = name.rfind('/');
      return fmt::format("no archive matches {}; pmjit info {} lists those of its folder", name,
                         folder == name.npos ? "." : name.substr(0, folder));
    }
    name = fmt::format("{}", fmt::join(found, ","));
  }
  return {};
}

}  // namespace pmjit
