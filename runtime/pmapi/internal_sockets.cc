// Sockets as pmie uses them, to see whether a host that was lost answers again.
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/pmapi/internal.h"

namespace pmjit {

struct SharedHost {
  addrinfo* addresses;
};
struct SharedAddress {
  sockaddr_storage address;
  socklen_t bytes;
};

namespace {

int create_socket(int family) {
  const int fd = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return fd < 0 ? -errno : fd;
}

void set_port(SharedAddress& address, int port) {
  const in_port_t turned = htons(static_cast<uint16_t>(port));
  if (address.address.ss_family == AF_INET6) {
    reinterpret_cast<sockaddr_in6&>(address.address).sin6_port = turned;
  } else {
    reinterpret_cast<sockaddr_in&>(address.address).sin_port = turned;
  }
}

bool is_of(const SharedAddress* address, int family) {
  return address != nullptr && address->address.ss_family == family;
}

}  // namespace

}  // namespace pmjit

using namespace pmjit;

int __pmCreateSocket() { return create_socket(AF_INET); }
int __pmCreateIPv6Socket() { return create_socket(AF_INET6); }
void __pmCloseSocket(int fd) { ::close(fd); }

SharedHost* __pmGetAddrInfo(const char* name) {
  const addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
  addrinfo* found = nullptr;
  if (name == nullptr || ::getaddrinfo(name, nullptr, &hints, &found) != 0) return nullptr;
  auto* out = static_cast<SharedHost*>(std::malloc(sizeof(SharedHost)));
  if (out == nullptr) return ::freeaddrinfo(found), nullptr;
  out->addresses = found;
  return out;
}

void __pmHostEntFree(SharedHost* host) {
  if (host == nullptr) return;
  ::freeaddrinfo(host->addresses);
  std::free(host);
}

// The first address where `place` is null, else the next; null: there are no more.
SharedAddress* __pmHostEntGetSockAddr(const SharedHost* host, void** place) {
  if (host == nullptr || place == nullptr) return nullptr;
  const auto* last = static_cast<const addrinfo*>(*place);
  addrinfo* found = last == nullptr ? host->addresses : last->ai_next;
  *place = found;
  if (found == nullptr || found->ai_addrlen > sizeof(sockaddr_storage)) return nullptr;
  auto* out = static_cast<SharedAddress*>(std::calloc(1, sizeof(SharedAddress)));
  if (out == nullptr) return nullptr;
  std::memcpy(&out->address, found->ai_addr, found->ai_addrlen);
  out->bytes = found->ai_addrlen;
  return out;
}

void __pmSockAddrFree(SharedAddress* address) { std::free(address); }
int __pmSockAddrIsInet(const SharedAddress* address) { return is_of(address, AF_INET); }
int __pmSockAddrIsIPv6(const SharedAddress* address) { return is_of(address, AF_INET6); }

// Without waiting: the flags that the socket had, for __pmConnectRestoreFlags().
int __pmConnectTo(int fd, const SharedAddress* address, int port) {
  if (address == nullptr) return -EINVAL;
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0 || ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) return -errno;
  SharedAddress to = *address;
  set_port(to, port);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&to.address), to.bytes) < 0 &&
      errno != EINPROGRESS) {
    const int error = errno;
    ::close(fd);
    return -error;
  }
  return flags;
}

int __pmConnectCheckError(int fd) {
  int error = 0;
  socklen_t bytes = sizeof error;
  return ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &bytes) < 0 ? errno : error;
}

int __pmConnectRestoreFlags(int fd, int flags) {
  if (::fcntl(fd, F_SETFL, flags) == 0) return fd;
  const int error = errno;
  ::close(fd);
  return -error;
}

void __pmFD_SET(int fd, fd_set* set) {
  if (set != nullptr && fd >= 0 && fd < FD_SETSIZE) FD_SET(fd, set);
}
void __pmFD_ZERO(fd_set* set) {
  if (set != nullptr) FD_ZERO(set);
}
int __pmSelectWrite(int count, fd_set* set, struct timeval* timeout) {
  return ::select(count, nullptr, set, nullptr, timeout);
}

// Programs of ours are no agents.
int __pmSendDesc(int, int, pmDesc*) { return PM_ERR_NYI; }
int __pmSendResult(int, int, const SharedResult*) { return PM_ERR_NYI; }
