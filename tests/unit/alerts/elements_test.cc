// Elements of a rule: levels, instances that come, move and go, and what an idle one costs.
#include "rules/alerts/elements.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "runtime/base/bits.h"
#include "runtime/model/pm_codes.h"
#include "runtime/model/results.h"
#include "tests/unit/alerts/ticks.h"
#include "tests/unit/turns.h"

namespace pmjit {
namespace {

using std::chrono::seconds;

// A tick as letters: for each level one text, a letter a lane.
class TickOf {
 public:
  TickOf(std::vector<uint32_t> ids, const std::vector<std::string>& levels) {
    for (const uint32_t id : ids) lanes_.push_back(ElementId{{id}});
    for (const std::string& level : levels) maps_.push_back(maps_of(level));
    for (const Maps& maps : maps_) truths_.push_back({maps.holds, maps.unknown, maps.clear});
  }

  [[nodiscard]] ElementTick at(seconds when) const {
    return {
        .at = WallTime(when), .lanes = lanes_, .levels = truths_, .reason = {ReasonKind::no_value}};
  }

 private:
  struct Maps {
    std::vector<uint64_t> holds, unknown, clear;
  };
  static Maps maps_of(const std::string& letters) {
    const size_t words = bits::words_for(letters.size());
    Maps out{std::vector<uint64_t>(words), std::vector<uint64_t>(words),
             std::vector<uint64_t>(words)};
    for (size_t lane = 0; lane < letters.size(); ++lane) {
      const Says says = says_of(letters[lane]);
      if (says == Says::holds) bits::set(out.holds.data(), lane);
      if (says == Says::unknown) bits::set(out.unknown.data(), lane);
      if (says == Says::clear) bits::set(out.clear.data(), lane);
    }
    return out;
  }

