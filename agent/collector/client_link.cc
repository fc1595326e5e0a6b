#include "agent/collector/client_link.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace pmjit {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// Supplementary groups of whom the system vouches for: all of them, since one may be denied.
std::vector<uint32_t> groups_of(int socket, uint32_t primary) {
  std::vector<gid_t> groups(64);
  const auto ask = [&] {
    auto size = static_cast<socklen_t>(groups.size() * sizeof(gid_t));
    const int failed = getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups.data(), &size);
    groups.resize(failed != 0 && errno != ERANGE ? 0 : size / sizeof(gid_t));
    return failed == 0;
  };
  if (!ask() && !ask()) groups.clear();  // the first may say how many there are
  std::vector<uint32_t> out = {primary};
  out.insert(out.end(), groups.begin(), groups.end());
  return out;
}

PeerFacts local_peer(int socket, uint32_t number) {
  PeerFacts out{.name = "", .asker = {.client = number}};
  ucred who{};
  socklen_t size = sizeof who;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0) {
    out.asker.user_id = who.uid;
    out.asker.group_id = who.gid;
    out.asker.process_id = static_cast<uint32_t>(who.pid);
    out.access.user_id = who.uid;
    out.access.group_ids = groups_of(socket, who.gid);
  }
  out.access.addresses = {PeerAddress{}};
  out.name = fmt::format("unix socket, process {}, user {}", who.pid, who.uid);
  return out;
}

}  // namespace

// The address is taken as it is: as a text it may have a zone behind it ("fe80::1%eth0").
std::optional<PeerFacts> peer_of(StreamSocket& socket, uint32_t number) {
  sockaddr_storage address{};
  socklen_t bytes = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (getpeername(socket.native_handle(), any, &bytes) != 0) return {};
  if (address.ss_family == AF_UNIX) return local_peer(socket.native_handle(), number);
  PeerAddress from;
  if (address.ss_family == AF_INET) {
    from.family = PeerFamily::inet;
    std::memcpy(from.bytes.data(), &reinterpret_cast<const sockaddr_in*>(any)->sin_addr, 4);
  } else if (address.ss_family == AF_INET6) {
    from.family = PeerFamily::ipv6;
    std::memcpy(from.bytes.data(), &reinterpret_cast<const sockaddr_in6*>(any)->sin6_addr, 16);
  } else {
    return {};
  }
  asio::ip::tcp::endpoint endpoint;
  std::memcpy(endpoint.data(), &address, std::min<size_t>(bytes, endpoint.capacity()));
  endpoint.resize(std::min<size_t>(bytes, endpoint.capacity()));
  return PeerFacts{
      .name = fmt::format("{} port {}", endpoint.address().to_string(), endpoint.port()),
      .asker = {.client = number},
      .access = {.addresses = {from}}};
}

ClientLink::ClientLink(Owner& owner, CollectorCore& core, StreamSocket socket, PeerFacts peer,
                       const ClientLimits& limits)
    : owner_(owner),
      clock_(core.clock()),
      stream_(std::move(socket)),
      timer_(stream_.get_executor()),
      peer_(std::move(peer)),
      client_(core, peer_.asker, limits) {}

void ClientLink::go_on() {
  if (closed_) return;
  if (client_.begins_tls()) client_.encrypt(owner_.begin_tls(*this));
  if (client_.awaits_admission() != nullptr) owner_.has_logged_in(*this);
  write();
  if (client_.closing()) return close();
  owner_.waits_for_agents(*this, client_.waits());
  arm();
  read();
}

void ClientLink::become(const LoginUser& user) {
  peer_.name += fmt::format(", user {}", user.name);
  peer_.access.user_id = user.user_id;
  peer_.access.group_ids = user.group_ids;
}

// It waits with a buffer: asio knows then that a read which left room has taken all there is, and
// spares a system call for each answer. `client_` keeps the buffer until bytes have come.
void ClientLink::read() {
  if (reading_ || closed_ || !client_.reads()) return;
  reading_ = true;
  const auto room = client_.room();
  stream_.async_read_some(asio::buffer(room.data(), room.size()),
                          [self = shared_from_this()](error_code error, size_t bytes) {
                            self->reading_ = false;
                            if (self->closed_) return;
                            if (!error) {
                              self->client_.received(bytes);
                            } else {
                              self->client_.ended();
                            }
                            self->owner_.has_answered();
                            self->go_on();
                          });
}

// Answers grow while asio waits, so it waits without a buffer.
void ClientLink::write() {
  while (!waiting_to_write_ && !client_.unsent().empty()) {
    error_code error;
    const Bytes unsent = client_.unsent();
    const size_t bytes = stream_.write_some(asio::buffer(unsent.data(), unsent.size()), error);
    client_.sent(bytes);
    if (error == asio::error::would_block || error == asio::error::try_again) {
      if (client_.closing()) return;
      waiting_to_write_ = true;
      stream_.async_wait(StreamSocket::wait_write,
                         [self = shared_from_this()](const error_code& failed) {
                           self->waiting_to_write_ = false;
                           if (!failed) self->go_on();
                         });
    } else if (error) {
      return client_.ended();
    }
  }
}

void ClientLink::arm() {
  const auto deadline = client_.deadline();
  // A timer that is early looks again, so one that runs is left alone: each change is a system
  // call.
  if (!deadline || (armed_ && *armed_ <= *deadline)) return;
  armed_ = deadline;
  timer_.expires_after(std::max(*deadline - clock_.now(), std::chrono::nanoseconds(0)));
  timer_.async_wait([self = shared_from_this()](const error_code& error) {
    if (error || self->closed_) return;
    self->armed_.reset();
    self->client_.look_at_time();
    self->owner_.has_answered();
    self->go_on();
  });
}

void ClientLink::close() {
  if (std::exchange(closed_, true)) return;
  error_code ignored;
  stream_.close(ignored);
  timer_.cancel();
  owner_.has_closed(*this);
}

}  // namespace pmjit
