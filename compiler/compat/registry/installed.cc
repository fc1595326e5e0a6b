#include "compiler/compat/registry/installed.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace pmjit {

std::string installed(const std::string& name, const std::string& otherwise) {
  if (const char* value = std::getenv(name.c_str())) return value;
  const char* path = std::getenv("PCP_CONF");
  std::ifstream file(path != nullptr ? path : "/etc/pcp.conf");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name + "=")) return line.substr(name.size() + 1);
  }
  return otherwise;
}

EquivalentDomains installed_equivalences() {
  const char* path = std::getenv("PCP_INDOM_CONFIG");
  std::ifstream file(
      path != nullptr ? path : fmt::format("{}/pcp/indom.conf", installed("PCP_ETC_DIR", "/etc")));
  std::ostringstream text;
  text << file.rdbuf();
  return EquivalentDomains::read(text.view());
}

}  // namespace pmjit
