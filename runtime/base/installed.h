// What PCP's installation and the environment set: variables such as PCP_RUN_DIR.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pmjit {

// Those of PCP's configuration file (/etc/pcp.conf, or $PCP_CONF); the first of a name counts.
using InstalledSettings = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] InstalledSettings installed_settings();
[[nodiscard]] InstalledSettings installed_settings_of(const std::string& path);
// One of them: of the environment, else of its configuration file.
[[nodiscard]] std::optional<std::string> find_installed(const std::string& name);
[[nodiscard]] std::string installed(const std::string& name, const std::string& otherwise);

}  // namespace pmjit
