#include "rules/cmd/pmie_session.h"

#include <fmt/core.h>
#include <unistd.h>

#include "runtime/text/interval.h"

namespace pmjit::pmie {

namespace {

constexpr OptionRow kRows[] = {
    section("General options"),
    standard(Standard::align),
    own('a', "archive", "FILE", "metrics source is a PCP log archive"),
    own('h', "host", "HOST", "metrics source is PMCD on host"),
    standard(Standard::name_space),
    standard(Standard::origin),
    standard(Standard::start),
    standard(Standard::finish),
    own('t', "interval", "DELTA", "sampling interval"),
    standard(Standard::zone),
    standard(Standard::host_zone),
    standard(Standard::debug),
    standard(Standard::help),
    section("Runtime options"),
    own('C', "check", "", "parse configuration and exit"),
    own('c', "config", "FILE", "configuration file"),
    own('d', "interact", "", "interactive debugging mode"),
    own('P', "primary", "", "execute as primary inference engine"),
    own('f', "foreground", "", "run in the foreground, not as a daemon"),
    own('F', "systemd", "",
        "systemd mode - notify service manager (if any) when started and ready"),
    own('H', "", "", ""),
    own('j', "", "FILE", "stomp protocol (JMS) file"),
    own('l', "logfile", "FILE", "send status and error messages to FILE"),
    own('U', "username", "USER", "run as named USER in daemon mode [default pcp]"),
    section("Reporting options"),
    own('b', "buffer", "", "one line buffered output stream, stdout on stderr"),
    own('e', "timestamp", "", "force timestamps to be reported with -V, -v or -W"),
    own('q', "quiet", "", "quiet mode, default diagnostics suppressed"),
    own('v', "", "", "verbose mode, expression values printed"),
    own('V', "verbose", "", "verbose mode, annotated expression values printed"),
    own('W', "", "", "verbose mode, satisfying expression values printed"),
    own('X', "secret-applet", "", "run in secret applet mode (thin client)"),
    own('x', "secret-agent", "", "run in secret agent mode (summary PMDA)"),
};
constexpr OptionTable kTable{.usage = "[options] [filename ...]", .rows = kRows};

struct Taken {
  PmieOptions options;
  std::optional<std::string> config;
};

void set_interval(const std::string& text, PmieOptions& into, OptionReader& reader) {
  const auto interval = parse_interval<MicroTime>(text);
  if (!interval) {
    return reader.complain(
        fmt::format("-t argument not in pmParseInterval(3) format:\n{}", interval.error().what()));
  }
  const double delta = to_real(*interval);
  if (delta != 0) into.delta = delta;
}

void set_log(const std::string& file, PmieOptions& into, OptionReader& reader) {
  if (into.log) return reader.complain("at most one -l option is allowed");
  into.log = file;
}

void take_config(const OptionReader::Own& option, Taken& into, OptionReader& reader) {
  PmieOptions& to = into.options;
  switch (option.row->letter) {
    case 'c':
      if (to.interactive) reader.complain("at most one of -c and -d allowed");
      into.config = option.argument;
      break;
    case 'd':
      if (into.config) reader.complain("at most one of -c and -d allowed");
      to.interactive = true;
      break;
    case 'a':
      if (to.host) reader.complain("at most one of -a or -h allowed");
      to.archives.push_back(option.argument);
      break;
    case 'h':
      if (to.host || !to.archives.empty()) reader.complain("at most one of -a or -h allowed");
      to.host = option.argument;
      break;
    default: break;
  }
}

void take(const OptionReader::Own& option, Taken& into, OptionReader& reader) {
  PmieOptions& to = into.options;
  switch (option.row->letter) {
    case 'b': to.to_stderr = true; break;
    case 'C': to.check = true; break;
    case 'e': to.stamps = true; break;
    case 'f': to.foreground = true; break;
    case 'F': to.systemd = true; break;
    case 'l': set_log(option.argument, to, reader); break;
    case 'P': to.primary = true; break;
    case 'q': to.quiet = true; break;
    case 't': set_interval(option.argument, to, reader); break;
    case 'U': to.user = option.argument; break;
    case 'v': to.verbose = Verbose::plain; break;
    case 'V': to.verbose = Verbose::annotated; break;
    case 'W': to.verbose = Verbose::satisfying; break;
    case 'X': to.verbose = Verbose::applet; break;
    case 'x': to.agent = true; break;
    case 'j': to.stomp = option.argument; break;
    default: take_config(option, into, reader); break;
  }
}

// The first of these that is so, and none where something was wrong before.
std::string_view conflict(const Taken& taken, const OptionReader& reader) {
  const PmieOptions& options = taken.options;
  if (reader.over()) return {};
  if (taken.config && !reader.operands().empty()) {
    return "extra filenames cannot be given after using -c";
  }
  // Of archives nothing is a daemon.
  if (options.systemd && (options.foreground || !options.archives.empty())) {
    return "the -f and -F options are mutually exclusive";
  }
  if (options.agent && options.to_stderr) return "the -b and -x options are incompatible";
  return {};
}

// What goes only with archives, or with a source that is named.
std::string_view live_conflict(const PmieOptions& options) {
  if (!options.live()) return {};
  const Options& shared = options.shared;
  if (shared.start || shared.align || shared.origin) {
    return "time window options are supported for archives only";
  }
  if (shared.host_zone && !options.host && shared.hosts.empty()) {
    return "use of timezone from metric source requires a source";
  }
  return {};
}

}  // namespace

const OptionTable& pmie_options() { return kTable; }

std::string PmieOptions::live_host() const {
  if (host) return *host;
  return shared.hosts.empty() ? "local:" : shared.hosts.front();
}

std::string PmieOptions::about(bool first) const {
  if (!live()) return {};
  return fmt::format("pmie: PID = {}, via {}{}\n\n", ::getpid(), live_host(),
                     first && primary ? " [primary]" : "");
}

// Whatever needs one makes it one, but -f.
bool PmieOptions::daemon() const {
  return live() && !foreground && (log || user || systemd || primary);
}

std::optional<PmieOptions> read_pmie_options(OptionReader& reader) {
  Taken taken;
  while (const auto option = reader.next()) take(*option, taken, reader);
  const std::string_view wrong = conflict(taken, reader);
  if (!wrong.empty()) reader.complain(wrong);
  if (reader.over()) return std::nullopt;
  PmieOptions& out = taken.options;
  out.shared = reader.gather();
  const std::string_view not_live = live_conflict(out);
  if (!not_live.empty()) reader.complain(not_live);
  if (reader.over()) return std::nullopt;
  out.files = taken.config ? std::vector{*taken.config} : reader.operands();
  return std::move(out);
}

}  // namespace pmjit::pmie
