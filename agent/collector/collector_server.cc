#include "agent/collector/collector_server.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "agent/collector/agent_links.h"
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
// Of agents that are processes: two each, and some to start them with.
constexpr rlim_t kAgentDescriptors = 64;
constexpr rlim_t kClientsLeast = 16;
// How many free ports are tried until one is free at all addresses.
constexpr int kFreePortTries = 32;
// Closed connections that have a line in the log, of so many seconds.
constexpr uint32_t kClosingsTold = 50;
constexpr int kClosingsPeriod = 10;
constexpr auto kPause = std::chrono::seconds(1);

bool no_descriptors(const error_code& error) {
  return error.value() == EMFILE || error.value() == ENFILE || error.value() == ENOBUFS ||
         error.value() == ENOMEM;
}

// SIGTERM, SIGINT and perhaps SIGHUP as a descriptor that says who sent them. As long as it is
// there, threads that start do not get them. From then on the process ignores what would end it
// when an agent has closed its pipe, or a log is as large as a file may be: writing says so, too.
class SignalDescriptor {
 public:
  SignalDescriptor(asio::io_context& io, bool with_hangup) : descriptor_(io) {
    sigset_t wanted;
    sigemptyset(&wanted);
    for (const int signal : {SIGTERM, SIGINT}) sigaddset(&wanted, signal);
    if (with_hangup) sigaddset(&wanted, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &wanted, &before_);
    for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
    error_code ignored;
    const int fd = signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC);
    if (fd >= 0) descriptor_.assign(fd, ignored);
  }
  SignalDescriptor(const SignalDescriptor&) = delete;
  SignalDescriptor& operator=(const SignalDescriptor&) = delete;
  ~SignalDescriptor() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  [[nodiscard]] asio::posix::stream_descriptor& descriptor() { return descriptor_; }
  [[nodiscard]] std::optional<signalfd_siginfo> take() {
    signalfd_siginfo out{};
    if (::read(descriptor_.native_handle(), &out, sizeof out) != sizeof out) return {};
    return out;
  }

 private:
  asio::posix::stream_descriptor descriptor_;
  sigset_t before_{};
};

struct PeerFacts {
  std::string name;  // for the log
  AgentAsker asker;
  AccessPeer access{};
};

// Supplementary groups of whom the system vouches for.
std::vector<uint32_t> groups_of(int socket, uint32_t primary) {
  std::vector<uint32_t> out = {primary};
  std::array<gid_t, 256> groups{};
  socklen_t size = sizeof groups;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups.data(), &size) == 0) {
    out.insert(out.end(), groups.begin(), groups.begin() + size / sizeof(gid_t));
  }
  return out;
}

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
      out.asker.process_id = static_cast<uint32_t>(who.pid);
      out.access.user_id = who.uid;
      out.access.group_ids = groups_of(socket.native_handle(), who.gid);
    }
    out.access.addresses = {PeerAddress{}};
    out.name = fmt::format("unix socket, process {}, user {}", who.pid, who.uid);
    return out;
  }
  tcp::endpoint endpoint;
  std::memcpy(endpoint.data(), &address, std::min<size_t>(bytes, endpoint.capacity()));
  endpoint.resize(std::min<size_t>(bytes, endpoint.capacity()));
  out.name = fmt::format("{} port {}", endpoint.address().to_string(), endpoint.port());
  if (const auto known = parse_peer_address(endpoint.address().to_string())) {
    out.access.addresses = {*known};
  }
  return out;
}

}  // namespace

class CollectorServer::Sockets {
 public:
  Sockets(CollectorCore& core, CollectorOptions options, CollectorLog log)
      : core_(core), options_(std::move(options)), log_(std::move(log)) {}
  ~Sockets() {
    if (reader_.joinable()) reader_.join();
    core_.when_fetched(nullptr);
    links_.clear();
    agents_.reset();
    if (bound_path_) unlink(options_.unix_path.c_str());
  }

