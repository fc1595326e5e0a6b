#include "agent/collector/listening_sockets.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "agent/collector/listen_address.h"

namespace pmjit {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using LocalSocket = asio::local::stream_protocol;
using boost::system::error_code;

// How many free ports are tried until one is free at all addresses.
constexpr int kFreePortTries = 32;
constexpr auto kPause = std::chrono::seconds(1);

bool no_descriptors(const error_code& error) {
  return error.value() == EMFILE || error.value() == ENFILE || error.value() == ENOBUFS ||
         error.value() == ENOMEM;
}

// It does not wait where that somebody takes no connections now.
bool somebody_listens(const std::string& path) {
  sockaddr_un at{.sun_family = AF_UNIX, .sun_path = {}};
  path.copy(at.sun_path, sizeof at.sun_path - 1);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  const int failed = ::connect(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at);
  const bool out = failed == 0 || errno == EAGAIN;
  ::close(fd);
  return out;
}

}  // namespace

ListeningSockets::ListeningSockets(asio::io_context& io, const CollectorOptions& options,
                                   CollectorState& state, Hooks hooks)
    : io_(io), options_(options), state_(state), hooks_(std::move(hooks)) {}

ListeningSockets::~ListeningSockets() {
  if (bound_path_) unlink(options_.unix_path.c_str());
}

Result<void> ListeningSockets::listen() {
  const auto fine = check_listen_addresses(options_.addresses);
  if (!fine && options_.needs_every_port) return fine;
  const bool any_port = options_.port == 0;
  auto listening = listen_everywhere();
  for (int tries = 1; any_port && in_use_ && tries < kFreePortTries; ++tries) {
    listening = listen_everywhere();
  }
  if (options_.unix_path.empty()) return listening;
  if (!listening && options_.needs_every_port) return listening;
  const auto local = listen_unix();
  if (local || options_.needs_every_port) return local;
  unix_.reset();
  hooks_.log(options_.listen_failure ? options_.listen_failure(options_.unix_path, 0, unix_error_)
                                     : local.error().text());
  return listening;
}

Result<void> ListeningSockets::listen_everywhere() {
  tcp_.clear();
  places_.clear();
  in_use_ = false;
  port_ = options_.port;
  const bool by_default = options_.addresses.empty();
  state_.loopback_only = true;
  const std::vector<std::string> addresses =
      by_default ? std::vector<std::string>{"127.0.0.1", "::1"} : options_.addresses;
  for (size_t i = 0; i < addresses.size(); ++i) {
    if (auto ok = listen_tcp(addresses[i], port_, by_default && i > 0); !ok) {
      if (options_.needs_every_port) return ok;
      if (!options_.listen_failure) hooks_.log(ok.error().text());
    }
  }
  for (const uint16_t port : options_.more_ports) {
    for (const std::string& address : addresses) {
      const auto ok = listen_tcp(address, port, true);
      if (!ok && !options_.listen_failure) hooks_.log(ok.error().text());
    }
  }
  if (!tcp_.empty()) port_ = tcp_.front()->local_endpoint().port();
  if (tcp_.empty()) return fail(Error(Fault::io, "no port can be listened on"));
  return {};
}

std::vector<std::string> ListeningSockets::addresses() const {
  std::vector<std::string> out;
  for (const auto& acceptor : tcp_) out.push_back(acceptor->local_endpoint().address().to_string());
  return out;
}

std::string ListeningSockets::port_table() const {
  std::string out =
      "pmcd request port(s):\n  sts fd   port  family address\n  === ==== ===== ====== =======";
  const auto add = [&](int fd, const auto& port, const char* family, const std::string& where) {
    out += fmt::format("\n  {:<3} {:>4} {:>5} {:<6} {}", fd < 0 ? "err" : "ok", fd, port, family,
                       where);
  };
  auto* const self = const_cast<ListeningSockets*>(this);
  if (!options_.unix_path.empty()) {
    add(unix_ ? self->unix_->native_handle() : -1, "", "unix", options_.unix_path);
  }
  for (const Place& place : places_) {
    const bool is_ipv6 = place.address.find(':') != std::string::npos;
    add(place.fd, place.port, is_ipv6 ? "ipv6" : "inet",
        options_.address_name ? options_.address_name(place.address) : place.address);
  }
  return out;
}

