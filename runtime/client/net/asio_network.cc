#include "runtime/client/net/asio_network.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <chrono>
#include <utility>
#include <vector>

#include "runtime/client/net/asio_stream.h"
#include "runtime/client/net/resolver.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

using GenericEndpoint = asio::generic::stream_protocol::endpoint;

class AsioTransport final : public Transport {
 public:
  explicit AsioTransport(std::shared_ptr<AsioStream> stream) : stream_(std::move(stream)) {}
  ~AsioTransport() override { stream_->close(); }
  AsioTransport(const AsioTransport&) = delete;
  AsioTransport& operator=(const AsioTransport&) = delete;

  void read(std::span<std::byte> room, Instant deadline, Read done) override {
    stream_->read(room, deadline, std::move(done));
  }
  void write(Bytes bytes, Instant deadline, Written done) override {
    stream_->write(bytes, deadline, std::move(done));
  }
  void encrypt(const TlsPeer& peer, Instant deadline, Encrypted done) override {
    stream_->encrypt(peer, deadline, std::move(done));
  }

 private:
  std::shared_ptr<AsioStream> stream_;
};

// All addresses of one endpoint at once. The first that connects is taken, the others are closed.
class Attempt final : public std::enable_shared_from_this<Attempt> {
 public:
  Attempt(Network& network, asio::io_context& io, StreamsOfNetwork& all, NameResolver& resolver,
          const Endpoint& to, Network::Connected done)
      : network_(network),
        io_(io),
        all_(all),
        resolver_(resolver),
        to_(to),
        done_(std::move(done)) {
    ++all_.attempts;
  }
  ~Attempt() { --all_.attempts; }
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  void start(Instant deadline) {
    const auto addresses = to_.is_unix() ? std::vector<HostAddress>() : addresses_at_once(to_.host);
    if (!to_.is_unix() && addresses.empty()) return resolve(deadline - network_.now());
    end_at(deadline);
    if (to_.is_unix()) return try_unix();
    try_all(addresses);
  }

 private:
  void end_at(Instant deadline) {
    timer_ = network_.at(deadline, [self = shared_from_this()] {
      self->end(fail(no_answer_in_time(self->to_.text())));
    });
  }

  void resolve(std::chrono::nanoseconds patience) {
    resolver_.resolve(to_.host, patience,
                      [self = shared_from_this(), patience](Result<NameResolver::Found> found) {
                        if (!found) return self->end(fail(std::move(found.error())));
                        self->end_at(found->since + patience);
                        self->try_all(found->addresses);
                      });
  }

  void try_all(const std::vector<HostAddress>& addresses) {
    for (const HostAddress& address : addresses) {
      GenericEndpoint endpoint(&address.socket, address.size, IPPROTO_TCP);
      // A port has the same place in both families.
      reinterpret_cast<sockaddr_in*>(endpoint.data())->sin_port = htons(to_.port);
      try_address(endpoint);
    }
    fail_if_none();
  }

  void try_unix() {
    try {
      try_address(asio::local::stream_protocol::endpoint(to_.unix_path));
    } catch (const boost::system::system_error&) {  // the path is too long
      last_ = socket_error(ENAMETOOLONG, to_.text());
    }
    fail_if_none();
  }

  void try_address(const GenericEndpoint& address) {
    const size_t index = sockets_.size();
    sockets_.emplace_back(io_);
    error_code error;
    sockets_[index].open(address.protocol(), error);
    if (error) {
      last_ = socket_error(error.value(), to_.text());
      return;
    }
    // Programs that an action starts have no part in it.
    (void)::fcntl(sockets_[index].native_handle(), F_SETFD, FD_CLOEXEC);
    ++left_;
    sockets_[index].async_connect(address, [self = shared_from_this(), index](error_code failed) {
      if (self->ended_) return;
      if (!failed) return self->take(index);
      self->last_ = socket_error(failed.value(), self->to_.text());
      --self->left_;
      self->fail_if_none();
    });
  }

  void fail_if_none() {
    if (left_ == 0 && !ended_) end(fail(*last_));
  }

