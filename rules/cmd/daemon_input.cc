#include "rules/cmd/daemon_input.h"

#include <string_view>
#include <utility>

#include "rules/actions/child_process.h"

namespace pmjit {

namespace {

// Without a slash: so paths beside it are as they stand.
constexpr std::string_view kReadFromPipe = "<stdin>";

}  // namespace

bool is_daemon_config(const std::string& path) { return path.ends_with(".toml"); }

ConfigInput daemon_input(const std::string& path, const std::vector<std::string>& settings) {
  return {.path = path, .environment = own_environment(), .set = settings};
}

ConfigInput daemon_input_of(std::string text, const std::vector<std::string>& settings) {
  return {.path = std::string(kReadFromPipe),
          .text = std::move(text),
          .environment = own_environment(),
          .set = settings};
}

}  // namespace pmjit
