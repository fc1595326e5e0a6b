// What Alertmanagers hear when alerts, routes and sinks change.
#include "rules/sinks/alert_sinks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "http_peer.h"

namespace pmjit {
namespace {

using namespace std::chrono_literals;

// In every message, from when on it has ended.
constexpr std::string_view kEndsAt = "\"endsAt\":\"";

class AlertSinksTest : public testing::Test {
 protected:
  [[nodiscard]] static std::string accept(const std::string& body) {
    (void)body;
    return HttpPeer::kAccepted;
  }
  static SinkBlock alertmanager(const std::string& name, const HttpPeer& peer) {
    return {.name = name,
            .timeout = 5s,
            .retry_min = 10ms,
            .retry_max = 100ms,
            .give_up = 1h,
            .alertmanager = {.urls = {peer.url()}, .resend = 1min}};
  }
  [[nodiscard]] StoredAlert firing(std::vector<std::string> sinks) const {
    return {.key = {.rule = "busy", .host = "web1"},
            .life = {.phase = Phase::firing, .since = began_, .at = began_},
            .labels = {{"alertname", "busy"}},
            .sinks = std::move(sinks),
            .interval_ms = 1'000};
  }
  static SinkBlock webhook(const HttpPeer& peer, std::chrono::milliseconds timeout) {
    return {.name = "hook",
            .type = SinkType::webhook,
            .timeout = timeout,
            .retry_min = 10ms,
            .retry_max = 20ms,
            .give_up = 1h,
            .webhook = {.url = peer.url()}};
  }
  [[nodiscard]] OutboxMessage message(int number) const {
    const std::string text = std::to_string(number);
    return {.sink = "hook", .dedup = text, .body = text, .created = clock_.wall()};
  }
  // Waits until the peer has heard that many times; its newest message.
  static std::string newest(const HttpPeer& peer, size_t times) {
    for (int i = 0; i < 500 && peer.bodies().size() < times; ++i) {
      std::this_thread::sleep_for(10ms);
    }
    return peer.bodies().size() < times ? "" : peer.bodies().back();
  }
  // An alert of a message: it ends in the future.
  [[nodiscard]] bool fires(std::string_view alert) const {
    const size_t at = alert.find(kEndsAt);
    return at != alert.npos && alert.substr(at + kEndsAt.size(), 24) > rfc3339(clock_.wall());
  }

  SystemClock clock_;
  WallTime began_ = std::chrono::floor<std::chrono::milliseconds>(clock_.wall()) - 1min;
  HttpPeer one_{accept}, other_{accept};
  std::atomic<int> acknowledged_ = 0, given_up_ = 0;
  AlertSinks sinks_{clock_,
                    {.settled =
                         [this](const OutboxOutcome& outcome) {
                           given_up_ += outcome.state == OutboxOutcome::State::given_up ? 1 : 0;
                         },
                     .acknowledged = [this](const AlertKey&) { ++acknowledged_; },
                     .counted = [](const std::string&, std::string_view) {},
                     .log = [](const std::string&, const std::string&) {}},
                    ""};
};

TEST_F(AlertSinksTest, AnotherRouteEndsItWhereItWas) {
  sinks_.change({alertmanager("one", one_), alertmanager("other", other_)});
  sinks_.tell({.alerts = {firing({"one"})}});
  EXPECT_TRUE(fires(newest(one_, 1)));
  sinks_.tell({.alerts = {firing({"other"})}});
  EXPECT_TRUE(fires(newest(other_, 1)));
  const std::string ended = newest(one_, 2);
  EXPECT_NE(ended, "");
  EXPECT_FALSE(fires(ended)) << ended;
}

TEST_F(AlertSinksTest, NotifyFalseEndsIt) {
  sinks_.restore({firing({"one"})}, {});
  sinks_.change({alertmanager("one", one_)});
  EXPECT_TRUE(fires(newest(one_, 1)));
  sinks_.tell({.alerts = {firing({})}});
  const std::string ended = newest(one_, 2);
  EXPECT_NE(ended, "");
  EXPECT_FALSE(fires(ended)) << ended;
}

TEST_F(AlertSinksTest, WhatIsOnlyKeptIsNotSent) {
  sinks_.change({alertmanager("one", one_)});
  sinks_.tell({.alerts = {firing({"one"})}});
  EXPECT_TRUE(fires(newest(one_, 1)));
  StoredAlert later = firing({"one"});
  later.life.held = 5s;
  sinks_.tell({.kept = {later}});
  std::this_thread::sleep_for(300ms);
  EXPECT_EQ(one_.bodies().size(), 1U);
}

// A message that is cut off is sent again. The peer is slow, so many wait.
TEST_F(AlertSinksTest, MessagesStayInOrderWhileASinkChanges) {
  constexpr int kMessages = 300;
  HttpPeer slow([](const std::string&) {
    std::this_thread::sleep_for(3ms);
    return HttpPeer::kAccepted;
  });
  sinks_.change({webhook(slow, 5s)});
  std::thread teller([&] {
    for (int i = 0; i < kMessages; ++i) {
      sinks_.tell({.messages = {message(i)}});
      std::this_thread::sleep_for(1ms);
    }
  });
  for (int i = 0; i < 20; ++i) {
    sinks_.change({webhook(slow, i % 2 == 0 ? 6s : 5s)});
    std::this_thread::sleep_for(10ms);
  }
  teller.join();
  std::vector<int> first;
  for (int i = 0; i < 500 && first.size() < kMessages; ++i) {
    std::this_thread::sleep_for(10ms);
    first.clear();
    for (const std::string& body : slow.bodies()) {
      const int number = std::atoi(body.c_str());
      if (std::ranges::find(first, number) == first.end()) first.push_back(number);
    }
  }
  sinks_.stop(clock_.now());
  EXPECT_EQ(first.size(), kMessages);
  EXPECT_TRUE(std::ranges::is_sorted(first));
}

TEST_F(AlertSinksTest, ASinkThatComesBackGetsWhatWaits) {
  sinks_.change({});
  OutboxMessage old = message(0);
  old.created -= 25h;
  sinks_.restore({}, {{.message = old}, {.message = message(1)}});
  EXPECT_EQ(given_up_, 1);
  sinks_.tell({.messages = {message(2)}});
  sinks_.change({webhook(one_, 5s)});
  EXPECT_EQ(newest(one_, 2), "2");
  EXPECT_EQ(one_.bodies().front(), "1");
}

TEST_F(AlertSinksTest, NobodyWaitsForAnAlertmanagerThatIsNoMore) {
  sinks_.change({alertmanager("one", one_)});
  StoredAlert alert = firing({"one"});
  sinks_.tell({.alerts = {alert}});
  alert.ended = clock_.wall();
  sinks_.tell({.alerts = {alert}});
  EXPECT_EQ(acknowledged_, 0);
  sinks_.change({alertmanager("one", other_)});
  EXPECT_EQ(acknowledged_, 1);
}

TEST_F(AlertSinksTest, WithoutSendResolvedItIsSentNoMore) {
  SinkBlock sink = alertmanager("one", one_);
  sinks_.change({sink});
  StoredAlert alert = firing({"one"}), other = firing({"one"});
  sinks_.tell({.alerts = {alert}});
  EXPECT_TRUE(fires(newest(one_, 1)));
  sink.send_resolved = false;  // a reload that changes nothing else
  sinks_.change({sink});
  EXPECT_TRUE(fires(newest(one_, 2)));
  alert.ended = clock_.wall();
  sinks_.tell({.alerts = {alert}});
  EXPECT_EQ(acknowledged_, 1);
  other.key.rule = "other";
  other.labels = {{"alertname", "other"}};
  sinks_.tell({.alerts = {other}});
  const std::string last = newest(one_, 3);
  EXPECT_NE(last.find("\"other\""), last.npos) << last;
  EXPECT_EQ(last.find("\"busy\""), last.npos) << last;
}

// The part of a message about the alert with that label, or about the one without it.
std::string_view part(std::string_view message, bool with_label) {
  constexpr std::string_view kLabel = R"("unknown":"true")";
  while (!message.empty()) {
    const std::string_view one = message.substr(0, message.find("},{\"labels\""));
    const std::string_view labels = one.substr(0, one.find("\"annotations\""));
    if ((labels.find(kLabel) != labels.npos) == with_label) return one;
    message.remove_prefix(std::min(message.size(), one.size() + 2));
  }
  return message;
}

TEST_F(AlertSinksTest, TheLabelUnknownComesAndGoes) {
  SinkBlock sink = alertmanager("one", one_);
  sink.alertmanager.unknown_label = true;
  sinks_.change({sink});
  StoredAlert alert = firing({"one"});
  alert.life.noted = true;
  sinks_.tell({.alerts = {alert}});
  const std::string unknown = newest(one_, 1);
  EXPECT_TRUE(fires(part(unknown, true))) << unknown;
  EXPECT_TRUE(fires(part(unknown, false))) << unknown;
  alert.life.noted = false;
  sinks_.tell({.alerts = {alert}});
  const std::string known = newest(one_, 2);
  EXPECT_NE(part(known, true), "") << known;
  EXPECT_FALSE(fires(part(known, true))) << known;
  EXPECT_TRUE(fires(part(known, false))) << known;
}

}  // namespace
}  // namespace pmjit