// `optional`: a machine without IPv6 does without it.
Result<void> ListeningSockets::listen_tcp(const std::string& address, uint16_t port,
                                          bool optional) {
  error_code error;
  const auto ip = asio::ip::make_address(address, error);
  if (error) return refuse(address, port, EINVAL);
  auto acceptor = std::make_unique<TcpAcceptor>(io_);
  const tcp::endpoint endpoint(ip, port);
  acceptor->open(endpoint.protocol(), error);
  if (!error) acceptor->set_option(TcpAcceptor::reuse_address(true), error);
  if (!error && ip.is_v6()) acceptor->set_option(asio::ip::v6_only(true), error);
  if (!error) acceptor->bind(endpoint, error);
  // Connections have from it what it has.
  if (!error) acceptor->set_option(tcp::no_delay(true), error);
  if (!error) acceptor->set_option(asio::socket_base::keep_alive(true), error);
  if (!error) acceptor->non_blocking(true, error);
  if (!error) acceptor->listen(backlog(), error);
  if (error && optional && error.value() != EADDRINUSE && !options_.listen_failure) {
    hooks_.log(fmt::format("not listening on {}: {}", address, error.message()));
    return {};
  }
  in_use_ = error && error.value() == EADDRINUSE;
  if (error) return refuse(address, port, error.value());
  if (port_ == 0) port_ = acceptor->local_endpoint().port();
  state_.ipv6 = state_.ipv6 || ip.is_v6();
  state_.loopback_only = state_.loopback_only && ip.is_loopback();
  places_.push_back({.address = address,
                     .port = acceptor->local_endpoint().port(),
                     .fd = acceptor->native_handle()});
  tcp_.push_back(std::move(acceptor));
  return {};
}

Result<void> ListeningSockets::refuse(const std::string& address, uint16_t port, int error) {
  places_.push_back({.address = address, .port = port});
  if (options_.listen_failure) hooks_.log(options_.listen_failure(address, port, error));
  return fail(listen_error(error, address, port));
}

int ListeningSockets::backlog() const {
  return options_.backlog > 0 ? options_.backlog : asio::socket_base::max_listen_connections;
}

Result<void> ListeningSockets::listen_unix() {
  const std::string& path = options_.unix_path;
  error_code error;
  if (path.size() >= sizeof(sockaddr_un{}.sun_path)) {
    unix_error_ = ENAMETOOLONG;
    return fail(Error(Fault::usage, fmt::format("the path of a socket has at most {} bytes",
                                                sizeof(sockaddr_un{}.sun_path) - 1))
                    .at("socket", path)
                    .help("choose a shorter one"));
  }
  struct stat there{};
  if (lstat(path.c_str(), &there) == 0) {
    if (!S_ISSOCK(there.st_mode) || somebody_listens(path)) {
      unix_error_ = EADDRINUSE;
      return fail(Error(Fault::io, S_ISSOCK(there.st_mode) ? "somebody listens there"
                                                           : "a file of that name is there")
                      .at("socket", path)
                      .help("choose another path for --unix"));
    }
    unlink(path.c_str());  // left over: nobody listens
  }
  unix_.emplace(io_);
  unix_->open(LocalSocket(), error);
  if (!error) unix_->bind(LocalSocket::endpoint(path), error);
  if (!error) unix_->non_blocking(true, error);
  if (!error) unix_->listen(backlog(), error);
  if (error) {
    unix_error_ = error.value();
    return fail(Error(Fault::io, "cannot listen: " + error.message())
                    .at("socket", path)
                    .help("its folder has to be there, and you have to be allowed to write it"));
  }
  bound_path_ = true;
  chmod(path.c_str(), 0666);
  state_.unix_sockets = true;
  return {};
}

// ---- accepting

void ListeningSockets::accept() {
  for (const auto& acceptor : tcp_) accept_at(*acceptor);
  if (unix_) accept_at(*unix_);
}

void ListeningSockets::close() {
  error_code ignored;
  for (const auto& acceptor : tcp_) acceptor->close(ignored);
  if (unix_) unix_->close(ignored);
}

// Asio would register each connection itself, ask whether another one has come, and set up by calls
// of the system what accept4() does at once.
template <class Acceptor>
void ListeningSockets::accept_at(Acceptor& acceptor) {
  acceptor.async_wait(Acceptor::wait_read, [this, &acceptor](const error_code&) {
    if (!acceptor.is_open()) return;
    NewConnection connection(acceptor.native_handle());
    if (connection.socket() >= 0) {
      told_of_pause_ = false;
      hooks_.welcome(connection);
    } else if (const error_code error(errno, boost::system::system_category());
               no_descriptors(error)) {
      return pause(error, [this, &acceptor] { accept_at(acceptor); });
    }
    accept_at(acceptor);
  });
}

void ListeningSockets::pause(const error_code& error, std::function<void()> again) {
  if (!std::exchange(told_of_pause_, true)) {
    hooks_.log(
        fmt::format("no new clients for now: {}; those that are there go on ({}); raise the limit "
                    "with ulimit -n",
                    error.message(), hooks_.clients()));
  }
  auto timer = std::make_shared<asio::steady_timer>(io_, kPause);
  timer->async_wait([timer, again = std::move(again)](const error_code&) { again(); });
}

}  // namespace pmjit