  Result<void> listen();
  [[nodiscard]] uint16_t port() const { return port_; }
  [[nodiscard]] std::vector<std::string> addresses() const;
  [[nodiscard]] std::string port_table() const;
  void run();
  void stop() {
    asio::post(io_, [this] { end("a request"); });
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
          asker(peer.asker),
          access(std::move(peer.access)),
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
    AgentAsker asker;
    AccessPeer access;
    bool counted = false, user_counted = false;  // by the access lists
    bool reading = false, waiting_to_write = false, closed = false;
    ServedClient client;
  };

  [[nodiscard]] Result<void> count_descriptors();
  [[nodiscard]] Result<void> listen_everywhere();
  [[nodiscard]] Result<void> listen_tcp(const std::string& address, uint16_t port, bool optional);
  [[nodiscard]] Result<void> listen_unix();
  template <class Acceptor>
  void accept(Acceptor& acceptor);
  void welcome(StreamSocket socket);
  void pause_accepting(const error_code& error, std::function<void()> again);
  void look_at_agents();
  void look_at_clients(std::span<const uint32_t> numbers);
  void tell_notes();
  void count_closings();
  void tell_of_closing(const std::string& who, const std::string& why);
  void end(const std::string& why);
  void take_signal();
  void reread();
  void set_up(CollectorSetup setup);
  [[nodiscard]] int32_t take_slot();
  // 0, or the code that refuses it.
  [[nodiscard]] int admit(AccessPeer& peer, uint8_t& denied);
  void admit_user(Link& link, uint8_t denied);
  void admit_again();
  void leave(Link& link);

  CollectorCore& core_;
  CollectorOptions options_;
  CollectorLog log_;
  asio::io_context io_{1};
  std::optional<SignalDescriptor> signals_;
  std::vector<std::unique_ptr<tcp::acceptor>> tcp_;
  std::optional<LocalSocket::acceptor> unix_;
  std::map<uint32_t, std::shared_ptr<Link>> links_;
  std::set<uint32_t> waiting_;  // those of links_ that wait for an agent
  uint32_t last_number_ = 0;
  std::set<int32_t> slots_;  // those in use
  std::optional<AgentLinks> agents_;
  AccessLists access_;
  std::vector<PeerAddress> own_addresses_;
  std::set<PeerAddress> violators_;  // hosts whose refusal is in the log already
  Instant closings_since_{};
  uint32_t closings_ = 0;  // since then
  int timeout_s_ = 0;
  bool rereading_ = false, reread_again_ = false;
  std::thread reader_;
  uint16_t port_ = 0;
  bool in_use_ = false;  // the port that was tried last, by somebody else
  bool bound_path_ = false, told_of_pause_ = false, told_of_limit_ = false;
};

// ---- listening

Result<void> CollectorServer::Sockets::count_descriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return {};
  const rlim_t own = kOwnDescriptors + (options_.setup ? kAgentDescriptors : 0);
  const rlim_t wanted = options_.clients_max + own;
  if (limit.rlim_cur < wanted) {
    limit.rlim_cur = std::min<rlim_t>(wanted, limit.rlim_max);
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
  }
  if (limit.rlim_cur < own + kClientsLeast) {
    return fail(Error(Fault::limit,
                      fmt::format("too few file descriptors: {}, and {} are needed for {} clients",
                                  limit.rlim_cur, own + kClientsLeast, kClientsLeast))
                    .help("raise the limit before the start: ulimit -n 1024"));
  }
  if (limit.rlim_cur < wanted) {
    options_.clients_max = static_cast<uint32_t>(limit.rlim_cur - own);
    log_(fmt::format("there are {} file descriptors: at most {} clients (raise it with ulimit -n)",
                     limit.rlim_cur, options_.clients_max));
  }
  return {};
}

