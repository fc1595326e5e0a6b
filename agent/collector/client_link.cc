#include "agent/collector/client_link.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace pmjit {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// Requests of one client that are read before others have their turn.
constexpr int kReadsAtOnce = 8;
// A client can send thousands of requests at once, each of which has files read.
constexpr size_t kAnswersAtOnce = 16;

ClientLimits with_turns(ClientLimits limits) {
  limits.answers_at_once = kAnswersAtOnce;
  return limits;
}

// In one call of the system; `then` may be empty.
ssize_t send_both(int socket, Bytes first, Bytes then) {
  if (then.empty()) return ::send(socket, first.data(), first.size(), MSG_NOSIGNAL);
  std::array<iovec, 2> parts{};
  parts[0] = {const_cast<std::byte*>(first.data()), first.size()};
  parts[1] = {const_cast<std::byte*>(then.data()), then.size()};
  const msghdr message{.msg_iov = parts.data(), .msg_iovlen = parts.size()};
  return ::sendmsg(socket, &message, MSG_NOSIGNAL);
}

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

NewConnection::NewConnection(int listening) {
  socklen_t bytes = sizeof from_;
  auto* const from = reinterpret_cast<sockaddr*>(&from_);
  socket_ = ::accept4(listening, from, &bytes, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

// The address is taken as it is: as a text it may have a zone behind it ("fe80::1%eth0").
std::optional<PeerFacts> peer_of(const NewConnection& connection, uint32_t number) {
  const sockaddr_storage& address = connection.from();
  const auto* const any = reinterpret_cast<const sockaddr*>(&address);
  if (address.ss_family == AF_UNIX) return local_peer(connection.socket(), number);
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
  endpoint.resize(address.ss_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6));
  std::memcpy(endpoint.data(), &address, endpoint.size());
  return PeerFacts{
      .name = fmt::format("{} port {}", endpoint.address().to_string(), endpoint.port()),
      .asker = {.client = number},
      .access = {.addresses = {from}}};
}

ClientLink::ClientLink(Owner& owner, CollectorCore& core, asio::io_context& io, int socket,
                       PeerFacts peer, const ClientLimits& limits)
    : owner_(owner),
      clock_(core.clock()),
      socket_(io, socket, [this](bool readable, bool writable) { ready(readable, writable); }),
      timer_(io),
      peer_(std::move(peer)),
      client_(core, peer_.asker, with_turns(limits)) {}

void ClientLink::ready(bool readable, bool writable) {
  readable_ = readable_ || readable;
  writable_ = writable_ || writable;
  switch (owner_.turn_of(*this)) {
    case Owner::Turn::now: {
      const auto self = shared_from_this();
      go_on();
      return owner_.has_answered();
    }
    case Owner::Turn::with_others:
      if (client_.unsent().empty()) (void)read();
      return;
    case Owner::Turn::by_turns: return want_turn();
  }
}

void ClientLink::go_on() {
  for (int reads = 0; !closed_; ++reads) {
    if (client_.begins_tls()) client_.encrypt(owner_.begin_tls(*this));
    if (client_.awaits_admission() != nullptr) owner_.has_logged_in(*this);
    write();
    if (client_.closing()) return close();
    if (reads == kReadsAtOnce || client_.has_more()) return want_turn();
    if (!read()) break;
  }
  if (closed_) return;
  const bool waited = std::exchange(waits_, client_.waits());
  if (waited != waits_) owner_.waits_for_agents(*this, waits_);
  arm();
  if (!readable_) socket_.wait_to_read();
  if (!writable_) socket_.wait_to_write();
}

void ClientLink::want_turn() {
  if (!std::exchange(wants_turn_, true)) owner_.wants_turn(*this);
}

void ClientLink::take_turn() {
  wants_turn_ = false;
  if (closed_) return;
  client_.go_on();
  owner_.has_answered();
  go_on();
}

void ClientLink::become(const LoginUser& user) {
  peer_.name += fmt::format(", user {}", user.name);
  peer_.access.user_id = user.user_id;
  peer_.access.group_ids = user.group_ids;
}

// False: there was nothing to read, or it is not to be read now. One that leaves room has taken all
// that has come.
bool ClientLink::read() {
  if (!readable_ || !client_.reads()) return false;
  const auto room = client_.room();
  const ssize_t bytes = ::recv(socket_.fd(), room.data(), room.size(), 0);
  if (bytes < 0 && errno == EINTR) return true;
  readable_ = bytes == static_cast<ssize_t>(room.size());
  if (bytes > 0) {
    client_.received(static_cast<size_t>(bytes));
  } else if (bytes == 0 || errno != EAGAIN) {
    client_.ended();
  } else {
    return false;
  }
  return true;
}

void ClientLink::write() {
  while (writable_ && !client_.unsent().empty()) {
    const Bytes unsent = client_.unsent(), tail = client_.tail();
    const ssize_t bytes = send_both(socket_.fd(), unsent, tail);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0 && errno != EAGAIN) return client_.ended();
    client_.sent(static_cast<size_t>(std::max<ssize_t>(bytes, 0)));
    writable_ = bytes == static_cast<ssize_t>(unsent.size() + tail.size());
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
  timer_.cancel();
  socket_.close();
  owner_.has_closed(*this);
}

}  // namespace pmjit
