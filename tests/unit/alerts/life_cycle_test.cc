// The stories of spec alerting.md §4.1, and corners of its table that no story shows.
#include "rules/alerts/life_cycle.h"

#include <gtest/gtest.h>

#include "tests/unit/alerts/ticks.h"

namespace pmjit {
namespace {

using std::chrono::seconds;

struct Story {
  std::string_view name;
  LifeParameters life;
  std::string_view ticks, events;
};

class StoryTest : public testing::TestWithParam<Story> {};

TEST_P(StoryTest, Events) {
  const Story& story = GetParam();
  EXPECT_EQ(events_text(run_ticks(story.ticks, story.life)), story.events);
}

constexpr LifeParameters for_seconds(int count) { return {.hold_for = seconds(count)}; }
constexpr LifeParameters keep_seconds(int count) { return {.keep = seconds(count)}; }
constexpr LifeParameters stale_seconds(int count) { return {.stale = seconds(count)}; }
constexpr LifeParameters kForAndStale{.hold_for = seconds(30), .stale = seconds(30)};
constexpr LifeParameters kGoneUnknown{.stale = seconds(30), .when_gone = WhenGone::is_unknown};

INSTANTIATE_TEST_SUITE_P(
    Specification, StoryTest,
    testing::Values(Story{"AtOnce", {}, "CTTCT", "10 firing · 30 resolved · 40 firing"},
                    Story{"For", for_seconds(20), "CTTTC", "10 pending · 30 firing · 40 resolved"},
                    Story{"ForAgain", for_seconds(20), "CTTCTTT",
                          "10 pending · 30 inactive · 40 pending · 60 firing"},
                    Story{"Until", {}, "TBBCT", "0 firing · 30 resolved · 40 firing"},
                    Story{"Keep", keep_seconds(20), "TCCBCCC", "0 firing · 60 resolved"},
                    Story{"ForStandsStill", for_seconds(30), "TTUUTTT", "0 pending · 60 firing"},
                    Story{"StaleWhilePending", kForAndStale, "TTUUUUTTTT",
                          "0 pending · 50 inactive · 60 pending · 90 firing"},
                    Story{"StaleWhileFiring", stale_seconds(30), "TTUUUUUC",
                          "0 firing · 50 unknown · 70 known, resolved"},
                    Story{"KeepStandsStill", keep_seconds(20), "TCUUCCC", "0 firing · 60 resolved"},
                    Story{"UntilUnknown", {}, "TVVC", "0 firing · 30 resolved"},
                    Story{"Gone", {}, "TTG", "0 firing · 20 resolved"},
                    Story{"GoneUnknown", kGoneUnknown, "TTGGGGC",
                          "0 firing · 50 unknown · 60 known, resolved"},
                    Story{"OneMissed", for_seconds(40), "TT.TT", "0 pending · 40 firing"},
                    Story{"ThreeMissed", for_seconds(30), "TT...TTT", "0 pending · 70 firing"}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Corners, StoryTest,
    testing::Values(
        Story{"NeverTrue", {}, "CUBGVC", ""},
        Story{"BetweenEndsPending", for_seconds(20), "TBTTT",
              "0 pending · 10 inactive · 20 pending · 40 firing"},
        Story{"GoneEndsPending", for_seconds(20), "TG", "0 pending · 10 inactive"},
        Story{"UnknownIsToldOnce", stale_seconds(10), "TUUUUUU", "0 firing · 20 unknown"},
        Story{"UnknownAgain", stale_seconds(10), "TUUTUU",
              "0 firing · 20 unknown · 30 known · 50 unknown"},
        Story{"KnownBetween", stale_seconds(10), "TUUBC",
              "0 firing · 20 unknown · 30 known · 40 resolved"},
        Story{"TrueResetsKeep", keep_seconds(20), "TCCTCCC", "0 firing · 60 resolved"},
        Story{"OneUnknownCountsNothing", for_seconds(20), "TUTT", "0 pending"},
        Story{"StaleZero", stale_seconds(0), "TUC", "0 firing · 10 unknown · 20 known, resolved"},
        Story{"TwoMissed", for_seconds(30), "T..T", "0 pending"},
        Story{"OneMissedKeep", keep_seconds(20), "TC.C", "0 firing · 30 resolved"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(LifeCycle, InactiveHasNoState) {
  LifeState after;
  (void)run_ticks("TTCUBG", {}, &after);
  EXPECT_EQ(after, LifeState{});
  (void)run_ticks("TTC", for_seconds(60), &after);
  EXPECT_EQ(after, LifeState{});
}

TEST(LifeCycle, KeepsTheFirstTrueTick) {
  LifeState after;
  (void)run_ticks("CTTTTUU", for_seconds(20), &after);
  EXPECT_EQ(after.phase, Phase::firing);
  EXPECT_EQ(after.since, WallTime(seconds(10)));
  EXPECT_EQ(after.held, seconds(20));
  EXPECT_EQ(after.dark, WallTime(seconds(50)));
  EXPECT_FALSE(after.noted);
}

TEST(LifeCycle, AClockSetBackCountsNothing) {
  const LifeParameters life = for_seconds(20);
  LifeState state = step({}, Says::holds, WallTime(seconds(1'000)), life).state;
  state = step(state, Says::holds, WallTime(seconds(1'010)), life).state;
  const LifeStep back = step(state, Says::holds, WallTime(seconds(500)), life);
  EXPECT_EQ(back.events.size(), 0u);
  EXPECT_EQ(back.state.held, seconds(10));
  EXPECT_EQ(back.state.since, WallTime(seconds(1'000)));
  const LifeStep on = step(back.state, Says::holds, WallTime(seconds(510)), life);
  EXPECT_EQ(on.state.phase, Phase::firing);
}

TEST(LifeCycle, AClockSetBackIsNotStale) {
  const LifeParameters life = stale_seconds(30);
  LifeState state = step({}, Says::holds, WallTime(seconds(1'000)), life).state;
  state = step(state, Says::unknown, WallTime(seconds(1'010)), life).state;
  EXPECT_EQ(step(state, Says::unknown, WallTime(seconds(10)), life).events.size(), 0u);
}

}  // namespace
}  // namespace pmjit
