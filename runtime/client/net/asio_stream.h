// AsioStream: one socket of asio_network.cc, in clear or encrypted. Its deadline is a timer that is
// set again only when it rings too early, so that a request costs no timer.
//
// Where a network has one stream, as programs of one host have it, a read waits in the system's
// poll() and not in Asio's loop: a fetch then takes three calls of the system.
//
// Encrypted, the module's session stands between the socket and the caller, and everything that
// it wants to send goes out in one write after the other:
//
//   read()  ── session.read() ← session.arrived() ── receive() ←─ socket
//   write() ── session.write() → session.take_to_send() ── flush() ─→ socket
#pragma once

#include <poll.h>
#include <sys/socket.h>

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <chrono>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/client/net/asio_network.h"
#include "runtime/client/net/secure_module.h"

namespace pmjit {

namespace asio = boost::asio;
using boost::system::error_code;
using Socket = asio::generic::stream_protocol::socket;

class AsioStream;

// What the streams of a network share.
class StreamsOfNetwork {
 public:
  size_t open = 0;
  size_t attempts = 0;          // to open others, under way
  AsioStream* alone = nullptr;  // the only stream, whose read waits for the caller of poll()

  [[nodiscard]] bool is_one() const { return open == 1 && attempts == 0; }

  Result<std::unique_ptr<TlsSession>> begin_tls(const TlsPeer& peer, const std::string& to,
                                                Instant now) {
    if (sessions_ == nullptr) {
      const auto module = load_secure();
      if (!module) return fail(module.error().at("host", to));
      sessions_ = (*module)->tls_sessions();
    }
    return sessions_->begin(peer, to, now);
  }

 private:
  std::unique_ptr<TlsSessions> sessions_;
};

class AsioStream final : public std::enable_shared_from_this<AsioStream> {
 public:
  AsioStream(Network& network, StreamsOfNetwork& all, Socket socket, std::string to)
      : network_(network), all_(all), socket_(std::move(socket)), to_(std::move(to)) {
    ++all_.open;
  }

  void close() {
    closed_ = true;
    --all_.open;
    if (ringing_) network_.cancel(timer_);
    ringing_ = false;
    flushed_ = nullptr;
    if (all_.alone == this) all_.alone = nullptr;
    error_code ignored;
    socket_.close(ignored);
  }

  void read(std::span<std::byte> room, Instant deadline, Transport::Read done) {
    read_.start(deadline);
    ring_at(deadline);
    if (session_) return read_clear(room, std::move(done));
    // What the last read had no room for is there. Anything else has to be waited for: no answer
    // is there as soon as its request.
    if (std::exchange(more_came_, false) && reads_at_once_ < kReadsAtOnceMax) {
      ++reads_at_once_;
      const auto [error, bytes] = take(room);
      if (!is_too_early(error)) return end_read(read_result(error, bytes), done);
    }
    if (all_.is_one() && !write_.under_way) {
      reads_at_once_ = 0;
      all_.alone = this;
      room_ = room;
      done_ = std::move(done);
      return;
    }
    read_awaited(room, std::move(done));
  }

  // Of a read that waits alone: what comes within this time. True: its callback was called.
  bool take_alone(std::chrono::nanoseconds longest) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(longest);
    const timespec time{.tv_sec = seconds.count(), .tv_nsec = (longest - seconds).count()};
    pollfd wanted{.fd = socket_.native_handle(), .events = POLLIN, .revents = 0};
    if (::ppoll(&wanted, 1, &time, nullptr) <= 0) return false;
    const auto [error, bytes] = take(room_);
    if (is_too_early(error)) return false;
    end_alone(read_result(error, bytes));
    return true;
  }

  // The loop waits for it from now on.
  void leave_alone() {
    all_.alone = nullptr;
    read_awaited(room_, std::move(done_));
  }

  void write(Bytes bytes, Instant deadline, Transport::Written done) {
    // Most requests fit into the socket's buffer, and cost no turn of the loop.
    const size_t sent = session_ ? 0 : send_now(bytes);
    if (!session_ && sent == bytes.size()) return done(sent);
    if (all_.alone == this) leave_alone();
    write_.start(deadline);
    ring_at(deadline);
    if (session_) return write_clear(bytes, std::move(done));
    asio::async_write(socket_, asio::buffer(bytes.data() + sent, bytes.size() - sent),
                      [self = shared_from_this(), sent, done = std::move(done)](
                          error_code error, size_t written) mutable {
                        if (self->closed_) return;
                        const auto result = self->result_of(error, sent + written, self->write_);
                        self->write_.under_way = false;
                        done(result);
                      });
  }

