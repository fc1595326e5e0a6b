// ServedClient: one connection without its socket: bytes come in pieces, PDUs are framed and
// answered, bytes to send pile up, and deadlines pass. Who has the socket (collector_server.h)
// reads, writes and asks; tests do the same with a script and a fake clock.
//
//   ServedClient client(core, {.client = 7}, limits);
//   send(client.unsent());                              // the greeting
//   if (client.reads()) client.received(read(socket, client.room()));   // as many bytes as came
//   if (client.begins_tls()) client.encrypt(sessions.accept(…), from);
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
#include "runtime/client/net/tls_session.h"
#include "runtime/wire/frame.h"

namespace pmjit {

struct ClientLimits {
  uint32_t pdu_bytes_max = limits::kClientPduBytesMax;
  // Bytes that wait because the client does not read them.
  size_t unread_bytes_max = limits::kUnreadBytesMax;
  // Nothing more is read or answered as long as more bytes than these wait.
  size_t paused_above = 1u << 20;
  // PDUs that are answered before others have their turn.
  size_t answers_at_once = SIZE_MAX;
  // From the first byte of a PDU to its last, and from the greeting to CREDS, or to the end of the
  // handshake that follows them.
  std::chrono::milliseconds half_pdu{5'000}, creds{10'000};
  // For which a client may leave every byte that waits where it is.
  std::chrono::milliseconds unread{30'000};
};

class ServedClient {
 public:
  ServedClient(CollectorCore& core, AgentAsker asker, const ClientLimits& limits);
  ServedClient(const ServedClient&) = delete;
  ServedClient& operator=(const ServedClient&) = delete;

  // A client that does not take its answers is not read, nor one whose fetch waits for an agent,
  // nor one of whom more has come than is answered at once.
  [[nodiscard]] bool reads() const {
    return waiting() <= limits_.paused_above && !session_.waits() && !has_more_;
  }
  // Others have their turn; then go_on().
  [[nodiscard]] bool has_more() const { return has_more_; }
  void go_on();
  [[nodiscard]] bool waits() const { return session_.waits(); }
  // It is to be encrypted before anything else, what has come already included.
  [[nodiscard]] bool begins_tls() const { return session_.begins_tls() && tls_ == nullptr; }
  [[nodiscard]] bool wants_certificate() const { return session_.wants_certificate(); }
  void encrypt(Result<std::unique_ptr<TlsSession>> tls);
  // It has logged in: restrict_to() says what it may do, and then admit() lets it go on.
  [[nodiscard]] const LoginUser* awaits_admission() const { return session_.awaits_admission(); }
  void admit();
  [[nodiscard]] std::span<std::byte> room();
  // So many have come into room(). Whole PDUs are answered, in order, as long as it reads(); the
  // others when bytes were sent.
  void received(size_t bytes);
  void ended();  // the client sends no more

  // The next bytes to be sent, and the tail that is behind them, if there is one.
  [[nodiscard]] Bytes unsent() const {
    return sent_ < unsent_.size() ? unsent_.written().subspan(sent_) : tail_.bytes;
  }
  [[nodiscard]] Bytes tail() const { return sent_ < unsent_.size() ? tail_.bytes : Bytes(); }
  void sent(size_t bytes);  // of both; none: the client takes no more for now

  // When look_at_time() has something to see; none: never.
  [[nodiscard]] std::optional<Instant> deadline() const;
  void look_at_time();
  // An agent has answered somebody.
  void look_at_agents();

  // What access control says of it: a code that refuses it once it has sent its CREDS, or at once
  // if it has; and operations that it may not do.
  void restrict_to(int code, uint8_t denied);
  [[nodiscard]] uint8_t denied() const { return session_.denied(); }
  [[nodiscard]] bool has_greeted() const { return session_.ready(); }
  // It has to use TLS, and to show a certificate.
  void require_certificate() { session_.require_certificate(); }
  // The connection has ended, though this may go on for a while.
  void left() { session_.left(); }

  // The connection is to end: `why` is for the log, empty if the client just went.
  struct Closing {
    std::string why;
    bool after_sending;  // what is unsent is a last answer
  };
  [[nodiscard]] const std::optional<Closing>& closing() const { return closing_; }

 private:
  void close(std::string why, bool after_sending);
  void answer();
  [[nodiscard]] bool take_one();
  void shake_hands();
  [[nodiscard]] bool decrypt();
  [[nodiscard]] ByteWriter& out() { return encrypted_ ? clear_ : unsent_; }
  void seal();
  // A later answer has to be behind it.
  void copy_tail();
  [[nodiscard]] size_t waiting() const { return unsent_.size() - sent_ + tail_.bytes.size(); }
  void set_deadline();
  void check_budget();

  CollectorCore* core_;
  ClientLimits limits_;
  CollectorSession session_;
  wire::Framer framer_;
  ByteWriter unsent_;
  size_t sent_ = 0;
  AnswerTail tail_;                  // of the last answer in unsent_
  std::unique_ptr<TlsSession> tls_;  // null: in clear
  bool encrypted_ = false;           // its handshake is over
  ByteWriter clear_;                 // what is to be encrypted
  std::vector<std::byte> sealed_, room_;
  // Of what the client has to send: the rest of a PDU, or CREDS. While it is not read its clock
  // stands still, and `input_left_` is what is left.
  std::optional<Instant> input_by_;
  std::optional<std::chrono::nanoseconds> input_left_;
  bool has_more_ = false;             // PDUs that are to be answered
  bool within_pdu_ = false;           // both are of a PDU that has begun
  std::optional<Instant> unread_by_;  // of what it has to read: some of it, by then
  std::optional<Closing> closing_;
};

}  // namespace pmjit
