// The drop-in pmcd: the collector with pmcd's options, files, messages and log. Source: spec
// collector-and-agents.md §1.1, §1.2, §1.16.
#include <fcntl.h>
#include <fmt/core.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "agent/linux/linux_agent.h"
#include "agent/model/timed_agent.h"
#include "agent/pmcd/pmcd_agent.h"
#include "rules/cmd/collector_files.h"
#include "rules/cmd/collector_tls.h"
#include "runtime/base/installed.h"
#include "runtime/base/log_output.h"
#include "runtime/base/module_file.h"
#include "runtime/client/net/secure_module.h"
#include "runtime/cmd/dropin.h"
#include "runtime/cmd/options.h"
#include "runtime/tz/rules.h"

namespace pmjit {

namespace {

constexpr OptionRow kPmcdRows[] = {
    section("General options"),
    own('n', "namespace", "FILE", "use an alternative PMNS"),
    own('N', "uniqnames", "FILE", "like -n but only one name allowed for each PMID"),
    own('D', "debug", "OPTS", ""),
    own('?', "help", "", "show this usage message and exit"),
    section("Service options"),
    own('A', "", "", "disable service advertisement"),
    own('f', "foreground", "", "run in the foreground"),
    own('H', "hostname", "HOST", "set the hostname to be used for pmcd.hostname metric"),
    own('U', "username", "USER", "in daemon mode, run as named user [default pcp]"),
    section("Configuration options"),
    own('c', "config", "PATH", "path to configuration file"),
    own('L', "", "BYTES", "maximum size for PDUs from clients [default 65536]"),
    own('q', "", "TIME", "PMDA initial negotiation timeout (seconds) [default 3]"),
    own('t', "", "TIME", "PMDA response timeout (seconds) [default 5]"),
    own('v', "verify", "", "check validity of pmcd configuration, then exit"),
    section("Connection options"),
    own('i', "interface", "ADDR", "accept connections on this IP address"),
    own('p', "port", "N", "accept connections on this port"),
    own('s', "socket", "PATH", "Unix domain socket file [default $PCP_RUN_DIR/pmcd.socket]"),
    own('Q', "remotecert", "", "require remote clients to provide a certificate"),
    own('S', "reqauth", "", "require all clients to authenticate"),
    section("Diagnostic options"),
    own('T', "trace", "FLAG", "Event trace control"),
    own('l', "log", "PATH", "redirect diagnostics and trace output"),
    own('x', "", "PATH", "fatal messages at startup sent to file [default /dev/tty]"),
};
constexpr OptionTable kPmcdTable{.usage = "[options]", .rows = kPmcdRows};

// The mask of -T.
constexpr uint32_t kTraceConnections = 1, kTracePdus = 2, kTraceAtOnce = 256;

struct PmcdOptions {
  std::string config, names, socket, host_name, log, fatal_log, user;
  SameMetric same = SameMetric::allowed;
  std::vector<std::string> addresses;
  std::vector<uint16_t> ports;
  bool foreground = false, verify = false, wants_certificates = false, needs_users = false,
       only_local = false, restarts = true;
  int backlog = 0;
  uint32_t pdu_bytes = limits::kClientPduBytesMax, greeting_s = 3, answer_s = 5, trace_mask = 0;
  std::vector<std::string> mistakes;  // of the command line
  std::vector<std::string> warnings;  // of the environment
  bool help = false;
};

template <class Number>
bool parse_whole(std::string_view text, Number& out) {
  const auto [place, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && place == text.data() + text.size() && !text.empty();
}

const char* variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

// "44321,44322"; false: one of them is no port.
bool add_ports(std::string_view list, std::vector<uint16_t>& out) {
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    uint16_t port = 0;
    if (!parse_whole(list.substr(begin, end - begin), port) || port == 0) return false;
    if (std::ranges::find(out, port) == out.end()) out.push_back(port);
    begin = end + 1;
  }
  return true;
}

void take_number(const Arguments::Found& found, std::string_view what, uint32_t least,
                 uint32_t& into, PmcdOptions& options) {
  uint32_t number = 0;
  if (parse_whole(found.argument, number) && number >= least) {
    into = number;
  } else {
    options.mistakes.push_back(
        fmt::format("pmcd: -{} requires a positive {}", found.row->letter, what));
  }
}

void take_option(const Arguments::Found& found, PmcdOptions& options) {
  const std::string argument(found.argument);
  switch (found.row->letter) {
    case 'n': options.names = argument; break;
    case 'N':
      options.names = argument;
      options.same = SameMetric::refused;
      break;
    case 'f': options.foreground = true; break;
    case 'H': options.host_name = argument; break;
    case 'U': options.user = argument; break;
    case 'c': options.config = argument; break;
    case 'L': take_number(found, "value", 1, options.pdu_bytes, options); break;
    case 'q': take_number(found, "numeric argument", 1, options.greeting_s, options); break;
    case 't': take_number(found, "numeric argument", 0, options.answer_s, options); break;
    case 'v': options.verify = true; break;
    case 'i': options.addresses.push_back(argument); break;
    case 'p':
      if (!add_ports(argument, options.ports)) {
        options.mistakes.push_back(
            fmt::format("pmcd: -p requires a positive numeric argument ({})", argument));
      }
      break;
    case 's': options.socket = argument; break;
    case 'Q': options.wants_certificates = true; break;
    case 'S': options.needs_users = true; break;
    case 'T': take_number(found, "numeric argument", 0, options.trace_mask, options); break;
    case 'l': options.log = argument; break;
    case 'x': options.fatal_log = argument; break;
    case '?': options.help = true; break;
    case 'D':
      if (!is_debug_spec(argument)) {
        options.mistakes.push_back(
            fmt::format("pmcd: unrecognized debug options specification ({})", argument));
      }
      break;
    default: break;  // -A: nothing is advertised
  }
}

// A number as C reads it: 0 of what is none.
int number_of(const char* text) { return static_cast<int>(std::strtol(text, nullptr, 10)); }

// What the environment says, which is in the log.
void take_environment(PmcdOptions& options) {
  if (const char* const local = variable("PMCD_LOCAL"); local != nullptr && number_of(local) != 0) {
    options.only_local = true;
    options.addresses = {"127.0.0.1", "::1"};
    options.warnings.push_back(
        fmt::format("Warning: localhost only from PMCD_LOCAL={} in environment", local));
  }
  if (const char* const most = variable("PMCD_MAXPENDING")) {
    options.backlog = number_of(most);
    options.warnings.push_back(fmt::format(
        "Warning: maxpending={} from PMCD_MAXPENDING={} in environment", options.backlog, most));
  }
  if (const char* const restarts = variable("PMCD_RESTART_AGENTS")) {
    options.restarts = number_of(restarts) != 0;
    options.warnings.push_back(
        fmt::format("Warning: restartAgents={} from PMCD_RESTART_AGENTS={} in environment",
                    options.restarts ? 1 : 0, restarts));
  }
  if (options.addresses.empty()) options.addresses = {"0.0.0.0", "::"};
  for (std::string& address : options.addresses) {
    if (address == "INADDR_ANY") address = "0.0.0.0";
    if (address == "INADDR_LOOPBACK") address = "127.0.0.1";
  }
}

void fill_defaults(PmcdOptions& options) {
  if (options.config.empty()) {
    options.config = installed("PCP_PMCDCONF_PATH", "/etc/pcp/pmcd/pmcd.conf");
  }
  if (options.names.empty()) {
    const char* const names = variable("PMNS_DEFAULT");
    options.names =
        names != nullptr ? names : fmt::format("{}/pmns/root", installed("PCP_VAR_DIR", ""));
  }
  const std::string run = installed("PCP_RUN_DIR", "/run/pcp");
  if (options.socket.empty()) {
    const char* const path = variable("PMCD_SOCKET");
    options.socket = path != nullptr ? path : run + "/pmcd.socket";
  }
  if (options.log.empty()) {
    options.log = fmt::format("{}/pmcd/pmcd.log", installed("PCP_LOG_DIR", ""));
  }
  const char* const ports = variable("PMCD_PORT");
  if (options.ports.empty() && ports != nullptr) (void)add_ports(ports, options.ports);
  if (options.ports.empty()) options.ports = {kCollectorPort};
  take_environment(options);
  if (const char* const seconds = variable("PMCD_CREDS_TIMEOUT")) {
    uint32_t number = 0;
    if (parse_whole(std::string_view(seconds), number)) options.greeting_s = number;
  }
}

// Dates as the log has them, in the zone of this process.
struct PmcdDates {
  const Clock& clock;
  tz::SharedRules zone = tz::load_rules(variable("TZ"));

