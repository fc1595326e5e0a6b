#include "rules/daemon/daemon.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "rules/daemon/running_daemon.h"

namespace pmjit {

int ConfigCheck::status() const {
  constexpr int kWarnings = 1, kErrors = 2;
  if (problems.has_errors() || !failure.empty()) return kErrors;
  return problems.all().empty() ? 0 : kWarnings;
}

ConfigCheck problems_of_config(const ConfigInput& input) {
  Generation read = read_generation(input);
  ConfigCheck out{.problems = std::move(read.problems)};
  if (out.problems.has_errors()) return out;
  if (const auto enough = check_connections(*read.config); !enough) {
    out.failure = enough.error().text();
  }
  return out;
}

int run_daemon(const DaemonCall& call, const Clock& clock) {
  constexpr int kErrors = 2;
  Generation first = read_generation(call.config);
  call.say(first.problems.text());
  if (first.problems.has_errors()) return kErrors;
  RunningDaemon daemon(call, clock);
  if (auto started = daemon.start(std::move(first)); !started) {
    call.say(fmt::format("pmjit: {}\n", started.error().text()));
    return kErrors;
  }
  daemon.run();
  return 0;
}

}  // namespace pmjit
