#include "runtime/base/installed.h"

#include <cstdlib>
#include <fstream>

namespace pmjit {

namespace {

// What stands between two quotes of a kind is the value.
std::string unquoted(const std::string& value) {
  const bool quoted = value.starts_with('"') || value.starts_with('\'');
  if (!quoted || value.back() != value.front()) return value;
  return value.size() > 2 ? value.substr(1, value.size() - 2) : "";
}

}  // namespace

InstalledSettings installed_settings() {
  const char* path = std::getenv("PCP_CONF");
  return installed_settings_of(path != nullptr ? path : "/etc/pcp.conf");
}

InstalledSettings installed_settings_of(const std::string& path) {
  std::ifstream file(path);
  InstalledSettings out;
  for (std::string line; std::getline(file, line);) {
    const size_t equals = line.find('=');
    if (line.starts_with('#') || equals == std::string::npos || equals == 0) continue;
    out.emplace_back(line.substr(0, equals), unquoted(line.substr(equals + 1)));
  }
  return out;
}

std::optional<std::string> find_installed(const std::string& name) {
  if (const char* value = std::getenv(name.c_str())) return value;
  for (auto& [said, value] : installed_settings()) {
    if (said == name) return std::move(value);
  }
  return std::nullopt;
}

std::string installed(const std::string& name, const std::string& otherwise) {
  return find_installed(name).value_or(otherwise);
}

}  // namespace pmjit