  [[nodiscard]] std::string text(const char* form) const {
    std::tm parts{};
    std::array<char, 64> out{};
    if (!zone->local(unix_seconds(clock.wall()), parts)) return "";
    return {out.data(), std::strftime(out.data(), out.size(), form, &parts)};
  }
  [[nodiscard]] std::string in_full() const { return text("%a %b %e %H:%M:%S %Y"); }
};

// "[Fri Nov 27 22:13:23] pmcd(13206) Error: …" of a notice; other lines as they are.
std::string pmcd_line(const PmcdDates& dates, std::string_view text) {
  const bool notice =
      text.starts_with("Info: ") || text.starts_with("Warning: ") || text.starts_with("Error: ");
  if (!notice) return fmt::format("{}\n", text);
  return fmt::format("[{}] pmcd({}) {}\n", dates.text("%a %b %d %H:%M:%S"), getpid(), text);
}

void put_fatal(const std::string& text) { std::fputs(text.c_str(), stderr); }

int not_started(const PmcdDates& dates) {
  put_fatal(pmcd_line(dates, "Error: pmcd not started due to errors!"));
  return 1;
}

int verify(const PmcdOptions& options, const PmcdDates& dates) {
  if (::access(options.config.c_str(), R_OK) != 0) {
    put_fatal(fmt::format("pmcd verify {}: {}\n", options.config,
                          std::generic_category().message(errno)));
    return 1;
  }
  CollectorFiles files({.config = options.config});
  for (const std::string& line : files.read().log) put_fatal(pmcd_line(dates, line));
  return files.good() ? 0 : 1;
}

// The parent waits until the daemon serves, and ends with its verdict. In the daemon: where to
// write it; none: the system has no room for a daemon.
std::optional<int> become_daemon() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  const pid_t child = ::fork();
  if (child < 0) return {};
  if (child == 0) {
    ::setsid();
    ::close(ends[0]);
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    if (nothing > STDERR_FILENO) ::close(nothing);
    return ends[1];
  }
  ::close(ends[1]);
  char verdict = 1;
  if (::read(ends[0], &verdict, 1) != 1) verdict = 1;
  ::_exit(verdict);
}

// Standard output and error become the log, which agents write to, too. The one before is kept.
// False: they stay.
bool open_log(const std::string& path) {
  if (path == "-" || path == "/dev/tty") return false;
  // A device, as /dev/null, stays what it is.
  std::error_code unknown;
  if (std::filesystem::is_regular_file(path, unknown)) {
    (void)::rename(path.c_str(), (path + ".prev").c_str());
  }
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0664);
  if (fd < 0) {
    put_fatal(fmt::format("pmcd: cannot open log \"{}\" for writing: {}\n", path,
                          std::generic_category().message(errno)));
    return false;
  }
  ::dup2(fd, STDOUT_FILENO);
  ::dup2(fd, STDERR_FILENO);
  if (fd > STDERR_FILENO) ::close(fd);
  return true;
}