  std::vector<ElementId> lanes_;
  std::vector<Maps> maps_;
  std::vector<LevelTruths> truths_;
};

// "7 level 1<-0 since 10": element, what happened, levels, when it had begun.
std::string text_of(const std::vector<AlertEvent>& events) {
  std::string out;
  for (const AlertEvent& event : events) {
    if (!out.empty()) out += ", ";
    out += fmt::format("{} {} {}", event.element.index, alert_event_text(event.kind), event.level);
    if (event.from) out += fmt::format("<-{}", *event.from);
    out += fmt::format(" since {}", unix_seconds(event.since));
    const std::string reason = alert_reason_text(event.reason);
    if (!reason.empty()) out += fmt::format(" ({})", reason);
  }
  return out;
}

AlertRule two_levels() {
  using enum AlertSeverity;
  return {.levels = {{critical, seconds(10)}, {warning, seconds(0)}},
          .life = {.stale = seconds(20), .interval = kTickInterval}};
}

TEST(AlertElements, TheMostSevereLevelIsShown) {
  AlertElements elements(two_levels());
  const auto tick = [&](int at, const char* critical, const char* warning) {
    return text_of(elements.step(TickOf({7}, {critical, warning}).at(seconds(at))));
  };
  EXPECT_EQ(tick(0, "C", "C"), "");
  EXPECT_EQ(tick(10, "C", "T"), "7 firing 1 since 10");
  EXPECT_EQ(tick(20, "T", "T"), "7 pending 0 since 20");
  EXPECT_EQ(tick(30, "T", "T"), "7 level 0<-1 since 20");
  EXPECT_EQ(tick(40, "C", "T"), "7 level 1<-0 since 10");
  EXPECT_EQ(tick(50, "C", "C"), "7 resolved 1 since 10");
  EXPECT_TRUE(elements.states().empty());
}

TEST(AlertElements, AChangeOfLevelSaysWhatItWas) {
  AlertElements elements(two_levels());
  (void)elements.step(TickOf({7}, {"T", "T"}).at(seconds(0)));
  const auto events = elements.step(TickOf({7}, {"T", "T"}).at(seconds(10)));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, AlertEventKind::level);
  EXPECT_EQ(events[0].from, 1u);
  EXPECT_EQ(events[0].from_since, WallTime(seconds(0)));
  EXPECT_EQ(events[0].at, WallTime(seconds(10)));
}

TEST(AlertElements, UnknownIsOfTheLevelThatIsShown) {
  AlertElements elements(two_levels());
  const auto tick = [&](int at, const char* critical, const char* warning) {
    return text_of(elements.step(TickOf({7}, {critical, warning}).at(seconds(at))));
  };
  EXPECT_EQ(tick(0, "C", "T"), "7 firing 1 since 0");
  EXPECT_EQ(tick(10, "C", "U"), "");
  EXPECT_EQ(elements.states().begin()->second.reason, AlertReason{ReasonKind::no_value});
  EXPECT_EQ(tick(20, "T", "U"), "7 pending 0 since 20");
  EXPECT_EQ(tick(30, "T", "U"), "7 level 0<-1 since 20");
  EXPECT_EQ(tick(40, "C", "U"), "7 level 1<-0 since 0, 7 unknown 1 since 0 (no value)");
  EXPECT_EQ(tick(50, "T", "U"), "7 pending 0 since 50");
  EXPECT_EQ(tick(60, "T", "U"), "7 known 1 since 0, 7 level 0<-1 since 50");
  EXPECT_EQ(tick(70, "C", "C"), "7 resolved 0 since 50");
}

AlertRule one_level(seconds hold_for = seconds(0)) {
  return {.levels = {{AlertSeverity::warning, hold_for}},
          .life = {.stale = seconds(20), .interval = kTickInterval}};
}

TEST(AlertElements, EachInstanceIsAnAlert) {
  AlertElements elements(one_level());
  const auto tick = [&](int at, std::vector<uint32_t> ids, const std::string& letters) {
    return text_of(elements.step(TickOf(std::move(ids), {letters}).at(seconds(at))));
  };
  EXPECT_EQ(tick(0, {3, 5, 9}, "CTT"), "5 firing 0 since 0, 9 firing 0 since 0");
  // They move to other lanes, and one of them goes.
  EXPECT_EQ(tick(10, {9, 3}, "TC"), "5 resolved 0 since 0 (gone)");
  EXPECT_EQ(tick(20, {4, 3, 9}, "TUC"), "4 firing 0 since 20, 9 resolved 0 since 0");
  EXPECT_EQ(elements.states().size(), 1u);
}

TEST(AlertElements, ABindingThatIsUnknownResolvesNothing) {
  AlertElements elements(one_level(seconds(10)));
  (void)elements.step(TickOf({1, 2}, {"TC"}).at(seconds(0)));
  (void)elements.step(TickOf({1, 2}, {"TT"}).at(seconds(10)));
  const AlertReason down{ReasonKind::host_down};
  EXPECT_EQ(text_of(elements.step_unknown(WallTime(seconds(20)), down)), "");
  EXPECT_EQ(text_of(elements.step_unknown(WallTime(seconds(40)), down)),
            "1 unknown 0 since 0 (host down), 2 inactive 0 since 10");
  EXPECT_EQ(text_of(elements.step(TickOf({1}, {"T"}).at(seconds(50)))), "1 known 0 since 0");
}

TEST(AlertElements, RemovedResolves) {
  AlertElements elements(one_level(seconds(10)));
  (void)elements.step(TickOf({1, 2}, {"TC"}).at(seconds(0)));
  (void)elements.step(TickOf({1, 2}, {"TT"}).at(seconds(10)));
  EXPECT_EQ(text_of(elements.remove(WallTime(seconds(20)), {ReasonKind::removed})),
            "1 resolved 0 since 0 (removed), 2 inactive 0 since 10");
  EXPECT_TRUE(elements.states().empty());
}

TEST(AlertElements, RestoredGoesOn) {
  AlertElements first(two_levels()), second(two_levels());
  (void)first.step(TickOf({7}, {"T", "T"}).at(seconds(0)));
  for (const auto& [id, element] : first.states()) second.restore(id, element.levels);
  EXPECT_EQ(text_of(second.step(TickOf({7}, {"T", "T"}).at(seconds(10)))),
            text_of(first.step(TickOf({7}, {"T", "T"}).at(seconds(10)))));
  second.restore(ElementId{{8}}, std::vector<LifeState>(2));
  EXPECT_EQ(second.states().size(), 1u);
}

// A million healthy instances have no state.
TEST(AlertElements, IdleOnesHaveNoState) {
  constexpr size_t kLanes = 1'000'000;
  std::vector<ElementId> lanes;
  for (uint32_t id = 0; id < kLanes; ++id) lanes.push_back(ElementId{{id}});
  const std::vector<uint64_t> none(bits::words_for(kLanes));
  std::vector<uint64_t> all(bits::words_for(kLanes));
  bits::fill(all.data(), kLanes, true);
  const std::vector<LevelTruths> truths{{none, none, all}};
  AlertElements elements(one_level());
  for (int at = 0; at < 100; ++at) {
    EXPECT_TRUE(
        elements.step({.at = WallTime(seconds(at)), .lanes = lanes, .levels = truths}).empty());
  }
  EXPECT_TRUE(elements.states().empty());
}

// Elements among others are what each is alone.
TEST(AlertElements, AreStepsOfTheLifeCycle) {
  std::mt19937_64 random(6);
  constexpr std::string_view kLetters = "TTTCCBU";
  for (uint32_t i = 0; i < test::turns(2'000); ++i) {
    const size_t lanes = 1 + random() % 100;
    const AlertRule rule = one_level(seconds(random() % 3 * 10));
    LifeParameters life = rule.life;
    life.hold_for = rule.levels[0].hold_for;
    AlertElements elements(rule);
    std::vector<LifeState> alone(lanes);
    std::vector<uint32_t> ids(lanes);
    for (uint32_t lane = 0; lane < lanes; ++lane) ids[lane] = lane;
    for (int at = 0; at < 100; at += 10) {
      std::string letters;
      for (size_t lane = 0; lane < lanes; ++lane) letters += kLetters[random() % kLetters.size()];
      (void)elements.step(TickOf(ids, {letters}).at(seconds(at)));
      size_t active = 0;
      for (uint32_t lane = 0; lane < lanes; ++lane) {
        alone[lane] = step(alone[lane], says_of(letters[lane]), WallTime(seconds(at)), life).state;
        if (alone[lane].phase == Phase::inactive) continue;
        ++active;
        ASSERT_EQ(elements.states().at(ElementId{{lane}}).levels[0], alone[lane]);
      }
      ASSERT_EQ(elements.states().size(), active);
    }
  }
}

TEST(UnknownWatch, TellsOnceAfterStale) {
  UnknownWatch watch;
  const AlertReason down{ReasonKind::host_down};
  const auto step = [&](AlertReason why, int at) {
    return watch.step(why, WallTime(seconds(at)), seconds(20));
  };
  EXPECT_EQ(step(down, 0), std::nullopt);
  EXPECT_EQ(step({}, 10), std::nullopt);
  EXPECT_EQ(step(down, 20), std::nullopt);
  EXPECT_EQ(step(down, 40), AlertEventKind::unknown);
  EXPECT_EQ(step({ReasonKind::late}, 50), std::nullopt);
  EXPECT_EQ(watch.reason, AlertReason{ReasonKind::late});
  EXPECT_EQ(step({}, 60), AlertEventKind::known);
  EXPECT_EQ(step({}, 70), std::nullopt);
}

TEST(AlertEvents, WhatSinksHear) {
  EXPECT_FALSE(is_told(AlertEventKind::pending));
  EXPECT_FALSE(is_told(AlertEventKind::inactive));
  for (const auto kind : {AlertEventKind::firing, AlertEventKind::level, AlertEventKind::unknown,
                          AlertEventKind::known, AlertEventKind::resolved}) {
    EXPECT_TRUE(is_told(kind)) << alert_event_text(kind);
  }
}

TEST(AlertReason, ReadsBack) {
  for (int kind = 0; kind <= static_cast<int>(ReasonKind::removed); ++kind) {
    const AlertReason reason{static_cast<ReasonKind>(kind),
                             kind == static_cast<int>(ReasonKind::pm_error) ? -13 : 0};
    EXPECT_EQ(read_alert_reason(alert_reason_text(reason)), reason) << alert_reason_text(reason);
  }
  const AlertReason refused{ReasonKind::pm_error, pm_err::E_PERMISSION};
  EXPECT_EQ(alert_reason_text(refused), "error PM_ERR_PERMISSION");
  EXPECT_EQ(read_alert_reason("error PM_ERR_PERMISSION"), refused);
  EXPECT_EQ(read_alert_reason("error PM_ERR_NOBODY"), std::nullopt);
  EXPECT_EQ(read_alert_reason("error"), std::nullopt);
  EXPECT_EQ(read_alert_reason("host gone"), std::nullopt);
}

TEST(AlertReason, OfTheRuntime) {
  EXPECT_EQ(alert_reason_text(alert_reason(kHostDown)), "host down");
  EXPECT_EQ(alert_reason_text(alert_reason(kReset)), "counter reset");
  EXPECT_EQ(alert_reason_text(alert_reason(kNobody)), "no value");
  EXPECT_EQ(alert_reason_text(alert_reason(pm_err::E_NAME)), "no metric");
  EXPECT_EQ(alert_reason_text(alert_reason(pm_err::E_AGAIN)), "error PM_ERR_AGAIN");
  EXPECT_EQ(alert_reason(kKnown), AlertReason{});
}

}  // namespace
}  // namespace pmjit
