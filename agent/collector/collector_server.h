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

#include "agent/collector/served_client.h"

namespace pmjit {

inline constexpr uint16_t kCollectorPort = 44'321;

struct CollectorOptions {
  uint16_t port = kCollectorPort;      // 0: one that is free
  std::vector<std::string> addresses;  // numeric; none: the loopback ones
  std::string unix_path;               // of a socket, besides; empty: none
  uint32_t clients_max = limits::kCollectorClientsMax;
  ClientLimits limits{};
};

// A line of the log, without its time.
using CollectorLog = std::function<void(std::string_view line)>;

class CollectorServer {
 public:
  CollectorServer(CollectorCore& core, CollectorOptions options, CollectorLog log);
  ~CollectorServer();

  // Errors: a port or path in use, an address that is not ours, too few descriptors.
  [[nodiscard]] Result<void> listen();
  [[nodiscard]] uint16_t port() const;  // after listen()
  // The addresses that it listens on; after listen().
  [[nodiscard]] std::vector<std::string> addresses() const;
  void run();
  void stop();  // from any thread; clients are closed

 private:
  class Sockets;
  std::unique_ptr<Sockets> sockets_;
};

}  // namespace pmjit
