// pmjit run FILE… -a ARCHIVE: rules over archives or live hosts, and the events that they make.
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

#include "compiler/compat/registry/derive.h"
#include "rules/cmd/colors.h"
#include "rules/cmd/common.h"
#include "rules/cmd/daemon_input.h"
#include "rules/cmd/file_contents.h"
#include "rules/cmd/interrupt.h"
#include "rules/cmd/missing_source.h"
#include "rules/cmd/pmie_daemon.h"
#include "rules/cmd/recorded_window.h"
#include "rules/cmd/rule_files.h"
#include "rules/cmd/rule_session.h"
#include "rules/cmd/text_file.h"
#include "rules/cmd/threads_option.h"
#include "rules/cmd/unknown_rules.h"
#include "rules/cmd/verbs.h"
#include "rules/cmd/zone_option.h"
#include "rules/compat/replay.h"
#include "rules/daemon/daemon.h"
#include "runtime/report/progress.h"

namespace pmjit {

namespace {

constexpr uint64_t kRunSamplesMax = 9'000'000'000'000'000;

struct RunVerbOptions {
  RuleSessionOptions session;
  std::string format = "table";
  bool diff = false, strict_exit = false, exit_code = false;
};

// A pipe that nobody names archives or hosts for: only a configuration runs without them.
bool is_piped_configuration(const RuleSessionOptions& session) {
  return session.files.size() == 1 && session.archives.empty() && session.hosts.empty() &&
         is_pipe(session.files.front());
}

// What is for archives and hosts of -h is not for a daemon.
bool refuse_others(const RunVerbOptions& options, const std::string& file) {
  const RuleSessionOptions& session = options.session;
  const bool others = session.files.size() != 1 || !session.archives.empty() ||
                      !session.hosts.empty() || !session.start.empty() || !session.finish.empty() ||
                      !session.align.empty() || !session.origin.empty() ||
                      !session.interval.empty() || !session.definition_files.empty() ||
                      session.samples.has_value() || options.diff;
  const bool of_output = options.format != "table" || options.strict_exit || options.exit_code ||
                         session.verbose || session.stats || session.threads != 0 ||
                         session.zone.given();
  if (!others && of_output) {
    complain(
        fmt::format("{} is the configuration of a daemon, which has no such options\n  help: [log] "
                    "format and level say what it prints, [daemon] zone in which time zone",
                    file));
    return true;
  }
  if (!others) return false;
  complain(
      fmt::format("{} is the configuration of a daemon: hosts, rule files, intervals and "
                  "definitions stand there\n  help: pmjit run {} [--set SECTION.KEY=VALUE]",
                  file, file));
  return true;
}

int run_daemon_of(ConfigInput config, const Clock& clock) {
  catch_interrupts();
  for (const Asking signal : {Asking::hangup, Asking::user1, Asking::user2}) catch_asking(signal);
  return run_daemon({.config = std::move(config),
                     .version = PMJIT_VERSION,
                     .stop = [] { return interrupted() != 0; },
                     .hangup = [] { return take_asked(Asking::hangup); },
                     .reopens_log = [] { return take_asked(Asking::user1); },
                     .wants_dump = [] { return take_asked(Asking::user2); },
                     .say = say,
                     .notify = [](std::string_view state) { pmie::Daemon::notify(state); }},
                    clock);
}

// Rules as a daemon: one configuration.
int run_configuration(const RunVerbOptions& options, const Clock& clock) {
  const std::string& file = *std::ranges::find_if(options.session.files, is_daemon_config);
  if (auto there = check_user_file(file, FileKind::configurations); !there) {
    return complain(there.error().text()), kExitErrors;
  }
  if (refuse_others(options, file)) return kExitErrors;
  return run_daemon_of(daemon_input(file, options.session.settings), clock);
}

int run_pipe(const RunVerbOptions& options, const Clock& clock) {
  const std::string& pipe = options.session.files.front();
  auto text = pipe == "-" ? Result<std::string>(pmie::read_to_end(STDIN_FILENO))
                          : read_user_file(pipe, FileKind::configurations);
  if (!text) return complain(text.error().text()), kExitErrors;
  if (!holds_configuration(*text)) {
    complain(
        fmt::format("{}\n  help: the configuration of a daemon needs neither; it begins with "
                    "a line such as [[hosts]]",
                    missing_source(options.session.files, true)));
    return kExitErrors;
  }
  if (refuse_others(options, pipe)) return kExitErrors;
  return run_daemon_of(daemon_input_of(*std::move(text), options.session.settings), clock);
}

// Damage ends a replay before its end: from when on.
Error replay_error(const Error& error, const UnknownRules& watched, RuleSession& rules) {
  if (error.pm_code() != pm_err::E_LOGREC || watched.ended() >= rules.end()) return error;
  return Error(error).help(fmt::format("times from {} on are missing; {}",
                                       event_time_text(watched.ended(), rules.zone()),
                                       error.help()));
}

// Over archives or hosts; prints the events. The exit status.
int replay_rules(RuleSession& rules, const EventFormat& format, const RunVerbOptions& options,
                 const Clock& clock) {
  catch_interrupts();
  Progress progress("replaying", clock);
  Sink sink(STDOUT_FILENO);
  sink.before_writing([&] { progress.clear(); });  // standard output may be the same terminal
  stop_writing_at_interrupts(sink, clock);
  // In colour events pass through a text of their own, a time after the other.
  std::string text;
  Sink plain(text);
  const bool paints = colors_output() && format.name == std::string_view("table");
  const auto writer = format.make(paints ? plain : sink, rules.zone());
  const auto pass_on = [&] {
    if (!paints) return;
    (void)plain.flush();
    sink.put(painted_results(text));
    text.clear();
  };
  const bool live = !options.session.hosts.empty();
  if (!live) stop_reading_at_interrupts();
  const auto stop = [&] {
    pass_on();
    if (live) (void)sink.flush();  // what became of a time is told before the next one
    return interrupted() != 0 || !sink.status();
  };
  UnknownRules watched(*writer);
  const auto done = rules.replay(watched, stop, [&](double behind) { progress.update(behind); });
  progress.clear();
  pass_on();
  const auto written = sink.flush();
  // Live it was told at the start.
  if (!live && !rules.left_out().empty()) {
    const std::string help = rules.left_out_help();
    complain(rules.left_out().text(options.session.verbose) +
             (help.empty() ? help : "\n  help: " + help));
  }
  if (sink.stopped()) return stopped_writing(sink);
  if (!written) return output_failed(written.error().text());
  if (!done) return complain(replay_error(done.error(), watched, rules).text()), kExitErrors;
  if (interrupted() != 0) return kExitSignal + interrupted();
  if (!live && !options.session.samples) {
    watched.tell(rules, fmt::format("{} -a {}", fmt::join(options.session.files, " "),
                                    fmt::join(options.session.archives, " -a ")));
  }
  const auto lacks_volumes = [](const Archives* of_host) { return !has_all_volumes(*of_host); };
  if (!rules.all_installed() || !rules.has_all_archives() ||
      std::ranges::any_of(rules.archives(), lacks_volumes)) {
    return kExitErrors;
  }
  if (rules.left_out().empty() && rules.strict_left_out() == 0) return kExitOk;
  const bool none_ran = !rules.left_out().empty() && rules.left_out().all();
  return none_ran || options.strict_exit ? kExitErrors : kExitOk;
}

int run_rules(const RunVerbOptions& options, const Clock& clock) {
  if (std::ranges::any_of(options.session.files, is_daemon_config)) {
    return run_configuration(options, clock);
  }
  if (is_piped_configuration(options.session)) return run_pipe(options, clock);
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
  return replay_rules(rules, *format, options, clock);
}

}  // namespace

Command run_command(const Clock& clock) {
  auto options = std::make_shared<RunVerbOptions>();
  options->session.threads = 0;
  options->session.takes_hosts = true;
  std::vector<OptionChoice> formats = choices_of(event_formats());
  formats.push_back({"markdown", "a table for a review, of --diff alone"});
  return {
      .name = "run",
      .what = "replay rules over an archive, or run them live: when do they fire?",
      .options =
          joined(session_options(options->session),
                 {{.names = "-o,--output",
                   .target = &options->format,
                   .value = "FORMAT",
                   .what = "output format, see below",
                   .choices = std::move(formats),
                   .daily = true},
                  {.names = "--diff",
                   .target = &options->diff,
                   .what = "compare two files: alerts gained, lost, moved",
                   .excludes = {"--host"},
                   .daily = true,
                   .more = "The first file has the old rules, the second one the new rules."},
                  {.names = "--exit-code",
                   .target = &options->exit_code,
                   .what = "with --diff: exit with 1 if something changes"},
                  {.names = "-s,--samples",
                   .target = &options->session.samples,
                   .value = "N",
                   .what = "stop after N evaluations",
                   .range = OptionRange{1, kRunSamplesMax},
                   .excludes = {"--diff"},
                   .more = "Rules with intervals of their own: N of the shortest one."},
                  {.names = "-v,--verbose",
                   .target = &options->session.verbose,
                   .what = "name each rule that is left out"},
                  {.names = "--strict-exit",
                   .target = &options->strict_exit,
                   .what = "exit with 2 if a rule is left out"},
                  threads_option(options->session.threads, "threads that evaluate rules"),
                  {.names = "--stats",
                   .target = &options->session.stats,
                   .what = "print to standard error how late hosts were evaluated"}}),
      .footer =
          "Rules mean what they mean to pmie. pmjit prints what their actions would be, and "
          "performs none.\n"
          "A file NAME.toml is the configuration of a daemon, which performs actions. A small "
          "one:\n"
          "  [[hosts]]\n  names = [\"localhost\"]\n"
          "  [[rules]]\n"
          "  files = [\"busy.pmie\"]\n"
          "Exit status: 0 all well, 2 error. A rule or definition with an error is left out, and "
          "the "
          "status is 2. A rule that needs a metric which is not there is left out, too. Over a "
          "live host "
          "it runs when the metric comes.",
      .run = [options, &clock] { return run_rules(*options, clock); },
      .examples = {"pmjit run busy.pmie -a web1", "pmjit run busy.pmie -a web1 -o timeline",
                   "pmjit run --diff busy.pmie busier.pmie -a web1",
                   "pmjit run strict.pmie -a web1 -a web2", "pmjit run busy.pmie -h localhost",
                   "pmjit run pmjit.toml"},
      .group = "Work with rules and definitions",
      .also = {"replay", "exec", "start", "alert", "pmie"},
      .wrong =
          [options] {
            const bool piped = is_piped_configuration(options->session);
            return piped ? std::string() : missing_source_of(options->session);
          },
  };
}

}  // namespace pmjit
