// What sinks get, and how it is sent again.
#include "rules/sinks/alert_json.h"

#include <gtest/gtest.h>

#include "rules/sinks/delivery.h"
#include "rules/sinks/event_sink.h"

namespace pmjit {
namespace {

using namespace std::chrono_literals;

TEST(AlertJson, OfAlertmanager) {
  const ToldAlert told{.labels = {{"alertname", "a"}}, .since = WallTime(1500ms)};
  EXPECT_EQ(alertmanager_json(told, WallTime(2s)),
            R"({"labels":{"alertname":"a"},"annotations":{},"startsAt":"1970-01-01T00:00:01.500Z",)"
            R"("endsAt":"1970-01-01T00:00:02.000Z"})");
}

TEST(AlertJson, TextsAreClean) {
  EXPECT_EQ(clean_text("a\x01\tb\xff"), "a\xef\xbf\xbd\tb\xef\xbf\xbd");
  EXPECT_EQ(clean_text("\xe2\x80\xae"), "\xef\xbf\xbd");  // U+202E turns the direction
  EXPECT_EQ(labels_json({{"a", "\"\n"}}), R"({"a":"\"\n"})");
}

TEST(HttpClient, Urls) {
  const auto url = read_http_url("http://[::1]:90/x?y=1#z");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->host, "::1");
  EXPECT_EQ(url->port, 90);
  EXPECT_EQ(url->path, "/x?y=1");
  EXPECT_EQ(url->authority(), "[::1]:90");
  EXPECT_EQ(read_http_url("http://web1")->path, "/");
  EXPECT_FALSE(read_http_url("https://web1"));
  EXPECT_FALSE(read_http_url("http://web1:0"));
  EXPECT_FALSE(read_http_url("http://:80"));
}

TEST(HttpClient, BasicAuthorization) {
  EXPECT_EQ(basic_authorization("Aladdin", "open sesame"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
}

TEST(Delivery, WhatAnAnswerMeans) {
  using enum Delivery::Outcome;
  EXPECT_EQ(delivery_of(HttpAnswer{.status = 202}).outcome, accepted);
  EXPECT_EQ(delivery_of(HttpAnswer{.status = 429}).outcome, again);
  EXPECT_EQ(delivery_of(HttpAnswer{.status = 503}).outcome, again);
  EXPECT_EQ(delivery_of(HttpAnswer{.status = 404}).outcome, refused);
  EXPECT_EQ(delivery_of(HttpAnswer{.status = 301}).outcome, refused);
  EXPECT_EQ(delivery_of(fail(Fault::io, "no connection")).outcome, again);
}

TEST(RetryDelay, GrowsUpToItsLimit) {
  const SinkBlock sink{.retry_min = 100ms, .retry_max = 1s};
  RetryDelay delay(sink, 1);
  for (int i = 0; i < 100; ++i) {
    const auto next = delay.next();
    EXPECT_GE(next, 10ms);
    EXPECT_LE(next, 1s);
  }
  delay.succeeded();
  EXPECT_LE(delay.next(), 100ms);
}

}  // namespace
}  // namespace pmjit
