// run_daemon(): rules as a daemon, from a configuration until it is asked to stop. Source: spec
// alerting.md §1 to §10.
//
//   return run_daemon({.config = {.path = "pmjit.toml", .environment = environment, .set = set},
//                      .stop = [] { return interrupted() != 0; },
//                      .hangup = …}, clock);
//
// The exit status is 0 after a stop, and 2 where the configuration, the state or an address cannot
// be used. Hosts and sinks that are out of reach are no reason not to start.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "rules/daemon_config/config_problems.h"
#include "rules/daemon_config/read_config.h"
#include "runtime/base/clock.h"

namespace pmjit {

struct DaemonCall {
  ConfigInput config;
  std::string version{};
  std::function<bool()> stop{};  // by several threads, many times a second
  // Has one come since the last call? Asked ten times a second.
  std::function<bool()> hangup{};               // read the configuration, open the log again
  std::function<bool()> reopens_log{};          // the latter alone; none: never
  std::function<bool()> wants_dump{};           // the state into the log; none: never
  std::function<void(std::string_view)> say{};  // standard error, before there is a log
  std::function<void(std::string_view state)> notify{};  // a service manager: READY=1, …
};

[[nodiscard]] int run_daemon(const DaemonCall& call, const Clock& clock);

// pmjit check CONFIG.toml.
struct ConfigCheck {
  ConfigProblems problems;
  std::string failure{};             // beside them: what the configuration needs cannot be had
  [[nodiscard]] int status() const;  // 0, 1 (warnings) or 2
};
[[nodiscard]] ConfigCheck problems_of_config(const ConfigInput& input);

}  // namespace pmjit
