// Strict rules over rows that arrive: they wait where a row has not come, and end with the rows,
// for nobody knows the end beforehand. What they do is what they do over the recording.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>

#include "rules/strict/strict_replay.h"
#include "runtime/base/clock.h"
#include "runtime/testing/case_recording.h"
#include "tests/lib/memory_source.h"
#include "tests/unit/feeds/row_feed.h"

namespace pmjit::tests {
namespace {

constexpr Nanos kOneSecond = 1'000'000'000;
constexpr std::string_view kQueueMetrics = "disk.queue  u32 instant count  indom=disk[sda sdb]\n";
constexpr std::string_view kQueueSamples =
    "disk.queue[sda]  1 2 9 9 3 8\n"
    "disk.queue[sdb]  1 8 - 1 1 1\n";

// Rows of a case, each when the clock says that it is its time.
class ArrivingRows final : public Feeds {
 public:
  ArrivingRows(const Recording& rows, const Clock& clock) : rows_(rows), clock_(clock) {}

  const Catalog& catalog() const override { return rows_.catalog(); }
  std::string host() const override { return "web1"; }
  Result<std::unique_ptr<Feed>> open(std::vector<WantedMetric> metrics, const FeedTimes& times,
                                     Rosters& rosters) const override {
    EXPECT_EQ(times.step, 10 * kOneSecond);
    EXPECT_EQ(times.end, kStampMax);
    return row_feed(rows_, std::move(metrics), rosters, &clock_);
  }

 private:
  const Recording& rows_;
  const Clock& clock_;
};

class Lines final : public EventWriter {
 public:
  void begin(const ReplaySchema&) override {}
  void put(const RuleTransition& event) override {
    text += fmt::format("{}s: {}\n", since(event.transition.when),
                        rule_truth_text(event.transition.to));
  }
  void put(const RuleAction& event) override {
    text += fmt::format("{}s: {} {}\n", since(event.when), event.verb, event.text);
  }
  void end(double when, std::span<const RuleState>) override {
    text += fmt::format("end {}s\n", since(when));
  }

  std::string text;

 private:
  static int64_t since(double when) { return static_cast<int64_t>(when) - cases::kEpoch.sec; }
};

TEST(StrictRules, WaitForRowsAndEndWithThem) {
  const cases::Section metrics{
      .title = "metrics", .arguments = {}, .body = std::string(kQueueMetrics)};
  const cases::Section samples{
      .title = "samples", .arguments = "every 10s", .body = std::string(kQueueSamples)};
  const cases::CaseRecording recording = cases::read_recordings(&metrics, &samples)->front();
  const cases::MemorySource source(recording);
  FakeClock clock(
      {.now = {}, .wall = WallTime(std::chrono::seconds(cases::kEpoch.sec - 5)), .boot = {}});
  const ArrivingRows feeds(source, clock);
  strict::RuleSet set;
  ASSERT_TRUE(strict::add_rules(set,
                                {.name = "<test>",
                                 .text = "// pmjit: dialect=strict\n"
                                         "busy = some_inst disk.queue > 5 -> print \"%i %v\";\n"},
                                {.delta = 10}));
  ASSERT_EQ(set.errors, "");
  strict::TaskOptions options{.origin = cases::kEpoch};
  options.compile.evaluator = EvaluatorChoice::interpreter;
  const auto replay = strict::StrictReplay::open(set, feeds, options, {"web1"});
  ASSERT_TRUE(replay) << replay.error().text();
  Lines lines;
  (*replay)->begin(lines);
  size_t waits = 0;
  while (true) {
    const auto progress = (*replay)->advance();
    ASSERT_TRUE(progress) << progress.error().text();
    if (*progress == strict::StrictReplay::Progress::ended) break;
    if (*progress == strict::StrictReplay::Progress::goes_on) continue;
    ++waits;
    EXPECT_EQ(nanos((*replay)->wakes()) % (10 * kOneSecond), 0);
    clock.advance(std::chrono::seconds(5));
  }
  (*replay)->end();
  EXPECT_EQ(waits, 11u);
  EXPECT_EQ(lines.text,
            "0s: false\n"
            "10s: true\n10s: print sdb 8\n"
            "20s: print sda 9\n"
            "30s: print sda 9\n"
            "40s: false\n"
            "50s: true\n50s: print sda 8\n"
            "end 50s\n");
}

}  // namespace
}  // namespace pmjit::tests
