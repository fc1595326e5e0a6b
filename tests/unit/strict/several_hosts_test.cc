// Strict rules over several hosts: where each runs, in which order events come, and what is said of
// hosts that lack a metric.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>

#include "rules/strict/archive_feeds.h"
#include "rules/strict/strict_replay.h"
#include "runtime/base/result.h"
#include "runtime/testing/case_recording.h"
#include "tests/unit/strict/event_text.h"

namespace pmjit::strict {
namespace {

// Two hosts: `only` is the first one's.
class SeveralHosts : public testing::Test {
 protected:
  SeveralHosts() {
    const cases::Section metrics{.title = "metrics",
                                 .body =
                                     "load f64 instant none\n"
                                     "disk u32 instant none indom=disk[sda sdb]\n"
                                     "only u32 instant none\n"};
    const cases::Section samples{.title = "samples",
                                 .arguments = "every 10s",
                                 .body =
                                     "web1 load 1 2 3\n"
                                     "web1 only 1 2 3\n"
                                     "web1 disk[sda] 5 6 7\n"
                                     "web2 load 3 2 1\n"
                                     "web2 disk[sdb] 5 6 7\n"};
    auto recordings = cases::read_recordings(&metrics, &samples);
    check(recordings.has_value(), "the samples are right");
    recordings->back().metrics.pop_back();
    for (const cases::CaseRecording& recording : *recordings) {
      std::vector<std::unique_ptr<Archive>> one;
      one.push_back(*cases::archive_of(recording, Version::v3));
      sources_.emplace_back(*Archives::of(std::move(one)));
    }
  }

  [[nodiscard]] std::unique_ptr<Feeds> both() const {
    return feeds_of({&sources_.front(), &sources_.back()});
  }

  static RuleSet rules(const std::string& text) {
    RuleSet out;
    check(add_rules(out, {.name = "rules", .text = text}, {}).has_value(), "no setting");
    EXPECT_EQ(out.errors, "");
    return out;
  }

  static TaskOptions options() {
    return {.origin = cases::kEpoch, .end = {cases::kEpoch.sec + 20, 0}};
  }

  std::deque<ArchivesSource> sources_;
};

TEST_F(SeveralHosts, HaveEventsByTimeThenRuleThenHost) {
  const RuleSet set = rules(
      "a = load > 2 -> print \"%h %c\";\n"
      "b = some_host (load > 2) -> print \"%h\";\n"
      "c = load :'web2' > 2 -> print \"%h\";\n");
  const auto feeds = both();
  const auto replay = StrictReplay::open(set, *feeds, options(), {"one", "two"});
  ASSERT_TRUE(replay) << replay.error().text();
  EventText events(cases::kEpoch.sec);
  ASSERT_TRUE((*replay)->run(events, [] { return false; }));
  EXPECT_EQ(events.text(),
            "0 web1:a false\n0 web2:a true web2[]\n0 web2:a print: web2 two\n"
            "0 b true web2[]\n0 b print: web2\n0 web2:c true web2[]\n0 web2:c print: web2\n"
            "10 web2:a false\n10 b false\n10 web2:c false\n"
            "20 web1:a true web1[]\n20 web1:a print: web1 one\n20 b true web1[]\n"
            "20 b print: web1\n");
  EXPECT_EQ(events.states(), 4U);
  EXPECT_TRUE((*replay)->notes().empty());
}

TEST_F(SeveralHosts, RunNoRuleThatTheyHaveNoMetricOf) {
  const RuleSet set = rules(
      "a = only > 2 -> print \"%h\";\n"
      "b = sum_host only > 2 -> print \"%v\";\n"
      "c = only > load :'web2' -> print \"%h\";\n");
  const auto feeds = both();
  const auto replay = StrictReplay::open(set, *feeds, options(), {});
  ASSERT_TRUE(replay) << replay.error().text();
  EXPECT_EQ((*replay)->notes(),
            (std::vector<std::string>{"a does not run on web2: a metric is missing",
                                      "c does not run on web2: a metric is missing"}));
  EventText events(cases::kEpoch.sec);
  ASSERT_TRUE((*replay)->run(events, [] { return false; }));
  EXPECT_EQ(events.text(),
            "0 web1:a false\n0 b false\n0 web1:c false\n"
            "20 web1:a true web1[]\n20 web1:a print: web1\n20 b true ?[]\n20 b print: 3\n"
            "20 web1:c true web1[]\n20 web1:c print: web1\n");
}

TEST_F(SeveralHosts, MeetByTheNamesOfInstances) {
  const RuleSet set = rules("a = some_inst sum_host disk > 6 -> print \"%i %v;\";\n");
  const auto feeds = both();
  const auto replay = StrictReplay::open(set, *feeds, options(), {});
  ASSERT_TRUE(replay) << replay.error().text();
  EventText events(cases::kEpoch.sec);
  ASSERT_TRUE((*replay)->run(events, [] { return false; }));
  EXPECT_EQ(events.text(), "0 a false\n20 a true ?[sda] ?[sdb]\n20 a print: sda 7;sdb 7;\n");
}

TEST_F(SeveralHosts, EachHaveTheDerivedMetricsOfFiles) {
  const RuleSet set = rules(
      "a = my.twice > 5 -> print \"%h\";\n"
      "b = sum_host my.twice > 7 -> print \"%v\";\n");
  const auto feeds = both();
  TaskOptions how = options();
  how.definition_files = {{.name = "twice.conf", .text = "my.twice = 2 * load\n"}};
  const auto replay = StrictReplay::open(set, *feeds, how, {});
  ASSERT_TRUE(replay) << replay.error().text();
  EventText events(cases::kEpoch.sec);
  ASSERT_TRUE((*replay)->run(events, [] { return false; }));
  EXPECT_EQ(events.text(),
            "0 web1:a false\n0 web2:a true web2[]\n0 web2:a print: web2\n0 b true ?[]\n"
            "0 b print: 8\n10 web2:a false\n10 b print: 8\n"
            "20 web1:a true web1[]\n20 web1:a print: web1\n20 b print: 8\n");
}

TEST_F(SeveralHosts, RefuseAHostThatThereIsNot) {
  const RuleSet set = rules("a = sum_host load :'web2' :'web3' > 1 -> print \"x\";\n");
  const auto feeds = both();
  const auto replay = StrictReplay::open(set, *feeds, options(), {});
  ASSERT_FALSE(replay);
  EXPECT_NE(replay.error().text().find("error[R04]: no host web3 is read"), std::string::npos);
}

}  // namespace
}  // namespace pmjit::strict