  void encrypt(const TlsPeer& peer, Instant deadline, Transport::Encrypted done) {
    auto begun = all_.begin_tls(peer, to_, network_.now());
    if (!begun) {
      asio::post(socket_.get_executor(), [self = shared_from_this(), done = std::move(done),
                                          error = std::move(begun.error())]() mutable {
        if (!self->closed_) done(fail(std::move(error)));
      });
      return;
    }
    session_ = *std::move(begun);
    arrived_.resize(kArrivedBytes);
    write_.start(deadline);
    ring_at(deadline);
    shake_hands(std::move(done));
  }

 private:
  struct Step {
    bool under_way = false, late = false;
    Instant deadline{};
    void start(Instant until) { *this = {.under_way = true, .deadline = until}; }
  };
  using Then = std::move_only_function<void(error_code)>;

  // A peer that never stops sending leaves others their turn.
  static constexpr int kReadsAtOnceMax = 16;
  // Two records, and what they have around them.
  static constexpr size_t kArrivedBytes = 33'000;

  static bool is_end(const error_code& error) {
    return error == asio::error::eof || error == asio::error::connection_reset;
  }

  Result<size_t> result_of(const error_code& error, size_t bytes, const Step& step) const {
    if (!error) return bytes;
    if (step.late) return fail(no_answer_in_time(to_));
    return fail(socket_error(error.value(), to_));
  }

  Result<size_t> read_result(const error_code& error, size_t bytes) const {
    return is_end(error) ? Result<size_t>(0) : result_of(error, bytes, read_);
  }

  static bool is_too_early(const error_code& error) {
    return error == asio::error::would_block || error == asio::error::interrupted;
  }

  // What has come, up to the room.
  std::pair<error_code, size_t> take(std::span<std::byte> room) {
    const ssize_t got = ::recv(socket_.native_handle(), room.data(), room.size(), MSG_DONTWAIT);
    if (got < 0) return {error_code(errno, boost::system::system_category()), 0};
    if (got == 0) return {asio::error::eof, 0};
    const auto bytes = static_cast<size_t>(got);
    more_came_ = bytes == room.size();
    return {{}, bytes};
  }

  void read_awaited(std::span<std::byte> room, Transport::Read done) {
    reads_at_once_ = 0;
    socket_.async_wait(Socket::wait_read, [self = shared_from_this(), room,
                                           done = std::move(done)](error_code error) mutable {
      if (self->closed_) return;
      size_t bytes = 0;
      if (!error) std::tie(error, bytes) = self->take(room);
      if (is_too_early(error)) return self->read_awaited(room, std::move(done));
      self->end_read(self->read_result(error, bytes), done);
    });
  }

  void end_alone(Result<size_t> result) {
    all_.alone = nullptr;
    Transport::Read done = std::move(done_);
    end_read(std::move(result), done);
  }

  void end_read(Result<size_t> result, Transport::Read& done) {
    read_.under_way = false;
    done(std::move(result));
  }

