#include "rules/cmd/daemon_input.h"

#include "rules/actions/child_process.h"

namespace pmjit {

bool is_daemon_config(const std::string& path) { return path.ends_with(".toml"); }

ConfigInput daemon_input(const std::string& path, const std::vector<std::string>& settings) {
  return {.path = path, .environment = own_environment(), .set = settings};
}

}  // namespace pmjit
