#include "agent/collector/collector_server.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio.hpp>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "agent/collector/listen_address.h"

namespace pmjit {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using StreamSocket = asio::generic::stream_protocol::socket;
using LocalSocket = asio::local::stream_protocol;
using boost::system::error_code;

// Besides clients: listeners, log, signals, epoll, files that agents read.
constexpr rlim_t kOwnDescriptors = 32;
constexpr rlim_t kClientsLeast = 16;
// How many free ports are tried until one is free at all addresses.
constexpr int kFreePortTries = 32;
constexpr auto kPause = std::chrono::seconds(1);

bool no_descriptors(const error_code& error) {
  return error.value() == EMFILE || error.value() == ENFILE || error.value() == ENOBUFS ||
         error.value() == ENOMEM;
}

struct PeerFacts {
  std::string name;  // for the log
  AgentAsker asker;
};

PeerFacts peer_of(StreamSocket& socket, uint32_t number) {
  PeerFacts out{.name = "", .asker = {.client = number}};
  sockaddr_storage address{};
  socklen_t bytes = sizeof address;
  getpeername(socket.native_handle(), reinterpret_cast<sockaddr*>(&address), &bytes);
  if (address.ss_family == AF_UNIX) {
    ucred who{};
    socklen_t size = sizeof who;
    if (getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED, &who, &size) == 0) {
      out.asker.user_id = who.uid;
      out.asker.group_id = who.gid;
    }
    out.name = fmt::format("unix socket, process {}, user {}", who.pid, who.uid);
    return out;
  }
  tcp::endpoint endpoint;
  std::memcpy(endpoint.data(), &address, std::min<size_t>(bytes, endpoint.capacity()));
  endpoint.resize(std::min<size_t>(bytes, endpoint.capacity()));
  out.name = fmt::format("{} port {}", endpoint.address().to_string(), endpoint.port());
  return out;
}

}  // namespace

class CollectorServer::Sockets {
 public:
  Sockets(CollectorCore& core, CollectorOptions options, CollectorLog log)
      : core_(core), options_(std::move(options)), log_(std::move(log)) {}
  ~Sockets() {
    core_.when_fetched(nullptr);
    links_.clear();
    if (bound_path_) unlink(options_.unix_path.c_str());
  }

  Result<void> listen();
  [[nodiscard]] uint16_t port() const { return port_; }
  [[nodiscard]] std::vector<std::string> addresses() const;
  void run();
  void stop() {
    asio::post(io_, [this] { end("it was asked to stop"); });
  }

 private:
  // A connection, and whatever asio has to do for it. It lives as long as a handler refers to it.
  struct Link : std::enable_shared_from_this<Link> {
    Link(Sockets& sockets, StreamSocket socket, PeerFacts peer)
        : owner(sockets),
          stream(std::move(socket)),
          timer(stream.get_executor()),
          name(std::move(peer.name)),
          number(peer.asker.client),
          client(sockets.core_, peer.asker, sockets.options_.limits) {}

    void read();
    void write();
    void go_on();
    void arm();
    void close();

    Sockets& owner;
    StreamSocket stream;
    asio::steady_timer timer;
    std::optional<Instant> armed{};
    std::string name;
    uint32_t number;
    bool reading = false, waiting_to_write = false, closed = false;
    ServedClient client;
  };

  [[nodiscard]] Result<void> count_descriptors();
  [[nodiscard]] Result<void> listen_everywhere();
  [[nodiscard]] Result<void> listen_tcp(const std::string& address, bool optional);
  [[nodiscard]] Result<void> listen_unix();
  template <class Acceptor>
  void accept(Acceptor& acceptor);
  void welcome(StreamSocket socket);
  void pause_accepting(const error_code& error, std::function<void()> again);
  void look_at_agents();
  void tell_notes();
  void end(const std::string& why);

