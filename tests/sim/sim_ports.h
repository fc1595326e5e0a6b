// Where simulated hosts live: host 0 at 127.1.0.0, host 1 at 127.1.0.1, host 256 at 127.1.1.0.
// Linux takes the whole of 127/8 for its own, so a socket that listens on every address
// is that of all hosts.
//
//   auto shared = listen_at(INADDR_ANY, 0);       // shared->port is the one that is free
//   std::optional<uint32_t> host = host_of(accept(shared->fd, …));
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/base/result.h"

namespace pmjit::test {

// Up to 127.254.255.255.
inline constexpr uint32_t kSimHostsMax = 254u << 16;

[[nodiscard]] constexpr uint32_t sim_address(uint32_t host) {
  return (127u << 24) + (1u << 16) + host;
}
[[nodiscard]] std::string sim_address_text(uint32_t host);

struct OpenPort {
  int fd;
  uint16_t port;
};
// A socket that listens. `port` 0: one that is free.
[[nodiscard]] Result<OpenPort> listen_at(uint32_t address, uint16_t port);

// Whose address the peer of this connection has called; none: no host can have it.
[[nodiscard]] std::optional<uint32_t> host_of(int connection);

// Raises the limit of descriptors to the hard one, which has to suffice for so many and some more.
[[nodiscard]] Result<void> raise_descriptors(uint32_t wanted);

}  // namespace pmjit::test