// As whom it serves; empty: as before.
std::string user_of(const PmcdOptions& options) {
  if (options.foreground || !options.user.empty()) return options.user;
  return "pcp";
}

void change_identity(const std::string& user, const CollectorLog& log) {
  if (::geteuid() != 0) return;
  const passwd* const found = ::getpwnam(user.c_str());
  if (found == nullptr) {
    return log(fmt::format("Warning: cannot find the user {}: going on as before", user));
  }
  const bool changed = ::initgroups(user.c_str(), found->pw_gid) == 0 &&
                       ::setgid(found->pw_gid) == 0 && ::setuid(found->pw_uid) == 0;
  if (!changed) log(fmt::format("Warning: cannot become the user {}", user));
}

// What the files say, now and again. A thread that reads them may outlive all else of pmcd.
class PmcdSetup {
 public:
  explicit PmcdSetup(const PmcdOptions& options)
      : config_(options.config),
        files_({.config = options.config, .names = options.names, .same = options.same}) {}

  // What is wrong with them ends the start, and stands in `first.log`.
  [[nodiscard]] bool read_first(CollectorSetup& first);
  // `date`: now, as the log has it.
  [[nodiscard]] CollectorSetup read(Instant now, const std::string& date);

 private:
  std::string config_;
  CollectorFiles files_;
  std::optional<CollectorSetup> first_;
  std::optional<Instant> last_read_;  // that is in the log
};

bool PmcdSetup::read_first(CollectorSetup& first) {
  first = files_.read();
  const bool empty = files_.good() && files_.agents() == 0;
  if (empty) {
    first.log.push_back(
        fmt::format("Error: No PMDAs found in the configuration file \"{}\"", config_));
  }
  if (!files_.good() || empty) return false;
  first_ = first;
  return true;
}

