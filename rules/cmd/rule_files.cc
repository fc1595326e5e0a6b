#include "rules/cmd/rule_files.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "compiler/strict_rules/rule_file.h"

namespace pmjit::pmie {

namespace {

std::string all_of(std::istream& in) {
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// What the pragma of a file says decides who reads it.
Result<RuleFileText> taken(RuleFileText file) {
  const SourceText source{.name = file.name.empty() ? "<stdin>" : file.name, .text = file.text};
  Diags diags;
  file.strict = strict::says_strict(source, diags);
  if (diags.has_errors()) return fail(Error(Fault::usage, render_all(diags, source)));
  return file;
}

}  // namespace

std::string rule_folder() {
  const char* const var = std::getenv("PCP_VAR_DIR");
  return fmt::format("{}/config/pmie", var != nullptr ? var : "/var/lib/pcp");
}

Result<RuleFileText> find_rule_file(const std::string& file) {
  if (file.empty()) return taken({.name = {}, .text = all_of(std::cin)});
  std::string path = file;
  if (access(path.c_str(), F_OK) != 0) {
    const std::string reason = std::strerror(errno);
    const bool absolute = file.front() == '/';
    const std::string other = fmt::format("{}/{}", rule_folder(), file);
    if (absolute || access(other.c_str(), F_OK) != 0) {
      const std::string where = absolute ? file : fmt::format("as either {} or {}", file, other);
      return fail(
          Error(Fault::not_found, fmt::format("cannot access config file {}: {}", where, reason))
              .help("is the name right?"));
    }
    path = other;
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    return fail(
        Error(Fault::io, fmt::format("cannot open config file {}: {}", path, std::strerror(errno)))
            .help("may it be read?"));
  }
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown))
    return RuleFileText{.name = path, .folder = true};
  return taken({.name = path, .text = all_of(in)});
}

}  // namespace pmjit::pmie
