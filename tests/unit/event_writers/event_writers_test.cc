// Writers of events learn the end of a run when it comes.
#include <gtest/gtest.h>

#include "rules/event_writers/alerts.h"
#include "rules/event_writers/event_formats.h"

namespace pmjit::test {
namespace {

// A rule that is false from 0 s, true from 10 s, and still true at the end.
void tell(EventWriter& writer, double end) {
  writer.begin({.rules = {"busy"}, .start = 0});
  RuleState state;
  for (const auto& [when, truth] : {std::pair{0.0, RuleTruth::no}, {10.0, RuleTruth::yes}}) {
    const RuleStep next = step(state, truth, when);
    state = next.state;
    ASSERT_TRUE(next.transition.has_value());
    writer.put(RuleTransition{.rule = 0, .transition = *next.transition});
  }
  writer.end(end, std::span(&state, 1));
}

std::string blocks(double end) {
  std::string out;
  Sink sink(out);
  const auto writer = make_event_timeline(sink, Zone("UTC"));
  tell(*writer, end);
  EXPECT_TRUE(sink.flush());
  const size_t line = out.find("busy");
  return out.substr(line, out.find('\n', line) - line);
}

size_t count_of(const std::string& text, const std::string& part) {
  size_t out = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++out;
  return out;
}

TEST(EventWriters, ATimelineIsScaledByTheEndThatCame) {
  for (const double end : {20.0, 40.0}) {
    const std::string line = blocks(end);
    const auto yes = static_cast<double>(count_of(line, "█"));
    const auto all = yes + static_cast<double>(count_of(line, "·"));
    EXPECT_NEAR(yes / all, (end - 10) / end, 0.06) << line;
  }
  EXPECT_NE(blocks(20).find("10s in 1"), std::string::npos);
  EXPECT_NE(blocks(40).find("30s in 1"), std::string::npos);
}

TEST(EventWriters, AnAlertGoesOnUntilTheEndThatCame) {
  AlertCollector alerts;
  tell(alerts, 25);
  ASSERT_EQ(alerts.alerts().size(), 1u);
  EXPECT_EQ(alerts.alerts().front().from, 10);
  EXPECT_EQ(alerts.alerts().front().to, 25);
  EXPECT_TRUE(alerts.alerts().front().goes_on);
}

TEST(Durations, AreAsPreciseAsTheirTimes) {
  EXPECT_EQ(duration_text(0), "0s");
  EXPECT_EQ(duration_text(0.1), "0.1s");
  EXPECT_EQ(duration_text(1.4), "1.4s");
  EXPECT_EQ(duration_text(1'700'000'001.3 - 1'700'000'000.0), "1.3s");
  EXPECT_EQ(duration_text(59.9996), "1m");
  EXPECT_EQ(duration_text(63.25), "1m3.25s");
  EXPECT_EQ(duration_text(10), "10s");
  EXPECT_EQ(duration_text(150), "2m30s");
  EXPECT_EQ(duration_text(3600), "1h");
  EXPECT_EQ(duration_text(3 * 86400 + 2 * 3600 + 60.5), "3d2h");
}

}  // namespace
}  // namespace pmjit::test
