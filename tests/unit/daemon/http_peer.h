// HttpPeer: a server on a free port of loopback. It answers each request as the test says, and
// keeps their bodies. One thread; one request per connection.
//
//   HttpPeer peer([](const std::string& body) { return HttpPeer::kAccepted; });
//   http_post(*network, {.url = *read_http_url(peer.url() + "/x"), .body = "hello"}, …);
//   peer.bodies()                                       // "hello"
#pragma once

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace pmjit {

class HttpPeer {
 public:
  using Answer = std::function<std::string(const std::string& body)>;
  static constexpr const char* kAccepted = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
  static constexpr const char* kBusy = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n";

  explicit HttpPeer(Answer answer)
      : answer_(std::move(answer)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{.sin_family = AF_INET,
                        .sin_port = 0,
                        .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)},
                        .sin_zero = {}};
    socklen_t size = sizeof address;
    auto* const at = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_, at, size) != 0 || ::listen(listener_, 16) != 0 ||
        ::getsockname(listener_, at, &size) != 0) {
      std::abort();
    }
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~HttpPeer() {
    stops_ = true;
    thread_.join();
    ::close(listener_);
  }
  HttpPeer(const HttpPeer&) = delete;
  HttpPeer& operator=(const HttpPeer&) = delete;

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] std::vector<std::string> bodies() const {
    const std::scoped_lock lock(mutex_);
    return bodies_;
  }

 private:
  void serve() {
    while (!stops_) {
      pollfd ready{.fd = listener_, .events = POLLIN, .revents = 0};
      if (::poll(&ready, 1, 20) <= 0) continue;
      const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (client < 0) continue;
      const std::string body = read_body(client);
      {
        const std::scoped_lock lock(mutex_);
        bodies_.push_back(body);
      }
      const std::string text = answer_(body);
      (void)!::send(client, text.data(), text.size(), MSG_NOSIGNAL);
      ::close(client);
    }
  }

  static std::string read_body(int client) {
    constexpr std::string_view kLength = "Content-Length: ", kEnd = "\r\n\r\n";
    std::string text;
    for (;;) {
      char room[4'096];
      const ssize_t bytes = ::recv(client, room, sizeof room, 0);
      if (bytes <= 0) return {};
      text.append(room, static_cast<size_t>(bytes));
      const size_t head = text.find(kEnd), length = text.find(kLength);
      if (head == std::string::npos || length == std::string::npos) continue;
      const auto wanted = std::strtoul(text.c_str() + length + kLength.size(), nullptr, 10);
      if (text.size() >= head + kEnd.size() + wanted) return text.substr(head + kEnd.size());
    }
  }

  Answer answer_;
  int listener_;
  uint16_t port_ = 0;
  mutable std::mutex mutex_;
  std::vector<std::string> bodies_;
  std::atomic<bool> stops_ = false;
  std::thread thread_;
};

}  // namespace pmjit