Result<void> CollectorServer::Sockets::listen() {
  if (auto enough = count_descriptors(); !enough) return enough;
  // First of all: clients may come once it listens, and a signal that comes then waits for run().
  signals_.emplace(io_, options_.setup != nullptr);
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
    if (auto ok = listen_tcp(addresses[i], port_, by_default && i > 0); !ok) {
      if (options_.needs_every_port) return ok;
      if (!options_.listen_failure) log_(ok.error().text());
    }
  }
  for (const uint16_t port : options_.more_ports) {
    for (const std::string& address : addresses) {
      const auto ok = listen_tcp(address, port, true);
      if (!ok && !options_.listen_failure) log_(ok.error().text());
    }
  }
  if (!tcp_.empty()) port_ = tcp_.front()->local_endpoint().port();
  if (tcp_.empty()) return fail(Error(Fault::io, "no port can be listened on"));
  return {};
}

std::vector<std::string> CollectorServer::Sockets::addresses() const {
  std::vector<std::string> out;
  for (const auto& acceptor : tcp_) out.push_back(acceptor->local_endpoint().address().to_string());
  return out;
}

std::string CollectorServer::Sockets::port_table() const {
  std::string out =
      "pmcd request port(s):\n  sts fd   port  family address\n  === ==== ===== ====== =======\n";
  auto* const self = const_cast<Sockets*>(this);
  if (unix_) {
    out += fmt::format("  ok  {:>4} {:>5} {:<6} {}\n", self->unix_->native_handle(), "", "unix",
                       options_.unix_path);
  }
  for (const auto& acceptor : self->tcp_) {
    const auto place = acceptor->local_endpoint();
    out +=
        fmt::format("  ok  {:>4} {:>5} {:<6} {}\n", acceptor->native_handle(), place.port(),
                    place.address().is_v6() ? "ipv6" : "inet",
                    place.address().is_unspecified() ? "INADDR_ANY" : place.address().to_string());
  }
  return out;
}

// `optional`: a machine without IPv6 does without it.
Result<void> CollectorServer::Sockets::listen_tcp(const std::string& address, uint16_t port,
                                                  bool optional) {
  error_code error;
  const auto ip = asio::ip::make_address(address, error);
  if (error) return fail(listen_error(error.value(), address, port));
  auto acceptor = std::make_unique<tcp::acceptor>(io_);
  const tcp::endpoint endpoint(ip, port);
  acceptor->open(endpoint.protocol(), error);
  if (!error) acceptor->set_option(tcp::acceptor::reuse_address(true), error);
  if (!error && ip.is_v6()) acceptor->set_option(asio::ip::v6_only(true), error);
  if (!error) acceptor->bind(endpoint, error);
  if (!error) acceptor->listen(asio::socket_base::max_listen_connections, error);
  if (error && optional && error.value() != EADDRINUSE && !options_.listen_failure) {
    log_(fmt::format("not listening on {}: {}", address, error.message()));
    return {};
  }
  in_use_ = error && error.value() == EADDRINUSE;
  if (error && options_.listen_failure) {
    log_(options_.listen_failure(address, port, error.value()));
  }
  if (error) return fail(listen_error(error.value(), address, port));
  if (port_ == 0) port_ = acceptor->local_endpoint().port();
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
  take_signal();
  if (options_.setup) {
    agents_.emplace(
        io_, core_,
        AgentSettings{
            .patience = {.answer = options_.agent_patience, .greeting = options_.agent_greeting},
            .restarts = options_.restart_agents},
        AgentLinks::Hooks{.answered = [this](auto clients) { look_at_clients(clients); },
                          .log = log_});
    timeout_s_ = core_.state().timeout_s;
    set_up(options_.setup());
  }
  if (options_.when_started) options_.when_started();
  for (const auto& acceptor : tcp_) accept(*acceptor);
  if (unix_) accept(*unix_);
  core_.when_fetched([this] { asio::post(io_, [this] { look_at_agents(); }); });
  io_.run();
}

void CollectorServer::Sockets::look_at_agents() {
  look_at_clients(std::vector(waiting_.begin(), waiting_.end()));
  tell_notes();
}

