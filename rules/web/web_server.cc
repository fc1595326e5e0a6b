#include "rules/web/web_server.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <cerrno>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "rules/web/web_access.h"

namespace pmjit {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr size_t kReadStep = 4'096;
constexpr auto kAcceptAgain = std::chrono::milliseconds(100);
constexpr unsigned kMisdirected = 421;

// Asio does not do it. Other programs that are started have no part in our sockets.
void close_on_exec(tcp::acceptor::native_handle_type socket) {
  (void)::fcntl(socket, F_SETFD, FD_CLOEXEC);
}

std::string text_of(beast::string_view text) { return {text.data(), text.size()}; }

Error cannot_listen(const WebAddress& address, const error_code& error) {
  Error out = Error(Fault::io, fmt::format("cannot listen there: {}", error.message()))
                  .at("[http] listen", fmt::format("{}:{}", address.host, address.port));
  if (error.value() == EADDRINUSE) return std::move(out).help("another program has this port");
  return std::move(out).help("an address of this machine, and a port that this user may have");
}

}  // namespace

class WebServer::Sockets {
 public:
  Sockets(WebOptions options, WebHandler handler)
      : options_(std::move(options)), handler_(std::move(handler)) {}
  ~Sockets() { stop(); }

  Result<void> listen();
  [[nodiscard]] std::vector<std::string> places() const;
  void start() {
    for (const auto& acceptor : acceptors_) accept(*acceptor);
    thread_ = std::thread([this] { io_.run(); });
  }
  void stop();

 private:
  // A connection. It lives as long as a step of it is under way, or an answer is outstanding.
  class Visit : public std::enable_shared_from_this<Visit> {
   public:
    Visit(Sockets& owner, tcp::socket socket) : owner_(owner), stream_(std::move(socket)) {
      owner_.visits_.insert(this);
    }
    ~Visit() { owner_.visits_.erase(this); }

    void wait();
    void close() {
      error_code ignored;
      stream_.socket().close(ignored);
    }

   private:
    void read();
    void got(const error_code& error);
    void handle(const http::request<http::string_body>& request);
    void answer(unsigned status, const std::string& type, std::string body, bool keep);

    Sockets& owner_;
    beast::tcp_stream stream_;
    beast::flat_buffer buffer_;
    std::optional<http::request_parser<http::string_body>> parser_{};
    bool only_head_ = false;  // is asked for
    http::response<http::string_body> response_{};
  };

  void accept(tcp::acceptor& acceptor);
  void accept_later(tcp::acceptor& acceptor);
  [[nodiscard]] bool may_name(const std::string& host) const;

  WebOptions options_;
  WebHandler handler_;
  // Steps of visits that are under way end with io_, and the visits with them: visits_ outlives it.
  std::set<Visit*> visits_;
  asio::io_context io_{1};
  std::vector<std::unique_ptr<tcp::acceptor>> acceptors_;
  std::thread thread_;
};

// ---- listening

Result<void> WebServer::Sockets::listen() {
  for (const WebAddress& address : options_.listen) {
    error_code error;
    const std::string number = address.host == "localhost" ? "127.0.0.1" : address.host;
    const auto ip = asio::ip::make_address(number, error);
    auto acceptor = std::make_unique<tcp::acceptor>(io_);
    const tcp::endpoint endpoint(ip, address.port);
    if (!error) acceptor->open(endpoint.protocol(), error);
    if (!error) close_on_exec(acceptor->native_handle());
    if (!error) acceptor->set_option(tcp::acceptor::reuse_address(true), error);
    if (!error && ip.is_v6()) acceptor->set_option(asio::ip::v6_only(true), error);
    if (!error) acceptor->bind(endpoint, error);
    if (!error) acceptor->listen(asio::socket_base::max_listen_connections, error);
    if (error) return fail(cannot_listen(address, error));
    acceptors_.push_back(std::move(acceptor));
  }
  return {};
}

std::vector<std::string> WebServer::Sockets::places() const {
  std::vector<std::string> out;
  for (const auto& acceptor : acceptors_) {
    const tcp::endpoint at = acceptor->local_endpoint();
    const std::string host = at.address().to_string();
    out.push_back(at.address().is_v6() ? fmt::format("[{}]:{}", host, at.port())
                                       : fmt::format("{}:{}", host, at.port()));
  }
  return out;
}

void WebServer::Sockets::stop() {
  asio::post(io_, [this] {
    error_code ignored;
    for (const auto& acceptor : acceptors_) acceptor->close(ignored);
    for (Visit* const visit : visits_) visit->close();
    io_.stop();
  });
  if (thread_.joinable()) thread_.join();
}

