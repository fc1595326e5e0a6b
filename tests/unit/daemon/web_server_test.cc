// The HTTP server of the daemon with clients that keep their connections.
#include "rules/web/web_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>

#include "tests/lib/lower_limit.h"

namespace pmjit {
namespace {

// A connection that is kept.
class WebClient {
 public:
  explicit WebClient(const std::string& place) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const size_t colon = place.rfind(':');
    port_ = static_cast<uint16_t>(std::strtoul(&place[colon + 1], nullptr, 10));
    const sockaddr_in address{.sin_family = AF_INET,
                              .sin_port = htons(port_),
                              .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)},
                              .sin_zero = {}};
    EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    const timeval patience{.tv_sec = 5, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
  ~WebClient() { ::close(socket_); }
  WebClient(const WebClient&) = delete;
  WebClient& operator=(const WebClient&) = delete;

  void ask(std::string_view method) const {
    const std::string request = std::string(method) + " /x HTTP/1.1\r\nHost: localhost\r\n\r\n";
    EXPECT_EQ(::send(socket_, request.data(), request.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(request.size()));
  }
  // All that comes until it ends so.
  [[nodiscard]] std::string read_until(std::string_view end) const {
    std::string out;
    char room[1'024];
    while (!out.ends_with(end)) {
      const ssize_t bytes = ::recv(socket_, room, sizeof room, 0);
      if (bytes <= 0) break;
      out.append(room, static_cast<size_t>(bytes));
    }
    return out;
  }

  [[nodiscard]] uint16_t server_port() const { return port_; }

 private:
  int socket_;
  uint16_t port_ = 0;
};

class WebServerTest : public testing::Test {
 protected:
  WebServerTest() {
    server_ = std::make_unique<WebServer>(
        WebOptions{.listen = {{.host = "127.0.0.1", .port = 0}}},
        [](const WebRequest&, WebRespond respond) { respond({.body = "hello"}); });
    EXPECT_TRUE(server_->listen());
    server_->start();
  }
  [[nodiscard]] std::string place() const { return server_->places().front(); }

  std::unique_ptr<WebServer> server_;
};

TEST_F(WebServerTest, EndsWithClientsThatKeepTheirConnections) {
  std::optional<WebClient> clients[4];
  for (auto& client : clients) {
    client.emplace(place()).ask("GET");
    EXPECT_NE(client->read_until("hello").find("200 OK"), std::string::npos);
  }
  server_->stop();
  server_.reset();
  EXPECT_EQ(clients[0]->read_until("hello"), "");
}

TEST_F(WebServerTest, OtherProgramsDoNotGetItsSockets) {
  const WebClient client(place());
  client.ask("GET");
  EXPECT_NE(client.read_until("hello"), "");
  int sockets = 0;
  for (int i = 3; i < 100; ++i) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    const int got = ::getsockname(i, reinterpret_cast<sockaddr*>(&address), &size);
    if (got != 0 || ntohs(address.sin_port) != client.server_port()) continue;
    ++sockets;
    EXPECT_NE(::fcntl(i, F_GETFD) & FD_CLOEXEC, 0) << i;
  }
  EXPECT_EQ(sockets, 2);
}

TEST_F(WebServerTest, HeadIsAnsweredWithoutABody) {
  const WebClient client(place());
  client.ask("HEAD");
  client.ask("GET");
  const std::string answers = client.read_until("hello");
  EXPECT_EQ(answers.find("hello"), answers.size() - 5) << answers;
  const size_t first = answers.find("Content-Length: 5\r\n");
  ASSERT_NE(first, answers.npos) << answers;
  EXPECT_NE(answers.find("Content-Length: 5\r\n", first + 1), answers.npos) << answers;
}

// Milliseconds of processor that this process has used.
double used_ms() {
  rusage use{};
  ::getrusage(RUSAGE_SELF, &use);
  const auto ms = [](const timeval& time) {
    return double(time.tv_sec) * 1e3 + double(time.tv_usec) / 1e3;
  };
  return ms(use.ru_utime) + ms(use.ru_stime);
}

TEST_F(WebServerTest, WithoutDescriptorsClientsWait) {
  if (kNeedsDescriptors) GTEST_SKIP() << "the sanitizer cannot work without descriptors";
  std::optional<WebClient> client;
  {
    const int next = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::close(next);
    // One more for the client, and none for the server.
    const LowerLimit limit(RLIMIT_NOFILE, static_cast<rlim_t>(next) + 1);
    client.emplace(place()).ask("GET");
    const double before = used_ms();
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    EXPECT_LT(used_ms() - before, 200);
  }
  EXPECT_NE(client->read_until("hello"), "");
}

}  // namespace
}  // namespace pmjit