  void take(size_t index) {
    Socket socket = std::move(sockets_[index]);
    error_code ignored;
    if (!to_.is_unix()) socket.set_option(asio::ip::tcp::no_delay(true), ignored);
    end(std::make_unique<AsioTransport>(
        std::make_shared<AsioStream>(network_, all_, std::move(socket), to_.text())));
  }

  // The sockets go with it when nothing refers to it any more.
  void end(Result<std::unique_ptr<Transport>> result) {
    if (std::exchange(ended_, true)) return;
    network_.cancel(timer_);
    error_code ignored;
    for (Socket& socket : sockets_) socket.close(ignored);
    std::exchange(done_, nullptr)(std::move(result));
  }

  Network& network_;
  asio::io_context& io_;
  StreamsOfNetwork& all_;
  NameResolver& resolver_;
  Endpoint to_;
  Network::Connected done_;
  std::deque<Socket> sockets_;  // they stay where they are
  size_t left_ = 0;             // attempts under way
  std::optional<Error> last_{socket_error(EADDRNOTAVAIL, to_.text())};
  TimerId timer_;
  bool ended_ = false;
};

class AsioNetwork final : public Network {
 public:
  AsioNetwork(const Clock& clock, NameLookUp look_up)
      : clock_(clock),
        work_(io_.get_executor()),
        resolver_(
            *this, [this] { asio::post(io_, [this] { resolver_.deliver(); }); },
            std::move(look_up)) {}

  const Clock& clock() const override { return clock_; }
  void connect(const Endpoint& to, Instant deadline, Connected done) override {
    // Asio opens descriptors of its own with the first socket.
    try {
      const Socket first(io_);
    } catch (const boost::system::system_error& error) {
      return done(fail(socket_error(error.code().value(), to.text())));
    }
    std::make_shared<Attempt>(*this, io_, streams_, resolver_, to, std::move(done))
        ->start(deadline);
  }
  TimerId at(Instant when, PostedTask task) override { return timers_.add(when, std::move(task)); }
  void cancel(TimerId timer) override { timers_.remove(timer); }

  bool run_some(Instant until) override {
    bool ran = run_timers();
    if (ran || streams_.open != 1 || clock_.now() >= until) ran = poll_some() || ran;
    // Of one stream nothing more has come than what is waited for: to look for it costs a call of
    // the system, which is a tenth of a fetch.
    while (!ran) {
      const Instant now = clock_.now();
      if (now >= until) return false;
      const Instant wakes = std::min(until, timers_.next().value_or(until));
      if (wakes > now) ran = wait(std::min(wakes - now, kLongestWait));
      ran = run_timers() || ran;
    }
    return true;
  }

 private:
  // Handlers in a row before timers, and the caller, have their turn again. A peer that never stops
  // sending always has another one ready.
  static constexpr int kHandlersInARow = 64;
  // Asio adds it to its own clock, which has an end.
  static constexpr std::chrono::nanoseconds kLongestWait = std::chrono::hours(1);

  // The stream that is read without the loop.
  AsioStream* reader_alone() {
    if (streams_.alone != nullptr && !streams_.is_one()) streams_.alone->leave_alone();
    return streams_.alone;
  }

  bool wait(std::chrono::nanoseconds longest) {
    if (AsioStream* const alone = reader_alone()) return alone->take_alone(longest);
    return io_.run_one_for(longest) != 0;
  }

  bool poll_some() {
    if (AsioStream* const alone = reader_alone()) return alone->take_alone({});
    int handlers = 0;
    while (handlers < kHandlersInARow && io_.poll_one() != 0) ++handlers;
    return handlers != 0;
  }

  bool run_timers() {
    bool ran = false;
    while (auto due = timers_.take(clock_.now())) {
      due->task();
      ran = true;
    }
    return ran;
  }

  const Clock& clock_;
  StreamsOfNetwork streams_;  // sockets that io_ still holds refer to it
  asio::io_context io_{1};
  TimerQueue timers_;  // its tasks may own sockets, which need io_ to close
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  NameResolver resolver_;
};

}  // namespace

std::unique_ptr<Network> make_network(const Clock& clock) {
  return make_network_asking(clock, look_up_name);
}

std::unique_ptr<Network> make_network_asking(const Clock& clock, NameLookUp look_up) {
  return std::make_unique<AsioNetwork>(clock, std::move(look_up));
}

}  // namespace pmjit
