// WebServer: HTTP/1.1 on a few addresses, within bounds, on a thread of its own. Source: spec
// alerting.md §10.
//
//   WebServer server({.listen = {{"127.0.0.1", 9145}}}, [](const WebRequest& request, WebRespond
//   respond) {
//     respond({.status = 200, .type = "text/plain", .body = "Healthy.\n"});
//   });
//   if (auto ok = server.listen(); !ok) return fail(ok.error());
//   server.start();
//   …
//   server.stop();                // connections are closed
//
// The handler runs on the server's thread and must not wait. `respond` may be called later, once,
// from any thread; dropped, the connection is closed.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace pmjit {

struct WebRequest {
  std::string method;  // GET, POST, …
  std::string path;    // without the query
  std::string authorization{};
};

struct WebAnswer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body{};
};

using WebRespond = std::move_only_function<void(WebAnswer)>;
using WebHandler = std::function<void(const WebRequest&, WebRespond)>;

struct WebAddress {
  std::string host;   // a number, or localhost
  uint16_t port = 0;  // 0: one that is free
};

struct WebOptions {
  std::vector<WebAddress> listen{};
  // Names that `Host` may have besides numbers of this machine's loopback and what is listened at.
  std::vector<std::string> host_names{};
  uint32_t header_bytes = 16'384, body_bytes = 1'048'576;
  uint32_t connections = 64;
  std::chrono::milliseconds request_time{10'000}, idle_time{60'000};
};

class WebServer {
 public:
  WebServer(WebOptions options, WebHandler handler);
  ~WebServer();
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  // Errors: an address that is in use, or is not ours.
  [[nodiscard]] Result<void> listen();
  // Where it listens: "127.0.0.1:9145"; after listen().
  [[nodiscard]] std::vector<std::string> places() const;
  void start();
  void stop();

 private:
  class Sockets;
  std::unique_ptr<Sockets> sockets_;
};

}  // namespace pmjit
