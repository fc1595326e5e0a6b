// CollectorServer: the sockets of a collector. It listens, accepts, reads and writes.
// served_client.h decides the answers. One thread does it all.
//
//   CollectorServer server(core, {.port = 0}, log);
//   if (auto ok = server.listen(); !ok) return fail(ok.error());
//   print(server.port());
//   server.run();                  // until SIGTERM, SIGINT or stop()
//
// Nothing here waits for one client: reads and writes take what there is. A client whose answers
// pile up is not read until it has read some of them. Where descriptors run out, listening pauses
// for a second; clients that are there go on.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agent/collector/collector_config.h"
#include "agent/collector/served_client.h"

namespace pmjit {

inline constexpr uint16_t kCollectorPort = 44'321;

// A line of the log, without its time. One that begins with "Info: ", "Warning: " or "Error: " is a
// notice, as pmcd has them.
using CollectorLog = std::function<void(std::string_view line)>;

// What files say of agents, names and access.
struct CollectorSetup {
  struct OwnedLeaf {
    std::string name;
    PmId pmid;
  };
  std::optional<CollectorConfig> config{};        // none: as it was
  std::optional<std::vector<OwnedLeaf>> names{};  // the same
  std::string heading{};                          // stands in the log before the clients and `log`
  std::vector<std::string> log{};
  bool restarts_dead = false;  // agents that have ended, where the configuration is as it was
  bool quiet = false;          // nothing in the log: it has just said the same
};

// What runs agents that are shared objects, each in a process of its own (agent/host).
struct DsoHost {
  std::string program;    // its path; empty: they cannot be run
  std::string missing{};  // why not
  std::string user{};     // whom their processes become where this one is root; empty: they do not
};

// How a client goes on in TLS, which may be asked to show a certificate. `from`: for messages.
using BeginTls = std::function<Result<std::unique_ptr<TlsSession>>(const std::string& from,
                                                                   bool wants_certificate)>;

struct CollectorOptions {
  uint16_t port = kCollectorPort;      // 0: one that is free
  std::vector<uint16_t> more_ports{};  // besides
  bool needs_every_port = true;        // false: one of them is enough, the others are in the log
  std::vector<std::string> addresses;  // numeric; none: the loopback ones
  std::string unix_path;               // of a socket, besides; empty: none
  uint32_t clients_max = limits::kCollectorClientsMax;
  ClientLimits limits{};
  BeginTls begin_tls{};      // null: there is no TLS
  CheckLogin check_login{};  // null: nobody can log in
  bool needs_users = false;  // clients have to log in, or to use the unix socket
  // Reads the files: at the start, and at each SIGHUP by another thread. That may be at it still
  // when the server has gone, so this owns what it uses. Null: there are no files.
  std::function<CollectorSetup()> setup{};
  std::chrono::milliseconds agent_patience{5'000}, agent_greeting{3'000};  // 0: for ever
  bool restart_agents = true;
  DsoHost dso_host{};
  int backlog = 0;  // connections that may wait to be taken; 0: as many as the system allows
  // What tables call an address; null: as it is.
  std::function<std::string(const std::string& address)> address_name{};
  // What the log says of a place that cannot be listened on, of a unix socket with the port 0;
  // null: what listen() fails with.
  std::function<std::string(const std::string& address, uint16_t port, int error)> listen_failure{};
  std::function<void()> when_started{};  // agents have been started, and clients are served now
};

class CollectorServer {
 public:
  CollectorServer(CollectorCore& core, CollectorOptions options, CollectorLog log);
  ~CollectorServer();

  // Errors: a port or path in use, an address that is not ours, too few descriptors.
  [[nodiscard]] Result<void> listen();
  [[nodiscard]] uint16_t port() const;  // after listen()
  // The addresses that it listens on; after listen().
  [[nodiscard]] std::vector<std::string> addresses() const;
  // The same as pmcd's log has them, a line each, with heads.
  [[nodiscard]] std::string port_table() const;
  void run();
  void stop();  // from any thread; clients are closed

 private:
  class Sockets;
  std::unique_ptr<Sockets> sockets_;
};

}  // namespace pmjit
