// ServedClient: one connection without its socket: bytes come in pieces, PDUs are framed and
// answered, bytes to send pile up, and deadlines pass. Who has the socket (collector_server.h)
// reads, writes and asks; tests do the same with a script and a fake clock.
//
//   ServedClient client(core, {.client = 7}, limits);
//   send(client.unsent());                              // the greeting
//   client.received(read(socket, client.room()));       // as many bytes as came
//   if (client.closing()) …                             // after unsent() is sent, or at once
//   client.sent(written);
//   wait_until(client.deadline()); client.look_at_time();
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/collector/collector_session.h"
#include "runtime/base/limits.h"
#include "runtime/wire/frame.h"

namespace pmjit {

struct ClientLimits {
  uint32_t pdu_bytes_max = limits::kClientPduBytesMax;
  // Bytes that wait because the client does not read them.
  size_t unread_bytes_max = limits::kUnreadBytesMax;
  // From the first byte of a PDU to its last, and from the greeting to CREDS.
  std::chrono::milliseconds half_pdu{5'000}, creds{10'000};
};

class ServedClient {
 public:
  ServedClient(CollectorCore& core, AgentAsker asker, const ClientLimits& limits);

  [[nodiscard]] std::span<std::byte> room();
  void received(size_t bytes);  // so many have come into room(); every whole PDU is answered
  void ended();                 // the client sends no more

  [[nodiscard]] Bytes unsent() const { return Bytes(unsent_.written()).subspan(sent_); }
  void sent(size_t bytes);

  // When look_at_time() has something to see; none: never.
  [[nodiscard]] std::optional<Instant> deadline() const { return deadline_; }
  void look_at_time();

  // The connection is to end: `why` is for the log, empty if the client just went.
  struct Closing {
    std::string why;
    bool after_sending;  // what is unsent is a last answer
  };
  [[nodiscard]] const std::optional<Closing>& closing() const { return closing_; }

 private:
  void close(std::string why, bool after_sending);
  void set_deadline();
  void check_budget();

  CollectorCore* core_;
  ClientLimits limits_;
  CollectorSession session_;
  wire::Framer framer_;
  ByteWriter unsent_;
  size_t sent_ = 0;
  std::optional<Instant> deadline_;
  bool within_pdu_ = false;  // deadline_ is that of a PDU which has begun
  std::optional<Closing> closing_;
};

}  // namespace pmjit