  CollectorCore& core_;
  CollectorOptions options_;
  CollectorLog log_;
  asio::io_context io_{1};
  asio::signal_set signals_{io_};
  std::vector<std::unique_ptr<tcp::acceptor>> tcp_;
  std::optional<LocalSocket::acceptor> unix_;
  std::map<uint32_t, std::shared_ptr<Link>> links_;
  std::set<uint32_t> waiting_;  // those of links_ that wait for an agent
  uint32_t last_number_ = 0;
  uint16_t port_ = 0;
  bool in_use_ = false;  // the port that was tried last, by somebody else
  bool bound_path_ = false, told_of_pause_ = false, told_of_limit_ = false;
};

// ---- listening

Result<void> CollectorServer::Sockets::count_descriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return {};
  const rlim_t wanted = options_.clients_max + kOwnDescriptors;
  if (limit.rlim_cur < wanted) {
    limit.rlim_cur = std::min<rlim_t>(wanted, limit.rlim_max);
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
  }
  if (limit.rlim_cur < kOwnDescriptors + kClientsLeast) {
    return fail(Error(Fault::limit,
                      fmt::format("too few file descriptors: {}, and {} are needed for {} clients",
                                  limit.rlim_cur, kOwnDescriptors + kClientsLeast, kClientsLeast))
                    .help("raise the limit before the start: ulimit -n 1024"));
  }
  if (limit.rlim_cur < wanted) {
    options_.clients_max = static_cast<uint32_t>(limit.rlim_cur - kOwnDescriptors);
    log_(fmt::format("there are {} file descriptors: at most {} clients (raise it with ulimit -n)",
                     limit.rlim_cur, options_.clients_max));
  }
  return {};
}

Result<void> CollectorServer::Sockets::listen() {
  if (auto enough = count_descriptors(); !enough) return enough;
  // First of all: clients may come once it listens, and a signal that comes then waits for run().
  for (const int signal : {SIGTERM, SIGINT}) {
    error_code error;
    signals_.add(signal, error);
  }
  if (auto fine = check_listen_addresses(options_.addresses); !fine) return fine;
  const bool any_port = options_.port == 0;
  auto listening = listen_everywhere();
  for (int tries = 1; any_port && in_use_ && tries < kFreePortTries; ++tries) {
    listening = listen_everywhere();
  }
  if (listening && !options_.unix_path.empty()) return listen_unix();
  return listening;
}

Result<void> CollectorServer::Sockets::listen_everywhere() {
  tcp_.clear();
  in_use_ = false;
  port_ = options_.port;
  const bool by_default = options_.addresses.empty();
  core_.state().loopback_only = true;
  const std::vector<std::string> addresses =
      by_default ? std::vector<std::string>{"127.0.0.1", "::1"} : options_.addresses;
  for (size_t i = 0; i < addresses.size(); ++i) {
    if (auto ok = listen_tcp(addresses[i], by_default && i > 0); !ok) return ok;
  }
  return {};
}

std::vector<std::string> CollectorServer::Sockets::addresses() const {
  std::vector<std::string> out;
  for (const auto& acceptor : tcp_) out.push_back(acceptor->local_endpoint().address().to_string());
  return out;
}

// `optional`: a machine without IPv6 does without it.
Result<void> CollectorServer::Sockets::listen_tcp(const std::string& address, bool optional) {
  error_code error;
  const auto ip = asio::ip::make_address(address, error);
  if (error) return fail(listen_error(error.value(), address, port_));
  auto acceptor = std::make_unique<tcp::acceptor>(io_);
  const tcp::endpoint endpoint(ip, port_);
  acceptor->open(endpoint.protocol(), error);
  if (!error) acceptor->set_option(tcp::acceptor::reuse_address(true), error);
  if (!error && ip.is_v6()) acceptor->set_option(asio::ip::v6_only(true), error);
  if (!error) acceptor->bind(endpoint, error);
  if (!error) acceptor->listen(asio::socket_base::max_listen_connections, error);
  if (error && optional && error.value() != EADDRINUSE) {
    log_(fmt::format("not listening on {}: {}", address, error.message()));
    return {};
  }
  in_use_ = error && error.value() == EADDRINUSE;
  if (error) return fail(listen_error(error.value(), address, port_));
  port_ = acceptor->local_endpoint().port();
  core_.state().ipv6 = core_.state().ipv6 || ip.is_v6();
  core_.state().loopback_only = core_.state().loopback_only && ip.is_loopback();
  tcp_.push_back(std::move(acceptor));
  return {};
}

