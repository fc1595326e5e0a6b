// HostClient: one collector that is connected to when it is wanted, and again after a loss, with
// growing delays between attempts. Requests of several users take turns. Source: spec
// wire-protocol.md §13.3.
//
//   HostClient client(network, spec, settings);
//   auto waiting = client.lease();
//   Result<ConnectionLease> lease = co_await waiting;   // connected, and ours alone
//   if (!lease) …                                       // the host is down; it says why
//   auto asking = request_ids(lease->connection(), names);
//
// | after                      | a lease                                                         |
// |---|---|
// | nothing, or a loss         | connects                                                        |
// | a failed attempt           | fails at once with that attempt's error, until the delay is over |
// | the delay                  | connects                                                        |
//
// Delays are those of the settings, each by up to a share longer or shorter, so that a thousand
// clients of a host that restarts do not come at once. The shares of each process are its own.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "runtime/client/connection.h"
#include "runtime/client/shared_fetch.h"

namespace pmjit {

class HostClient;

// The right to use the connection; it ends with this object.
class ConnectionLease {
 public:
  explicit ConnectionLease(HostClient& client) : client_(&client) {}
  ConnectionLease(ConnectionLease&& other) noexcept
      : client_(std::exchange(other.client_, nullptr)) {}
  ConnectionLease& operator=(ConnectionLease&&) = delete;
  ~ConnectionLease();
  [[nodiscard]] Connection& connection() const;

 private:
  HostClient* client_;
};

class HostClient {
 public:
  // `network` outlives it.
  HostClient(Network& network, HostSpec spec, ClientSettings settings);
  HostClient(const HostClient&) = delete;
  HostClient& operator=(const HostClient&) = delete;

  [[nodiscard]] Async<Result<ConnectionLease>> lease();

  [[nodiscard]] Network& network() const { return network_; }
  [[nodiscard]] const HostSpec& spec() const { return spec_; }
  [[nodiscard]] const ClientSettings& settings() const { return settings_; }
  [[nodiscard]] uint64_t connections() const { return connections_; }  // that there have been
  // Of all connections.
  [[nodiscard]] ClientPduCounts pdu_counts() const;
  // Of names and descriptors: another one after a new connection, or after a fetch that says that
  // agents or names have changed. What was learnt before may be wrong then.
  [[nodiscard]] uint64_t epoch() const { return epoch_; }
  // The wire::StateChange bits of a fetch.
  void note_changes(uint32_t changes);
  [[nodiscard]] bool connected() const { return connection_ && !connection_->lost(); }
  // When a lease connects again; the past: at once.
  [[nodiscard]] Instant next_attempt() const { return next_attempt_; }
  // Closes the connection; the next lease connects, whatever the delay.
  void reset();
  // For TickUser.
  [[nodiscard]] SharedFetch& shared_fetch() { return shared_fetch_; }

 private:
  friend class ConnectionLease;

  // One user at a time, in the order in which they came.
  struct Turn {
    HostClient& client;
    std::coroutine_handle<> waiting{};

    explicit Turn(HostClient& of) : client(of) {}
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() { std::erase(client.turns_, this); }
    [[nodiscard]] bool await_ready() const { return !client.in_use_; }
    void await_suspend(std::coroutine_handle<> handle) {
      waiting = handle;
      client.turns_.push_back(this);
    }
    void await_resume() { client.in_use_ = true; }
  };
  void end_turn();
  // Why no attempt need be made; none: connecting may work.
  [[nodiscard]] std::optional<Error> refused() const;
  void note_failure(const Error& error);
  void drop_connection();

  Network& network_;
  HostSpec spec_;
  ClientSettings settings_;
  LoginAnswers answers_;
  std::unique_ptr<Connection> connection_;
  ClientPduCounts earlier_;  // of connections that are gone
  uint64_t connections_ = 0, epoch_ = 0;
  size_t failures_ = 0;  // in a row
  Instant next_attempt_{};
  std::optional<Error> last_failure_;
  std::mt19937 jitter_;
  bool in_use_ = false;
  std::deque<Turn*> turns_;
  SharedFetch shared_fetch_;
};

}  // namespace pmjit
