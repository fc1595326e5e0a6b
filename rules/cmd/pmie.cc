// The drop-in pmie over archives and live hosts. Source: spec rules-language.md §18, §20.
#include <fmt/core.h>
#include <unistd.h>

#include <csignal>

#include "rules/cmd/interrupt.h"
#include "rules/cmd/pmie_daemon.h"
#include "rules/cmd/pmie_session.h"
#include "runtime/cmd/dropin.h"
#include "runtime/cmd/session.h"

namespace pmjit {

namespace {

// PCP's pmie exits with 0 after SIGTERM and with 2 after SIGINT.
int status_of_signal(int signal) { return signal == SIGINT ? 2 : 0; }

// Rules that are read one after another; a signal ends it.
bool read_all(pmie::PmieSession& session, const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (!session.read_rules(file)) return false;
    if (interrupted() == 0) continue;
    session.put(fmt::format("\nInterrupted! signal={}\n", interrupted()));
    return false;
  }
  return true;
}

int work(pmie::PmieSession& session) {
  const pmie::PmieOptions& options = session.options();
  if (options.agent) {
    session.complain("-x feeds the agent of summary metrics, and is not supported yet");
    return 1;
  }
  const bool stays = options.live() && !options.interactive;
  if (stays) {
    catch_interrupts(Second::is_as_the_first);
    catch_asking(Asking::hangup);
  }
  if (!session.open()) return 1;
  std::vector<std::string> files = options.files;
  if (files.empty() && !options.interactive) files.emplace_back();
  if (!read_all(session, files)) return 1;
  if (options.check) return session.are_right() ? 0 : 1;
  if (!session.stomp_is_there()) return 1;
  if (options.interactive) return pmie::Interactive(session).run();
  if (options.systemd) pmie::Daemon::notify("READY=1");
  if (!session.run_to_end()) return 1;
  if (options.systemd) pmie::Daemon::notify("STOPPING=1");
  return stays ? status_of_signal(interrupted()) : 0;
}

pmie::DaemonOptions daemon_options(const pmie::PmieOptions& options) {
  return {.user = options.user.value_or("pcp"),
          .primary = options.primary,
          .own_session = !options.systemd};
}

}  // namespace

int run_pmie(int argc, const char* const* argv, DerivedMetrics& derived, const Clock& clock) {
  OptionReader reader(pmie::pmie_options(), argc, argv, derived);
  auto options = pmie::read_pmie_options(reader);
  if (!options) return reader.usage();
  ToolOutput out;
  pmie::Daemon daemon(daemon_options(*options));
  const bool stays = options->daemon();
  if (stays) {
    options->to_stderr = true;
    const auto log = [&](std::string_view severity, std::string_view text) {
      pmie::log_line(reader.messages(), clock, severity, text);
    };
    if (!daemon.change_user(log)) return end_dropin(out, reader.messages(), 1);
  }
  std::optional<pmie::LogFile> log;
  if (options->log) log.emplace(*options->log, options->about(true), reader.messages(), clock);
  if (log && !log->is_open()) return 1;
  if (stays) daemon.settle();
  pmie::PmieSession session(*std::move(options), derived, clock, out, reader.messages());
  session.use_log(log ? &*log : nullptr);
  const int status = work(session);
  return end_dropin(out, reader.messages(), status);
}

}  // namespace pmjit