CollectorSetup PmcdSetup::read(Instant now, const std::string& date) {
  if (first_) return *std::exchange(first_, std::nullopt);
  CollectorSetup out = files_.read();
  // Signals may come at any rate, and the log is for people.
  const bool again = last_read_ && now - *last_read_ < std::chrono::seconds(1);
  out.quiet = again && !out.config && !out.names;
  if (out.quiet) {
    out.log.clear();
    return out;
  }
  last_read_ = now;
  out.heading = fmt::format("Info: \n\npmcd RESTARTED at {}\n", date);
  return out;
}

std::string lost_lines(uint64_t lines) {
  return fmt::format("({} lines of this log are lost)\n", lines);
}

class Pmcd {
 public:
  Pmcd(const PmcdOptions& options, const Clock& clock)
      : options_(options),
        clock_(clock),
        dates_{clock},
        setup_(std::make_shared<PmcdSetup>(options)),
        output_(lost_lines) {}

  int run();

 private:
  [[nodiscard]] CollectorOptions server_options();
  [[nodiscard]] bool go_into_background();
  [[nodiscard]] int give_up();
  void copy_log() const;
  void started(const CollectorServer& server);
  void log(std::string_view line) { output_.write(pmcd_line(dates_, line)); }

  const PmcdOptions& options_;
  const Clock& clock_;
  PmcdDates dates_;
  std::shared_ptr<PmcdSetup> setup_;
  LogOutput output_;
  std::string pid_file_;
  int verdict_to_ = -1;
  bool has_log_ = false;
};

// What runs agents that are shared objects, as whom pmcd itself serves.
DsoHost dso_host(const PmcdOptions& options) {
  constexpr ModuleFile kHostFile{.file = "pmjit-pmda-host",
                                 .symbol = "",
                                 .variable = "PMJIT_PMDA_HOST",
                                 .what = "program that runs agents which are shared objects"};
  const auto found = find_module(kHostFile);
  if (!found) return {.program = "", .missing = found.error().text()};
  return {.program = *found, .user = user_of(options)};
}

// As the log has it; `only_local`: by the environment.
std::string address_name(const std::string& address, bool only_local) {
  if (address == "0.0.0.0" || address == "::") return "INADDR_ANY";
  return only_local ? "INADDR_LOOPBACK" : address;
}

std::string listen_failure(const std::string& address, uint16_t port, int error, bool only_local) {
  const bool is_path = port == 0;
  const std::string name = is_path ? address : address_name(address, only_local);
  if (error == EINVAL && !is_path) {
    return fmt::format("Error: OpenRequestSocket({}, {}) invalid address", port, name);
  }
  const char* family = address.find(':') == std::string::npos ? "inet" : "ipv6";
  std::string out = fmt::format("Error: OpenRequestSocket({}, {}, {}) __pmBind: {}", port, name,
                                is_path ? "unix" : family, std::generic_category().message(error));
  if (error == EADDRINUSE) out += "\npmcd may already be running";
  return out;
}

