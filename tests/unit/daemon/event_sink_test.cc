// The queue of a sink that is told events.
#include "rules/sinks/event_sink.h"

#include <gtest/gtest.h>

#include "http_peer.h"

namespace pmjit {
namespace {

using namespace std::chrono_literals;

// A webhook, and what has become of its messages.
class EventSinkTest : public testing::Test {
 protected:
  [[nodiscard]] SinkBlock webhook() const {
    return {.name = "hook",
            .type = SinkType::webhook,
            .timeout = 5s,
            .retry_min = 10ms,
            .retry_max = 100ms,
            .give_up = 1h,
            .webhook = {.url = peer_.url()}};
  }
  [[nodiscard]] OutboxMessage message(const std::string& dedup) const {
    return {.sink = "hook", .dedup = dedup, .body = dedup, .created = clock_.wall()};
  }
  SinkHooks hooks() {
    return {.settled =
                [this](const OutboxOutcome& outcome) {
                  const std::scoped_lock lock(mutex_);
                  settled_ += outcome.dedup;
                  settled_ += outcome.state == OutboxOutcome::State::sent       ? " sent "
                              : outcome.state == OutboxOutcome::State::given_up ? " given_up "
                                                                                : " waits ";
                },
            .acknowledged = [](const AlertKey&) {},
            .counted = [](const std::string&, std::string_view) {},
            .log = [](const std::string&, const std::string&) {}};
  }
  std::string settled() {
    const std::scoped_lock lock(mutex_);
    return settled_;
  }
  void wait_for(const std::string& end) {
    for (int i = 0; i < 500 && !settled().ends_with(end); ++i) std::this_thread::sleep_for(10ms);
  }

  SystemClock clock_;
  HttpPeer peer_{[](const std::string&) { return HttpPeer::kAccepted; }};
  std::mutex mutex_;
  std::string settled_;
};

TEST_F(EventSinkTest, WhatIsTooOldIsNotTried) {
  EventSink sink(webhook(), clock_, hooks());
  sink.start({});
  OutboxMessage old = message("old");
  old.created -= 2h;
  sink.post(old, 0);
  sink.post(message("new"), 0);
  wait_for("new sent ");
  EXPECT_EQ(settled(), "old given_up new sent ");
  EXPECT_EQ(peer_.bodies(), std::vector<std::string>{"new"});
}

}  // namespace
}  // namespace pmjit