  // An error is met again by what waits.
  size_t send_now(Bytes bytes) {
    const ssize_t sent =
        ::send(socket_.native_handle(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    return sent > 0 ? static_cast<size_t>(sent) : 0;
  }

  // What does not go out is not told here: what comes says why, or the next write meets it.
  void shake_hands(Transport::Encrypted done) {
    Result<bool> stands = session_->shake_hands();
    flush([self = shared_from_this(), done = std::move(done),
           stands = std::move(stands)](error_code) mutable {
      if (self->write_.late) return self->end_handshake(fail(no_answer_in_time(self->to_)), done);
      if (!stands || *stands) return self->end_handshake(std::move(stands), done);
      self->receive([self, done = std::move(done)](error_code error) mutable {
        if (!error) return self->shake_hands(std::move(done));
        if (self->write_.late) return self->end_handshake(fail(no_answer_in_time(self->to_)), done);
        if (is_end(error)) return self->end_handshake(fail(self->session_->closed_early()), done);
        self->end_handshake(fail(socket_error(error.value(), self->to_)), done);
      });
    });
  }

  void end_handshake(Result<bool> result, Transport::Encrypted& done) {
    write_.under_way = false;
    done(std::move(result));
  }

  // The caller is never called inside of its own call.
  void read_clear(std::span<std::byte> room, Transport::Read done) {
    auto got = session_->read(room);
    send_some();  // an answer to what came, such as a change of keys
    if (got && !*got) {
      return receive(
          [self = shared_from_this(), room, done = std::move(done)](error_code error) mutable {
            if (!error) return self->read_clear(room, std::move(done));
            self->end_read(self->read_result(error, 0), done);
          });
    }
    Result<size_t> result = got ? Result<size_t>(**got) : fail(std::move(got.error()));
    asio::post(socket_.get_executor(), [self = shared_from_this(), result = std::move(result),
                                        done = std::move(done)]() mutable {
      if (!self->closed_) self->end_read(std::move(result), done);
    });
  }

  void write_clear(Bytes bytes, Transport::Written done) {
    const Result<bool> taken = session_->write(bytes);
    std::optional<Error> broken;
    if (!taken) broken = taken.error();
    flush([self = shared_from_this(), size = bytes.size(), done = std::move(done),
           broken = std::move(broken)](error_code error) mutable {
      Result<size_t> result =
          broken ? fail(*std::move(broken)) : self->result_of(error, size, self->write_);
      self->write_.under_way = false;
      done(std::move(result));
    });
  }

  void receive(Then then) {
    socket_.async_read_some(asio::buffer(arrived_),
                            [self = shared_from_this(), then = std::move(then)](
                                error_code error, size_t bytes) mutable {
                              if (self->closed_) return;
                              if (!error)
                                self->session_->arrived(Bytes(self->arrived_).first(bytes));
                              then(error);
                            });
  }

  // Calls back when all that the session had to send is out, never at once.
  void flush(Then then) {
    flushed_ = std::move(then);
    if (sending_ || send_some()) return;
    asio::post(socket_.get_executor(), [self = shared_from_this()] { self->end_flush({}); });
  }

  // False: there is nothing.
  bool send_some() {
    if (sending_) return true;
    to_send_.clear();
    session_->take_to_send(to_send_);
    if (to_send_.empty()) return false;
    sending_ = true;
    asio::async_write(socket_, asio::buffer(to_send_),
                      [self = shared_from_this()](error_code error, size_t) {
                        if (self->closed_) return;
                        self->sending_ = false;
                        if (error || !self->send_some()) self->end_flush(error);
                      });
    return true;
  }

  void end_flush(error_code error) {
    if (auto then = std::exchange(flushed_, nullptr)) then(error);
  }

  void ring_at(Instant when) {
    if (ringing_ && rings_ <= when) return;
    if (ringing_) network_.cancel(timer_);
    ringing_ = true;
    rings_ = when;
    timer_ = network_.at(when, [self = weak_from_this()] {
      if (const auto stream = self.lock()) stream->ring();
    });
  }

  void ring() {
    ringing_ = false;
    const Instant now = network_.now();
    bool late = false;
    for (Step* const step : {&read_, &write_}) {
      if (!step->under_way) continue;
      if (step->deadline > now) {
        ring_at(step->deadline);
      } else {
        step->late = late = true;
      }
    }
    error_code ignored;
    if (late) socket_.cancel(ignored);
    if (read_.late && all_.alone == this) end_alone(fail(no_answer_in_time(to_)));
  }

  Network& network_;
  StreamsOfNetwork& all_;
  Socket socket_;
  std::string to_;
  std::unique_ptr<TlsSession> session_;  // null: in clear
  std::vector<std::byte> arrived_, to_send_;
  bool sending_ = false;
  Then flushed_;
  Step read_, write_;
  TimerId timer_;
  Instant rings_{};
  bool ringing_ = false, closed_ = false;
  bool more_came_ = false;  // than the last read had room for
  int reads_at_once_ = 0;   // since one was waited for
  // Of a read that waits alone.
  std::span<std::byte> room_;
  Transport::Read done_;
};

}  // namespace pmjit