void WebServer::Sockets::accept(tcp::acceptor& acceptor) {
  acceptor.async_accept([this, &acceptor](const error_code& error, tcp::socket socket) {
    if (!acceptor.is_open()) return;
    if (error) return accept_later(acceptor);
    close_on_exec(socket.native_handle());
    if (visits_.size() < options_.connections) {
      std::make_shared<Visit>(*this, std::move(socket))->wait();
    }
    accept(acceptor);
  });
}

// Too few descriptors now may be enough later. The client is still there, so asking again at once
// would go on and on.
void WebServer::Sockets::accept_later(tcp::acceptor& acceptor) {
  const auto timer = std::make_shared<asio::steady_timer>(io_, kAcceptAgain);
  timer->async_wait([this, &acceptor, timer](const error_code& error) {
    if (!error && acceptor.is_open()) accept(acceptor);
  });
}

bool WebServer::Sockets::may_name(const std::string& host) const {
  return host_is_ours(host, options_.host_names);
}

// ---- one connection

// For the first byte of a request.
void WebServer::Sockets::Visit::wait() {
  if (buffer_.size() > 0) return read();
  stream_.expires_after(owner_.options_.idle_time);
  stream_.async_read_some(buffer_.prepare(kReadStep),
                          [self = shared_from_this()](const error_code& error, size_t bytes) {
                            if (error) return;
                            self->buffer_.commit(bytes);
                            self->read();
                          });
}

void WebServer::Sockets::Visit::read() {
  parser_.emplace();
  only_head_ = false;
  parser_->header_limit(owner_.options_.header_bytes);
  parser_->body_limit(owner_.options_.body_bytes);
  stream_.expires_after(owner_.options_.request_time);
  http::async_read(
      stream_, buffer_, *parser_,
      [self = shared_from_this()](const error_code& error, size_t) { self->got(error); });
}

void WebServer::Sockets::Visit::got(const error_code& error) {
  if (!error) return handle(parser_->get());
  if (error == http::error::header_limit) {
    return answer(431, "text/plain", "the head is too long\n", false);
  }
  if (error == http::error::body_limit) {
    return answer(413, "text/plain", "the body is too long\n", false);
  }
  const bool is_http_error =
      error.category() == http::make_error_code(http::error::bad_method).category();
  if (is_http_error && error != http::error::end_of_stream &&
      error != http::error::partial_message) {
    answer(400, "text/plain", "that is no request of HTTP/1.1\n", false);
  }
}

void WebServer::Sockets::Visit::handle(const http::request<http::string_body>& request) {
  const bool keep = request.keep_alive();
  only_head_ = request.method() == http::verb::head;
  if (!owner_.may_name(text_of(request[http::field::host]))) {
    return answer(kMisdirected, "text/plain",
                  "Host names another machine; [http] allowed_hosts has the names of this one\n",
                  false);
  }
  const std::string target = text_of(request.target());
  const WebRequest asked{.method = text_of(request.method_string()),
                         .path = target.substr(0, target.find('?')),
                         .authorization = text_of(request[http::field::authorization])};
  stream_.expires_never();
  // Who answers on another thread keeps nothing of it: its end is a matter of this thread.
  owner_.handler_(asked, [self = shared_from_this(), keep](WebAnswer answer) mutable {
    const auto executor = self->stream_.get_executor();
    asio::post(executor, [self = std::move(self), keep, answer = std::move(answer)]() mutable {
      self->answer(static_cast<unsigned>(answer.status), answer.type, std::move(answer.body), keep);
    });
  });
}

void WebServer::Sockets::Visit::answer(unsigned status, const std::string& type, std::string body,
                                       bool keep) {
  response_ = {};
  response_.version(11);
  response_.result(status);
  response_.set(http::field::content_type, type);
  response_.set(http::field::cache_control, "no-store");
  response_.set("X-Content-Type-Options", "nosniff");
  response_.set("Referrer-Policy", "no-referrer");
  response_.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  response_.keep_alive(keep);
  response_.content_length(body.size());
  if (!only_head_) response_.body() = std::move(body);
  stream_.expires_after(owner_.options_.request_time);
  http::async_write(stream_, response_,
                    [self = shared_from_this(), keep](const error_code& error, size_t) {
                      if (!error && keep) return self->wait();
                      self->close();
                    });
}

// ---- the door

WebServer::WebServer(WebOptions options, WebHandler handler)
    : sockets_(std::make_unique<Sockets>(std::move(options), std::move(handler))) {}
WebServer::~WebServer() = default;
Result<void> WebServer::listen() { return sockets_->listen(); }
std::vector<std::string> WebServer::places() const { return sockets_->places(); }
void WebServer::start() { sockets_->start(); }
void WebServer::stop() { sockets_->stop(); }

}  // namespace pmjit
