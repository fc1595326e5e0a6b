// pmjit collect: the collector: metrics of this machine for clients of PCP, in the foreground,
// until SIGTERM or SIGINT.

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <cstdio>
#include <memory>

#include "agent/collector/collector_server.h"
#include "agent/collector/listen_address.h"
#include "agent/linux/linux_agent.h"
#include "agent/model/timed_agent.h"
#include "agent/pmcd/pmcd_agent.h"
#include "rules/cmd/collector_tls.h"
#include "rules/cmd/common.h"
#include "rules/cmd/verbs.h"
#include "runtime/base/installed.h"
#include "runtime/base/log_output.h"

namespace pmjit {

namespace {

struct CollectOptions {
  std::string port = fmt::format("{}", kCollectorPort);
  std::vector<std::string> addresses;
  std::string unix_path, log, tls;
  bool wants_certificates = false;
  uint32_t clients = limits::kCollectorClientsMax, wait_s = 5;
};

// 0 is a free one; none: it is no port.
std::optional<uint16_t> port_of(const std::string& text) {
  if (text == "auto") return uint16_t{0};
  uint32_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || (number = number * 10 + static_cast<uint32_t>(c - '0')) > UINT16_MAX)
      return {};
  }
  if (text.empty()) return {};
  return static_cast<uint16_t>(number);
}

std::string wrong_port(const std::string& text) {
  return port_of(text) ? "" : "is not a port; use a number up to 65535, or auto";
}

std::string log_line(const Clock& clock, std::string_view text) {
  const std::chrono::sys_seconds now{std::chrono::seconds(unix_seconds(clock.wall()))};
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC pmjit collect: {}\n",
                     fmt::gmtime(now.time_since_epoch().count()), text);
}

// Where clients reach it; scripts read the port from the first line.
void print_places(const CollectOptions& options, const CollectorServer& server) {
  for (const std::string& address : server.addresses()) {
    fmt::print("pmjit collect: listening on {} port {}\n", address, server.port());
  }
  if (!options.unix_path.empty()) {
    fmt::print("pmjit collect: listening on unix://{}\n", options.unix_path);
  }
  std::fflush(stdout);
}

Result<BeginTls> tls_of(const CollectOptions& options, const Clock& clock) {
  if (options.tls.empty()) {
    if (!options.wants_certificates) return BeginTls();
    return fail(Error(Fault::usage, "--client-certificates needs --tls")
                    .help("write --tls FILE with the certificate of this collector"));
  }
  auto out = collector_tls(options.tls, clock);
  if (!out || *out) return out;
  return fail(Error(Fault::usage, "tls-cert-file and tls-key-file are missing")
                  .at("TLS settings", options.tls)
                  .help("name the certificate and the key of this collector there"));
}

int collect(const CollectOptions& options, const Clock& clock) {
  // Nobody who reads the log is no reason to stop serving.
  LogOutput output([&](uint64_t lines) {
    return log_line(clock, fmt::format("{} {} of this log {} lost: there was no room for {}", lines,
                                       lines == 1 ? "line" : "lines", lines == 1 ? "is" : "are",
                                       lines == 1 ? "it" : "them"));
  });
  if (!options.log.empty()) {
    if (const int error = output.open(options.log); error != 0) {
      return complain(log_file_error(error, options.log).text()), kExitErrors;
    }
  }
  const CollectorLog log = [&](std::string_view line) { output.write(log_line(clock, line)); };
  CollectorState state{.version = PMJIT_VERSION,
                       .build = "pmjit",
                       .timeout_s = static_cast<int>(options.wait_s),
                       .label_folder = installed("PCP_SYSCONF_DIR", "/etc/pcp"),
                       .certificates_required = options.wants_certificates};
  const auto begin_tls = tls_of(options, clock);
  if (!begin_tls) return complain(begin_tls.error().text()), kExitErrors;
  PmcdAgent pmcd(state);
  pmcd.read_files_apart({.places = installed_places()});
  TimedAgent linux(std::make_shared<LinuxAgent>());
  CollectorCore core(clock, {&pmcd, &linux}, state);
  CollectorServer server(core,
                         {.port = port_of(options.port).value_or(kCollectorPort),
                          .addresses = options.addresses,
                          .unix_path = options.unix_path,
                          .clients_max = options.clients,
                          .limits = {.half_pdu = std::chrono::seconds(options.wait_s)},
                          .begin_tls = *begin_tls},
                         log);
  if (const auto listening = server.listen(); !listening) {
    return complain(listening.error().text()), kExitErrors;
  }
  print_places(options, server);
  log(fmt::format("serves {} metrics on port {}", core.names().size(), server.port()));
  server.run();
  return kExitOk;
}

CommandOptions collect_options(CollectOptions& options) {
  return {
      {.names = "-p,--port",
       .target = &options.port,
       .value = "PORT",
       .what = "port; auto picks a free one",
       .wrong = wrong_port,
       .daily = true,
       .more = "pmjit prints the port that it has picked."},
      {.names = "--address",
       .target = &options.addresses,
       .value = "ADDRESS",
       .what = "listen on this address instead of loopback",
       .daily = true,
       .more = "An address is numeric. Everyone who reaches it can read all metrics. The option "
               "may be repeated."},
      {.names = "--unix",
       .target = &options.unix_path,
       .value = "PATH",
       .what = "also listen on a unix socket",
       .daily = true},
      {.names = "--log",
       .target = &options.log,
       .value = "FILE",
       .what = "append log lines to FILE, not standard error",
       .daily = true},
      {.names = "--tls",
       .target = &options.tls,
       .value = "FILE",
       .what = "let clients use TLS, with the certificate named in FILE",
       .more = "FILE is written like PCP's tls.conf: tls-cert-file and tls-key-file are needed, "
               "tls-ca-cert-file names the authorities of client certificates."},
      {.names = "--client-certificates",
       .target = &options.wants_certificates,
       .what = "require TLS and a certificate of clients on other machines"},
      {.names = "--clients",
       .target = &options.clients,
       .value = "N",
       .what = "most clients at once; more are refused",
       .range = {{1, 100'000}}},
      {.names = "--wait",
       .target = &options.wait_s,
       .value = "SECONDS",
       .what = "close a client whose request takes longer to arrive",
       .range = {{1, 3'600}}}};
}

}  // namespace

Command collect_command(const Clock& clock) {
  auto options = std::make_shared<CollectOptions>();
  return {
      .name = "collect",
      .what = "serve the metrics of this machine to PCP's tools and to pmjit",
      .options = collect_options(*options),
      .footer =
          "It runs in the foreground until SIGTERM or SIGINT. Ask it from another terminal:\n"
          "  pmjit info -h localhost:44321\n"
          "  pmjit eval -h localhost:44321 -t 1s kernel.all.load",
      .run = [options, &clock] { return collect(*options, clock); },
      .examples = {"pmjit collect", "pmjit collect --port auto",
                   "pmjit collect --unix pmjit.socket --log collect.log"},
      .group = "Serve metrics",
      .also = {"serve", "pmcd", "agent"},
  };
}

}  // namespace pmjit