Result<void> CollectorServer::Sockets::listen_unix() {
  const std::string& path = options_.unix_path;
  error_code error;
  if (path.size() >= sizeof(sockaddr_un{}.sun_path)) {
    return fail(Error(Fault::usage, fmt::format("the path of a socket has at most {} bytes",
                                                sizeof(sockaddr_un{}.sun_path) - 1))
                    .at("socket", path)
                    .help("choose a shorter one"));
  }
  struct stat there{};
  if (lstat(path.c_str(), &there) == 0) {
    LocalSocket::socket probe(io_);
    if (S_ISSOCK(there.st_mode)) probe.connect(LocalSocket::endpoint(path), error);
    if (!S_ISSOCK(there.st_mode) || !error) {
      return fail(Error(Fault::io, S_ISSOCK(there.st_mode) ? "somebody listens there"
                                                           : "a file of that name is there")
                      .at("socket", path)
                      .help("choose another path for --unix"));
    }
    unlink(path.c_str());  // left over: nobody listens
    error.clear();
  }
  unix_.emplace(io_);
  unix_->open(LocalSocket(), error);
  if (!error) unix_->bind(LocalSocket::endpoint(path), error);
  if (!error) unix_->listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    return fail(Error(Fault::io, "cannot listen: " + error.message())
                    .at("socket", path)
                    .help("its folder has to be there, and you have to be allowed to write it"));
  }
  bound_path_ = true;
  chmod(path.c_str(), 0666);
  core_.state().unix_sockets = true;
  return {};
}

void CollectorServer::Sockets::run() {
  signals_.async_wait([this](const error_code& error, int signal) {
    if (!error) end(signal == SIGINT ? "SIGINT came" : "SIGTERM came");
  });
  for (const auto& acceptor : tcp_) accept(*acceptor);
  if (unix_) accept(*unix_);
  core_.when_fetched([this] { asio::post(io_, [this] { look_at_agents(); }); });
  io_.run();
}

void CollectorServer::Sockets::look_at_agents() {
  for (const uint32_t number : std::vector(waiting_.begin(), waiting_.end())) {
    const std::shared_ptr<Link> link = links_.at(number);
    link->client.look_at_agents();
    link->go_on();
  }
  tell_notes();
}

void CollectorServer::Sockets::tell_notes() {
  for (const std::string& note : core_.take_notes()) log_(note);
}

void CollectorServer::Sockets::end(const std::string& why) {
  log_(fmt::format("stops: {}; {} clients are connected", why, links_.size()));
  error_code ignored;
  for (const auto& acceptor : tcp_) acceptor->close(ignored);
  if (unix_) unix_->close(ignored);
  signals_.cancel(ignored);
  const auto links = links_;  // closing one takes it out
  for (const auto& [number, link] : links) link->close();
  io_.stop();
}

// ---- accepting

template <class Acceptor>
void CollectorServer::Sockets::accept(Acceptor& acceptor) {
  acceptor.async_accept([this, &acceptor](const error_code& error, auto socket) {
    if (!acceptor.is_open()) return;
    if (error && no_descriptors(error)) {
      return pause_accepting(error, [this, &acceptor] { accept(acceptor); });
    }
    if (!error) {
      told_of_pause_ = false;
      welcome(StreamSocket(std::move(socket)));
    }
    accept(acceptor);
  });
}

void CollectorServer::Sockets::pause_accepting(const error_code& error,
                                               std::function<void()> again) {
  if (!std::exchange(told_of_pause_, true)) {
    log_(
        fmt::format("no new clients for now: {}; those that are there go on ({}); raise the limit "
                    "with ulimit -n",
                    error.message(), links_.size()));
  }
  auto timer = std::make_shared<asio::steady_timer>(io_, kPause);
  timer->async_wait([timer, again = std::move(again)](const error_code&) { again(); });
}

