// What peers answer that are no good servers of HTTP.
#include "rules/sinks/http_client.h"

#include <gtest/gtest.h>

#include "http_peer.h"
#include "runtime/client/net/asio_network.h"

namespace pmjit {
namespace {

using namespace std::chrono_literals;

Result<HttpAnswer> answer_to(const std::string& answer) {
  HttpPeer peer([&](const std::string&) { return answer; });
  const SystemClock clock;
  const auto network = make_network(clock);
  return http_post(*network, {.url = *read_http_url(peer.url()), .body = "hello"},
                   network->now() + 5s, [] { return false; });
}

TEST(HttpClient, ReadsAnAnswer) {
  const auto answer =
      answer_to("HTTP/1.1 429 Slow\r\nRetry-After: 7\r\nContent-Length: 2\r\n\r\nno");
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_EQ(answer->status, 429);
  EXPECT_EQ(answer->retry_after, 7s);
  EXPECT_EQ(answer->body, "no");
}

TEST(HttpClient, AnswersThatAreNoHttp) {
  for (const char* const bad : {"HTTP/1.1\r\n\r\n", "HTTP/1.\r\n\r\n", "HTTP/1.1 20\r\n\r\n",
                                "HTTP/1.1 abc OK\r\n\r\n", "220 mail\r\n\r\n", ""}) {
    const auto answer = answer_to(bad);
    ASSERT_FALSE(answer) << bad;
    EXPECT_EQ(answer.error().what(), "its answer is no HTTP") << bad;
  }
}

}  // namespace
}  // namespace pmjit
