#include "tests/sim/sim_ports.h"

#include <fmt/core.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace pmjit::test {

namespace {

// Of the simulator itself: standard streams, epoll, signals, listener, files.
constexpr uint32_t kOwnDescriptors = 16;

sockaddr_in local_name(int fd) {
  sockaddr_in out{};
  socklen_t bytes = sizeof out;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&out), &bytes) != 0) return {};
  return out;
}

Error socket_error(uint32_t address, uint16_t port) {
  return Error(Fault::io, fmt::format("cannot listen: {}", std::strerror(errno)))
      .at("address", fmt::format("{}.{}.{}.{}:{}", address >> 24, address >> 16 & 255,
                                 address >> 8 & 255, address & 255, port))
      .help("--port auto takes a port that is free");
}

}  // namespace

std::string sim_address_text(uint32_t host) {
  const uint32_t address = sim_address(host);
  return fmt::format("127.{}.{}.{}", address >> 16 & 255, address >> 8 & 255, address & 255);
}

Result<OpenPort> listen_at(uint32_t address, uint16_t port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return fail(socket_error(address, port));
  const int on = 1;
  const sockaddr_in name{.sin_family = AF_INET,
                         .sin_port = htons(port),
                         .sin_addr = {.s_addr = htonl(address)},
                         .sin_zero = {}};
  // Connections inherit TCP_NODELAY.
  const bool listens = setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                       setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0 &&
                       bind(fd, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0 &&
                       listen(fd, SOMAXCONN) == 0;
  if (!listens) {
    Error error = socket_error(address, port);
    close(fd);
    return fail(std::move(error));
  }
  return OpenPort{.fd = fd, .port = ntohs(local_name(fd).sin_port)};
}

std::optional<uint32_t> host_of(int connection) {
  const uint32_t address = ntohl(local_name(connection).sin_addr.s_addr);
  if (address < sim_address(0) || address - sim_address(0) >= kSimHostsMax) return {};
  return address - sim_address(0);
}

Result<void> raise_descriptors(uint32_t wanted) {
  rlimit limit{};
  check(getrlimit(RLIMIT_NOFILE, &limit) == 0, "sim: no limit of descriptors");
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_max < wanted + kOwnDescriptors) {
    return fail(Error(Fault::limit, fmt::format("{} descriptors are needed, and the limit is {}",
                                                wanted + kOwnDescriptors, limit.rlim_max))
                    .help("raise it with ulimit -n, or divide the hosts between several "
                          "simulators with --hosts and --first"));
  }
  return {};
}

}  // namespace pmjit::test
