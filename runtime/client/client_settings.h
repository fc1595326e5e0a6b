// ClientSettings: what the environment says of connections to collectors. Source: spec
// wire-protocol.md §13.1 to §13.3, §14.3.
//
//   const ClientSettings settings = installed_client_settings(warnings);
//   HostClient client(network, spec, settings);
//
//   PMCD_PORT               ports, where the specification has none; unset, or with a word that
//                           is no number: 44321
//   PMCD_SOCKET             the collector's socket on this machine
//   PCP_RUN_DIR             or the folder of its pmcd.socket; unset: /run/pcp
//   PMCD_CONNECT_TIMEOUT    seconds for each attempt, 0: no limit; unset: 5
//   PMCD_REQUEST_TIMEOUT    whole seconds for an answer, below 1: no limit; unset: 10
//                           (the greeting always has 10)
//   PMCD_RECONNECT_TIMEOUT  seconds between attempts, growing; unset: 5,10,20,40,80
//   PCP_CONTAINER           the container, where no other is named; unset: none
//   PMPROXY_HOST, PMPROXY_PORT   the proxy of hosts that name none; its port, unset: 44322
//   PCP_SECURE_SOCKETS      hosts that say nothing of it are encrypted: "", 1 or enforce; relaxed:
//                           where they can
//   PCP_TLSCONF_PATH        certificates and authorities (net/tls_settings.h)
//   PCP_ALLOW_SERVER_SELF_CERT, PCP_ALLOW_BAD_CERT_DOMAIN   any issuer, any name will do
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace pmjit {

struct FetchCounts;

// Whether what is sent is encrypted: never, where the collector can, or always.
enum class TlsWish : uint8_t { none, relaxed, enforced };
// Asks the user at the terminal; nothing: there is none, or he gave up.
using AskUser =
    std::function<std::optional<std::string>(const std::string& prompt, bool is_secret)>;

// Seconds that stand for "no limit": beyond any run.
inline constexpr std::chrono::nanoseconds kNoTimeLimit = std::chrono::hours(24 * 365 * 30);

struct ClientSettings {
  std::vector<uint32_t> ports{44321};
  std::string socket_path = "/run/pcp/pmcd.socket";
  std::chrono::nanoseconds connect_timeout = std::chrono::seconds(5);
  std::chrono::nanoseconds request_timeout = std::chrono::seconds(10);
  // Until the second, third … attempt of a row that fails; the last one repeats.
  std::vector<std::chrono::seconds> reconnect_delays{
      std::chrono::seconds(5), std::chrono::seconds(10), std::chrono::seconds(20),
      std::chrono::seconds(40), std::chrono::seconds(80)};
  // The share of each delay by which an attempt is made earlier or later, so that many clients do
  // not come at once. 0: at PCP's own times.
  double reconnect_jitter = 0.25;
  // What the jitter is drawn from, besides the host; none: this process, its machine and its start,
  // so that clients which name one host alike have delays of their own.
  std::optional<uint32_t> jitter_seed{};
  std::string container{};  // empty: none
  std::optional<std::string> proxy{};
  uint32_t proxy_port = 44322;
  TlsWish secure = TlsWish::none;
  std::string tls_path = "/etc/pcp/tls.conf";
  bool any_issuer = false, any_name = false;
  // For user names and passwords that are wanted, and not given; null: nobody can be asked.
  AskUser ask{};
  // Calls that wait end with an error (-EINTR) soon after it says so: a user interrupts them.
  std::function<bool()> stop{};
  // Failures come in the order of PCP's library, and have its codes: what cannot be done is refused
  // only once the host has been reached, of a port that is too large the low bits count, and a
  // refused login fails the first request.
  bool fails_as_pcp = false;
  // A connection keeps the memory of long answers: for a program that has a few of them, not
  // thousands.
  bool keeps_long_answers = false;
  // Counts what connections fetch; null: nobody wants to know.
  FetchCounts* fetch_counts = nullptr;
};

// A variable that cannot be read: its default counts.
struct BadSetting {
  std::string name, value, why;

  [[nodiscard]] std::string text() const;  // "ignored bad NAME = 'VALUE': why"
};

// Of this process' environment and of PCP's configuration file (runtime/base/installed.h).
[[nodiscard]] ClientSettings installed_client_settings(std::vector<BadSetting>& bad);
[[nodiscard]] ClientSettings installed_client_settings(std::vector<std::string>& warnings);
// `get` has a variable's value, or null.
[[nodiscard]] ClientSettings read_client_settings(
    const std::function<const char*(const char*)>& get, std::vector<BadSetting>& bad);

}  // namespace pmjit
