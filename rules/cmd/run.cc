// pmjit run FILE… -a ARCHIVE: rules over archives or live hosts, and what became of them.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

#include "compiler/compat/registry/derive.h"
#include "rules/cmd/common.h"
#include "rules/cmd/daemon_input.h"
#include "rules/cmd/interrupt.h"
#include "rules/cmd/pmie_daemon.h"
#include "rules/cmd/rule_session.h"
#include "rules/cmd/threads_option.h"
#include "rules/cmd/verbs.h"
#include "rules/cmd/zone_option.h"
#include "rules/compat/replay.h"
#include "rules/daemon/daemon.h"

namespace pmjit {

namespace {

struct RunVerbOptions {
  RuleSessionOptions session;
  std::string format = "table";
  bool diff = false, exit_code = false;
};

// Rules as a daemon: one configuration, and nothing of what is for archives and hosts of -h.
int run_configuration(const RunVerbOptions& options, const Clock& clock) {
  const RuleSessionOptions& session = options.session;
  const bool others = session.files.size() != 1 || !session.archives.empty() ||
                      !session.hosts.empty() || !session.start.empty() || !session.finish.empty() ||
                      !session.align.empty() || !session.origin.empty() ||
                      !session.interval.empty() || !session.definition_files.empty() ||
                      options.diff;
  if (others) {
    complain(
        fmt::format("{} is the configuration of a daemon: hosts, rule files, intervals and "
                    "definitions stand there\n  help: pmjit run {} [--set SECTION.KEY=VALUE]",
                    *std::ranges::find_if(session.files, is_daemon_config),
                    *std::ranges::find_if(session.files, is_daemon_config)));
    return kExitErrors;
  }
  catch_interrupts();
  for (const Asking signal : {Asking::hangup, Asking::user1, Asking::user2}) catch_asking(signal);
  return run_daemon({.config = daemon_input(session.files.front(), session.settings),
                     .version = PMJIT_VERSION,
                     .stop = [] { return interrupted() != 0; },
                     .hangup = [] { return take_asked(Asking::hangup); },
                     .reopens_log = [] { return take_asked(Asking::user1); },
                     .wants_dump = [] { return take_asked(Asking::user2); },
                     .say = say,
                     .notify = [](std::string_view state) { pmie::Daemon::notify(state); }},
                    clock);
}

int run_rules(const RunVerbOptions& options, const Clock& clock) {
  if (std::ranges::any_of(options.session.files, is_daemon_config)) {
    return run_configuration(options, clock);
  }
  if (options.exit_code && !options.diff) {
    return complain("--exit-code goes with --diff"), kExitErrors;
  }
  warn_of_zone(options.session.zone);
  if (options.diff) return diff_rules(options.session, options.format, options.exit_code, clock);
  const EventFormat* const format = find_event_format(options.format);
  if (format == nullptr) {
    complain(fmt::format("{} is a format of --diff alone", options.format));
    return kExitErrors;
  }
  auto session = RuleSession::open(options.session, clock);
  if (interrupted() != 0) return stop_before_start();
  if (!session) return complain(session.error().text()), kExitErrors;
  RuleSession& rules = **session;
  if (auto known = check_settings(options.session.settings, rules.macros()); !known) {
    return complain(known.error().text()), kExitErrors;
  }
  catch_interrupts();
  Sink sink(STDOUT_FILENO);
  const auto writer = format->make(sink, rules.zone());
  const bool live = !options.session.hosts.empty();
  if (!live) stop_reading_at_interrupts();
  const auto done = rules.replay(*writer, [&] {
    if (live) (void)sink.flush();  // what became of a time is told before the next one
    return interrupted() != 0 || !sink.status();
  });
  const auto written = sink.flush();
  if (!written) return complain(written.error().text()), kExitErrors;
  if (!done) return complain(done.error().text()), kExitErrors;
  if (interrupted() != 0) return kExitSignal + interrupted();
  return rules.all_installed() ? kExitOk : kExitErrors;
}

}  // namespace

Command run_command(const Clock& clock) {
  auto options = std::make_shared<RunVerbOptions>();
  options->session.threads = 0;
  options->session.takes_hosts = true;
  std::vector<OptionChoice> formats = choices_of(event_formats());
  formats.push_back({"markdown", "of --diff"});
  return {
      .name = "run",
      .what = "run rules over archives or live hosts, or as a daemon",
      .options = joined(
          session_options(options->session),
          {host_option(options->session.hosts),
           {.names = "-o,--output",
            .target = &options->format,
            .what = "output format:",
            .choices = std::move(formats)},
           threads_option(options->session.threads,
                          "how many threads evaluate strict rules, parts of the time at once, or "
                          "decode records for rules of pmie, with the same events; without it one "
                          "a processor"),
           {.names = "--stats",
            .target = &options->session.stats,
            .what = "of lists of hosts: how long after hosts were due their evaluations ended, to "
                    "standard error"},
           {.names = "--diff",
            .target = &options->diff,
            .what = "two files, old rules and new ones: alerts gained, lost and moved",
            .excludes = {"--host"}},
           {.names = "--exit-code",
            .target = &options->exit_code,
            .what = "with --diff: exit with 1 if something changes"}}),
      .footer =
          "Example:\n  pmjit run rules.pmie -a ARCHIVE\n"
          "  pmjit run rules.pmie -a web1 -a web2 -t 1min -o timeline\n"
          "  pmjit run rules.pmie -h localhost  # until ^C\n"
          "  pmjit run strict.pmie -h web1 -h web2  # rules in the strict dialect\n"
          "  pmjit run pmjit.toml  # as a daemon: alerts, sinks, HTTP; pmjit(1), DAEMON\n"
          "  pmjit run --diff old.pmie new.pmie -a ARCHIVE -o markdown\n"
          "Rules mean what they mean to pmie; actions are told, not performed. An event is a rule "
          "that becomes true, false or unknown, with what it holds for, or an action. The exit "
          "status is 2 where a statement has an error; the others run.",
      .run = [options, &clock] { return run_rules(*options, clock); },
  };
}

}  // namespace pmjit
