// ClientLink: one connection of a client: its socket, and whatever asio has to do for it.
// served_client.h decides the answers. Asio's headers come with this one, so it is for the server
// alone.
//
//   const auto link = std::make_shared<ClientLink>(owner, core, io, socket, peer, limits);
//   link->go_on();                         // after everything that may have changed something
//   link->close();                         // tells its owner
//
// It owns the socket, which does not block. It lives as long as a handler of asio refers to it,
// which may be longer than its owner keeps it; by then it is closed.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <utility>  // what Asio's headers need of it they do not include

#include <boost/asio.hpp>
#include <memory>
#include <optional>
#include <string>

#include "agent/collector/edge_watch.h"
#include "agent/collector/served_client.h"

namespace pmjit {

// A connection that has come, and whose reads and writes do not wait. It is closed unless somebody
// takes it.
class NewConnection {
 public:
  // Fails as accept() does, with errno.
  explicit NewConnection(int listening);
  ~NewConnection() {
    if (socket_ >= 0) ::close(socket_);
  }
  NewConnection(const NewConnection&) = delete;
  NewConnection& operator=(const NewConnection&) = delete;

  [[nodiscard]] int socket() const { return socket_; }  // negative: it has failed
  [[nodiscard]] const sockaddr_storage& from() const { return from_; }
  [[nodiscard]] int take() { return std::exchange(socket_, -1); }

 private:
  sockaddr_storage from_{};
  int socket_;
};

// Who is at the other end.
struct PeerFacts {
  std::string name;  // for the log
  AgentAsker asker;
  AccessPeer access{};
};
// None: of no family that is listened to.
[[nodiscard]] std::optional<PeerFacts> peer_of(const NewConnection& connection, uint32_t number);

class ClientLink : public std::enable_shared_from_this<ClientLink> {
 public:
  // Who keeps the links. Its calls come from within those of a link.
  class Owner {
   public:
    // Or it has looked at the time: agents may have said something.
    virtual void has_answered() = 0;
    // When a link goes on that is ready: at once; when all who are ready with it have been read; or
    // by take_turn().
    enum class Turn : uint8_t { now, with_others, by_turns };
    [[nodiscard]] virtual Turn turn_of(ClientLink& link) = 0;
    // take_turn(), by and by: much is to be answered.
    virtual void wants_turn(ClientLink& link) = 0;
    virtual void waits_for_agents(ClientLink& link, bool waits) = 0;
    virtual void has_closed(ClientLink& link) = 0;
    virtual void has_logged_in(ClientLink& link) = 0;
    [[nodiscard]] virtual Result<std::unique_ptr<TlsSession>> begin_tls(const ClientLink& link) = 0;

   protected:
    ~Owner() = default;
  };

  ClientLink(Owner& owner, CollectorCore& core, boost::asio::io_context& io, int socket,
             PeerFacts peer, const ClientLimits& limits);

  void go_on();
  void take_turn();
  void close();

  [[nodiscard]] ServedClient& client() { return client_; }
  [[nodiscard]] const ServedClient& client() const { return client_; }
  [[nodiscard]] const PeerFacts& peer() const { return peer_; }
  [[nodiscard]] int socket() const { return socket_.fd(); }
  [[nodiscard]] uint32_t number() const { return peer_.asker.client; }

  // Whom the access lists take it for, from now on.
  void become(const LoginUser& user);

  bool counted = false, user_counted = false;  // by the access lists
  uint8_t host_denied = 0;                     // operations, by its host

 private:
  void ready(bool readable, bool writable);
  [[nodiscard]] bool read();
  void write();
  void arm();
  void want_turn();

  Owner& owner_;
  const Clock& clock_;
  EdgeWatch socket_;
  boost::asio::steady_timer timer_;
  std::optional<Instant> armed_{};
  PeerFacts peer_;
  bool readable_ = false, writable_ = true, closed_ = false;
  bool wants_turn_ = false;  // others have theirs first
  bool waits_ = false;       // for agents, as the owner knows
  ServedClient client_;
};

}  // namespace pmjit
