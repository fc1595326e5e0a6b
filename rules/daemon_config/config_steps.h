// What read_config() does with values: it finishes those of each table, and makes hosts of
// [[hosts]]. Source: spec alerting.md §2.1, §2.3, §10.
//
//   finish_values(values, {files, credentials}, problems);
//   config.hosts = listed_hosts(blocks, config.alerts.label_host, files, problems);
//   rules.host_ids = chosen_hosts(config.hosts, rules.hosts);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/daemon_config/config_files.h"
#include "rules/daemon_config/config_values.h"

namespace pmjit {

struct ConfigSurroundings {
  const ConfigFiles& files;
  std::string credentials{};  // $CREDENTIALS_DIRECTORY; empty: it is not set
};

// The checks that keys.def names with @, and paths: they become those seen from here, globs the
// files that match. A secret is checked, not read: it is read at each use. A value with a problem
// stays as it is.
void finish_values(ConfigValues& values, const ConfigSurroundings& surroundings,
                   ConfigProblems& problems);

// HOST:PORT or [IPV6]:PORT.
struct ListenAddress {
  std::string host;
  uint16_t port = 0;

  [[nodiscard]] bool is_loopback() const;
};
[[nodiscard]] std::optional<ListenAddress> read_listen_address(std::string_view text);

struct HostsSource {
  const HostsBlock& block;
  const ConfigValues& values;  // its places
};

// A name in two blocks is an error. Where one of the two is of a file it is a warning, and the
// first one counts: programs write files, and a daemon goes on without one line.
[[nodiscard]] std::vector<ConfigHost> listed_hosts(const std::vector<HostsSource>& blocks,
                                                   const std::string& label_host,
                                                   const ConfigFiles& files,
                                                   ConfigProblems& problems);

// Of `hosts`: those that all matchers choose.
[[nodiscard]] std::vector<uint32_t> chosen_hosts(const std::vector<ConfigHost>& hosts,
                                                 const std::vector<Matcher>& matchers);

}  // namespace pmjit