void CollectorServer::Sockets::welcome(StreamSocket socket) {
  error_code error;
  socket.non_blocking(true, error);
  if (error) return;
  PeerFacts peer = peer_of(socket, last_number_ + 1);
  if (links_.size() >= options_.clients_max) {
    if (!std::exchange(told_of_limit_, true)) {
      log_(fmt::format("{}: refused: {} clients are connected, the most there may be", peer.name,
                       links_.size()));
    }
    ByteWriter refusal;
    refuse_client(pm_err::E_CONNLIMIT, refusal);
    socket.write_some(asio::buffer(refusal.written().data(), refusal.size()), error);
    return;
  }
  told_of_limit_ = false;
  if (!peer.asker.user_id) {
    socket.set_option(tcp::no_delay(true), error);
    socket.set_option(asio::socket_base::keep_alive(true), error);
  }
  const uint32_t number = ++last_number_;
  const auto link = std::make_shared<Link>(*this, std::move(socket), std::move(peer));
  links_.emplace(number, link);
  link->go_on();
}

// ---- one connection

void CollectorServer::Sockets::Link::go_on() {
  if (closed) return;
  write();
  if (client.closing()) return close();
  if (client.waits()) {
    owner.waiting_.insert(number);
  } else {
    owner.waiting_.erase(number);
  }
  arm();
  read();
}

void CollectorServer::Sockets::Link::read() {
  if (reading || closed || !client.reads()) return;
  reading = true;
  const auto room = client.room();
  stream.async_read_some(asio::buffer(room.data(), room.size()),
                         [self = shared_from_this()](const error_code& error, size_t bytes) {
                           self->reading = false;
                           if (self->closed) return;
                           if (error) {
                             self->client.ended();
                           } else {
                             self->client.received(bytes);
                           }
                           self->owner.tell_notes();
                           self->go_on();
                         });
}

// Answers grow while asio waits, so it waits without a buffer.
void CollectorServer::Sockets::Link::write() {
  while (!waiting_to_write && !client.unsent().empty()) {
    error_code error;
    const Bytes unsent = client.unsent();
    const size_t bytes = stream.write_some(asio::buffer(unsent.data(), unsent.size()), error);
    client.sent(bytes);
    if (error == asio::error::would_block || error == asio::error::try_again) {
      if (client.closing()) return;
      waiting_to_write = true;
      stream.async_wait(StreamSocket::wait_write,
                        [self = shared_from_this()](const error_code& failed) {
                          self->waiting_to_write = false;
                          if (!failed) self->go_on();
                        });
    } else if (error) {
      return client.ended();
    }
  }
}

void CollectorServer::Sockets::Link::arm() {
  const auto deadline = client.deadline();
  if (deadline == armed) return;
  armed = deadline;
  timer.cancel();
  if (!deadline) return;
  timer.expires_after(std::max(*deadline - owner.core_.clock().now(), std::chrono::nanoseconds(0)));
  timer.async_wait([self = shared_from_this()](const error_code& error) {
    if (error || self->closed) return;
    self->armed.reset();
    self->client.look_at_time();
    self->owner.tell_notes();
    self->go_on();
  });
}

void CollectorServer::Sockets::Link::close() {
  if (std::exchange(closed, true)) return;
  const auto& closing = client.closing();
  if (closing && !closing->why.empty()) {
    owner.log_(fmt::format("{}: closed: {}", name, closing->why));
  }
  error_code ignored;
  stream.close(ignored);
  timer.cancel();
  owner.waiting_.erase(number);
  owner.links_.erase(number);  // handlers may still refer to this
}

// ----

CollectorServer::CollectorServer(CollectorCore& core, CollectorOptions options, CollectorLog log)
    : sockets_(std::make_unique<Sockets>(core, std::move(options), std::move(log))) {}
CollectorServer::~CollectorServer() = default;
Result<void> CollectorServer::listen() { return sockets_->listen(); }
uint16_t CollectorServer::port() const { return sockets_->port(); }
std::vector<std::string> CollectorServer::addresses() const { return sockets_->addresses(); }
void CollectorServer::run() { sockets_->run(); }
void CollectorServer::stop() { sockets_->stop(); }

}  // namespace pmjit