void CollectorServer::Sockets::look_at_clients(std::span<const uint32_t> numbers) {
  for (const uint32_t number : numbers) {
    const auto found = links_.find(number);
    if (found == links_.end()) continue;
    const std::shared_ptr<Link> link = found->second;
    link->client.look_at_agents();
    link->go_on();
  }
}

// ---- files

void CollectorServer::Sockets::take_signal() {
  signals_->descriptor().async_wait(
      asio::posix::stream_descriptor::wait_read, [this](const error_code& error) {
        if (error) return;
        while (const auto signal = signals_->take()) {
          if (signal->ssi_signo != SIGHUP) {
            const char* const name = signal->ssi_signo == SIGINT ? "SIGINT" : "SIGTERM";
            return end(
                fmt::format("{} from pid={} uid={}", name, signal->ssi_pid, signal->ssi_uid));
          }
          ++core_.state().sighups;
          reread();
        }
        take_signal();
      });
}

// Files and names of hosts may take their time, so another thread looks at them. Signals that come
// meanwhile are one more reading.
void CollectorServer::Sockets::reread() {
  if (std::exchange(rereading_, true)) {
    reread_again_ = true;
    return;
  }
  if (reader_.joinable()) reader_.join();
  reader_ = std::thread([this] {
    auto setup = std::make_shared<CollectorSetup>(options_.setup());
    asio::post(io_, [this, setup] {
      set_up(std::move(*setup));
      rereading_ = false;
      if (std::exchange(reread_again_, false)) reread();
    });
  });
}

void CollectorServer::Sockets::set_up(CollectorSetup setup) {
  for (const std::string& line : setup.log) log_(line);
  violators_.clear();
  if (setup.names) {
    std::vector<NameSpaceTree::NamedLeaf> leaves;
    for (const auto& [name, pmid] : *setup.names) leaves.push_back({.name = name, .pmid = pmid});
    core_.set_names(leaves);
  }
  if (setup.config) {
    ++core_.state().sequence;
    for (const auto& [number, link] : links_) leave(*link);
    access_ = std::move(setup.config->access);
    own_addresses_ = std::move(setup.config->own_addresses);
    core_.state().creds_required = access_.asks_who();
    agents_->configure(setup.config->agents);
    admit_again();
  } else if (setup.restarts_dead) {
    const auto restarted = agents_->restart_dead();
    std::string line = "Restarting any deceased agents:";
    for (const std::string& label : restarted) line += fmt::format("\n    \"{}\" agent", label);
    if (restarted.empty()) line += "\n    (no agents required restarting)";
    if (!setup.quiet) log_(line);
  }
  if (!setup.quiet) log_(agents_->table_text() + "\n" + access_.table_text());
}

// ---- access

int32_t CollectorServer::Sockets::take_slot() {
  int32_t slot = 0;
  for (const int32_t used : slots_) {
    if (used != slot) break;
    ++slot;
  }
  slots_.insert(slot);
  return slot;
}

int CollectorServer::Sockets::admit(AccessPeer& peer, uint8_t& denied) {
  const bool local = !peer.addresses.empty() && is_loopback(peer.addresses.front());
  if (local) {
    peer.addresses.insert(peer.addresses.end(), own_addresses_.begin(), own_addresses_.end());
  }
  const int code = access_.admit(peer, denied);
  if (code == pm_err::E_PERMISSION && violators_.insert(peer.addresses.front()).second) {
    log_(fmt::format("access violation from host {}", address_text(peer.addresses.front())));
  }
  return code;
}

void CollectorServer::Sockets::admit_user(Link& link, uint8_t denied) {
  uint8_t denied_to_user = 0;
  const int code = access_.admit_user(link.access, denied_to_user);
  link.user_counted = code == 0 && access_.asks_who();
  link.client.restrict_to(code, denied | denied_to_user);
}

// New lists hold for those who are there, too.
void CollectorServer::Sockets::admit_again() {
  for (const auto& [number, link] : std::map(links_)) {
    uint8_t denied = 0;
    AccessPeer peer = link->access;
    const int code = access_.admit(peer, denied);
    link->counted = code == 0;
    if (code == 0) {
      admit_user(*link, denied);
    } else {
      link->client.restrict_to(code, kAllOperations);
    }
    link->go_on();
  }
}

