#include "rules/daemon/daemon.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "rules/daemon/running_daemon.h"

namespace pmjit {

int check_daemon_config(const ConfigInput& input,
                        const std::function<void(std::string_view)>& say) {
  const Generation read = read_generation(input);
  say(read.problems.text());
  if (read.problems.has_errors()) return 2;
  if (const auto enough = check_connections(*read.config); !enough) {
    say(fmt::format("pmjit: {}\n", enough.error().text()));
    return 2;
  }
  return read.problems.all().empty() ? 0 : 1;
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
