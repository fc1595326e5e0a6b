// ListeningSockets: where a collector can be reached: TCP ports and a unix socket. Connections that
// come are handed over. Asio's headers come with client_link.h, so it is for the server alone.
//
//   ListeningSockets sockets(io, options, state, {.welcome = …, .clients = …, .log = log});
//   if (auto ok = sockets.listen(); !ok) return fail(ok.error());
//   sockets.accept();
//
// Where descriptors run out, it pauses for a second; clients that are there go on.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/collector/client_link.h"
#include "agent/collector/collector_server.h"

namespace pmjit {

class ListeningSockets {
 public:
  struct Hooks {
    std::function<void(NewConnection& connection)> welcome;
    std::function<size_t()> clients;  // how many are there
    CollectorLog log;
  };
  // The options outlive it.
  ListeningSockets(boost::asio::io_context& io, const CollectorOptions& options,
                   CollectorState& state, Hooks hooks);
  ~ListeningSockets();
  ListeningSockets(const ListeningSockets&) = delete;
  ListeningSockets& operator=(const ListeningSockets&) = delete;

  [[nodiscard]] Result<void> listen();
  void accept();
  void close();

  [[nodiscard]] uint16_t port() const { return port_; }
  [[nodiscard]] std::vector<std::string> addresses() const;
  [[nodiscard]] std::string port_table() const;

 private:
  using TcpAcceptor = boost::asio::ip::tcp::acceptor;
  using LocalAcceptor = boost::asio::local::stream_protocol::acceptor;

  // Of TCP; fd −1: it cannot be listened on.
  struct Place {
    std::string address;
    uint16_t port;
    int fd = -1;
  };

  [[nodiscard]] Result<void> listen_everywhere();
  [[nodiscard]] Result<void> listen_tcp(const std::string& address, uint16_t port, bool optional);
  [[nodiscard]] Result<void> refuse(const std::string& address, uint16_t port, int error);
  [[nodiscard]] int backlog() const;
  [[nodiscard]] Result<void> listen_unix();
  template <class Acceptor>
  void accept_at(Acceptor& acceptor);
  void pause(const boost::system::error_code& error, std::function<void()> again);

  boost::asio::io_context& io_;
  const CollectorOptions& options_;
  CollectorState& state_;
  Hooks hooks_;
  std::vector<std::unique_ptr<TcpAcceptor>> tcp_;
  std::vector<Place> places_;  // in the order in which they were tried
  std::optional<LocalAcceptor> unix_;
  int unix_error_ = 0;  // errno of listening there
  uint16_t port_ = 0;
  bool in_use_ = false;  // the port that was tried last, by somebody else
  bool bound_path_ = false, told_of_pause_ = false;
};

}  // namespace pmjit