CollectorOptions Pmcd::server_options() {
  const auto client_wait = std::chrono::seconds(options_.answer_s == 0 ? 3'600 : options_.answer_s);
  return {.port = options_.ports.front(),
          .more_ports = {options_.ports.begin() + 1, options_.ports.end()},
          .needs_every_port = false,
          .addresses = options_.addresses,
          .unix_path = options_.socket,
          .limits = {.pdu_bytes_max = options_.pdu_bytes, .half_pdu = client_wait},
          .needs_users = options_.needs_users,
          .setup = [setup = setup_, &clock = clock_,
                    dates = dates_] { return setup->read(clock.now(), dates.in_full()); },
          .agent_patience = std::chrono::seconds(options_.answer_s),
          .agent_greeting = std::chrono::seconds(options_.greeting_s),
          .restart_agents = options_.restarts,
          .dso_host = dso_host(options_),
          .backlog = options_.backlog,
          .address_name = [local = options_.only_local](
                              const std::string& address) { return address_name(address, local); },
          .listen_failure = [local = options_.only_local](
                                const std::string& address, uint16_t port,
                                int error) { return listen_failure(address, port, error, local); }};
}

bool Pmcd::go_into_background() {
  const auto verdict_to = become_daemon();
  if (!verdict_to) {
    put_fatal(
        fmt::format("pmcd: cannot become a daemon: {}\n", std::generic_category().message(errno)));
    return false;
  }
  verdict_to_ = *verdict_to;
  return true;
}

int Pmcd::run() {
  if (!options_.foreground && !go_into_background()) return not_started(dates_);
  CollectorState state{.version = std::string(kPcpVersion),
                       .build = "pmjit",
                       .timeout_s = static_cast<int>(options_.answer_s),
                       .traces_connections = (options_.trace_mask & kTraceConnections) != 0 ? 1 : 0,
                       .traces_pdus = (options_.trace_mask & kTracePdus) != 0 ? 1 : 0,
                       .traces_unbuffered = (options_.trace_mask & kTraceAtOnce) != 0 ? 1 : 0,
                       .host_name = options_.host_name,
                       .label_folder = installed("PCP_SYSCONF_DIR", "/etc/pcp"),
                       .certificates_required = options_.wants_certificates};
  PmcdAgent pmcd(state);
  pmcd.read_files_apart({.places = installed_places()});
  TimedAgent linux(std::make_shared<LinuxAgent>());
  CollectorCore core(clock_, {&pmcd, &linux}, state);
  CollectorOptions options = server_options();
  const auto tls = collector_tls(installed("PCP_TLSCONF_PATH", "/etc/pcp/tls.conf"), clock_);
  if (tls) options.begin_tls = *tls;
  const auto secure = load_secure();
  if (secure) options.check_login = (*secure)->check_login;
  const CollectorServer* listening = nullptr;
  options.when_started = [&] { started(*listening); };
  CollectorServer server(core, std::move(options), [this](std::string_view line) { log(line); });
  listening = &server;
  if (const auto fine = server.listen(); !fine) {
    log(fine.error().text());
    log("pmcd: can't open any request ports, exiting");
    return not_started(dates_);
  }
  has_log_ = open_log(options_.log);
  if (has_log_) (void)output_.open(options_.log);
  log(fmt::format("Log for pmcd on {} started {}\n", collector_host_name(), dates_.in_full()));
  for (const std::string& warning : options_.warnings) {
    output_.write(warning + "\n");
  }
  if (!secure) log("Warning: nobody can log in: " + secure.error().text());
  CollectorSetup first;
  if (!setup_->read_first(first)) {
    for (const std::string& line : first.log) log(line);
    return give_up();
  }
  if (!tls) {
    log(fmt::format("Error: {}", tls.error().text()));
    return give_up();
  }
  if (options_.wants_certificates && !*tls) {
    log("Warning: -Q: there is no tls-cert-file, so other machines cannot connect");
  }
  server.run();
  log("Info: pmcd Shutdown\n");
  log(fmt::format("Log finished {}", dates_.in_full()));
  if (!pid_file_.empty()) (void)::unlink(pid_file_.c_str());
  return 0;
}

int Pmcd::give_up() {
  log("Error: pmcd not started due to errors!");
  if (has_log_) copy_log();
  log(fmt::format("\nLog finished {}", dates_.in_full()));
  return 1;
}

// Who has started it sees the log at once: in the file of -x, or on the terminal.
void Pmcd::copy_log() const {
  const std::string path = options_.fatal_log.empty() ? "/dev/tty" : options_.fatal_log;
  std::ifstream all(options_.log);
  if (std::ofstream out(path); out) {
    out << "NOTE: pmcd not started due to errors!  Log file \"" << options_.log
        << "\" contains ...\n"
        << all.rdbuf() << "\n";
  }
}

void Pmcd::started(const CollectorServer& server) {
  const std::string path = installed("PCP_RUN_DIR", "/run/pcp") + "/pmcd.pid";
  if (!options_.foreground) {
    std::ofstream(path) << getpid() << "\n";
    pid_file_ = path;
  }
  if (const std::string user = user_of(options_); !user.empty()) {
    change_identity(user, [this](std::string_view line) { log(line); });
  }
  log(fmt::format("\npmcd: PID = {}, PDU version = 2", getpid()));
  log(server.port_table());
  if (verdict_to_ < 0) return;
  const char verdict = 0;
  (void)!::write(verdict_to_, &verdict, 1);
  ::close(verdict_to_);
}

}  // namespace

int run_pmcd(int argc, const char* const* argv, DerivedMetrics&, const Clock& clock) {
  PmcdOptions options;
  Arguments arguments(kPmcdTable, argc, argv);
  while (const auto found = arguments.next()) {
    if (found->row == nullptr) {
      options.mistakes.push_back("pmcd: " + found->mistake);
    } else {
      take_option(*found, options);
    }
  }
  const bool operands = !arguments.operands().empty();
  if (options.help || operands || !options.mistakes.empty()) {
    for (const std::string& mistake : options.mistakes) put_fatal(mistake + "\n");
    put_fatal(usage_text("pmcd", kPmcdTable));
    return options.help && options.mistakes.empty() && !operands ? 0 : not_started({clock});
  }
  fill_defaults(options);
  if (options.verify) return verify(options, {clock});
  return Pmcd(options, clock).run();
}

}  // namespace pmjit