void CollectorServer::Sockets::leave(Link& link) {
  if (std::exchange(link.counted, false)) access_.leave(link.access);
  if (std::exchange(link.user_counted, false)) access_.leave_user(link.access);
}

void CollectorServer::Sockets::tell_notes() {
  // pmcd.control.timeout may have been stored.
  if (agents_ && core_.state().timeout_s != timeout_s_) {
    timeout_s_ = core_.state().timeout_s;
    agents_->be_patient(std::chrono::seconds(timeout_s_));
  }
  for (const std::string& note : core_.take_notes()) log_(note);
}

// Writes a line for each closed connection, up to a number a second. Clients that connect and are
// closed in a loop must not fill the log.
void CollectorServer::Sockets::tell_of_closing(const std::string& who, const std::string& why) {
  const Instant now = core_.clock().now();
  if (now - closings_since_ >= std::chrono::seconds(kClosingsPeriod)) {
    count_closings();
    closings_since_ = now;
  }
  if (++closings_ <= kClosingsTold) log_(fmt::format("{}: closed: {}", who, why));
}

void CollectorServer::Sockets::count_closings() {
  const uint32_t closings = std::exchange(closings_, 0);
  if (closings <= kClosingsTold) return;
  log_(fmt::format("{} more connections were closed for such reasons", closings - kClosingsTold));
}

void CollectorServer::Sockets::end(const std::string& why) {
  count_closings();
  log_(options_.setup
           ? fmt::format("Info: pmcd caught {}", why)
           : fmt::format("stops: {} came; {} clients are connected", why, links_.size()));
  if (agents_) agents_->stop();
  error_code ignored;
  for (const auto& acceptor : tcp_) acceptor->close(ignored);
  if (unix_) unix_->close(ignored);
  if (signals_) signals_->descriptor().cancel(ignored);
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
  uint8_t denied = 0;
  if (const int code = admit(peer.access, denied); code != 0) {
    ByteWriter refusal;
    refuse_client(code, refusal);
    socket.write_some(asio::buffer(refusal.written().data(), refusal.size()), error);
    return;
  }
  if (!peer.asker.user_id) {
    socket.set_option(tcp::no_delay(true), error);
    socket.set_option(asio::socket_base::keep_alive(true), error);
  }
  const uint32_t number = ++last_number_;
  peer.asker.slot = take_slot();
  const auto link = std::make_shared<Link>(*this, std::move(socket), std::move(peer));
  links_.emplace(number, link);
  link->counted = true;
  admit_user(*link, denied);
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

// Asio would look for bytes before it waits, and there are none right after an answer.
void CollectorServer::Sockets::Link::read() {
  if (reading || closed || !client.reads()) return;
  reading = true;
  stream.async_wait(StreamSocket::wait_read, [self = shared_from_this()](error_code error) {
    self->reading = false;
    if (self->closed) return;
    const auto room = self->client.room();
    size_t bytes = 0;
    if (!error) bytes = self->stream.read_some(asio::buffer(room.data(), room.size()), error);
    if (!error) {
      self->client.received(bytes);
    } else if (error != asio::error::would_block) {
      self->client.ended();
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
  // A timer that is early looks again, so one that runs is left alone: each change is a system
  // call.
  if (!deadline || (armed && *armed <= *deadline)) return;
  armed = deadline;
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
  if (closing && !closing->why.empty()) owner.tell_of_closing(name, closing->why);
  error_code ignored;
  stream.close(ignored);
  timer.cancel();
  owner.leave(*this);
  client.left();
  owner.slots_.erase(asker.slot);
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
std::string CollectorServer::port_table() const { return sockets_->port_table(); }
void CollectorServer::run() { sockets_->run(); }
void CollectorServer::stop() { sockets_->stop(); }

}  // namespace pmjit
