// Laws of the life cycle over random ticks (spec alerting.md §13): 150,000 cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "tests/unit/alerts/ticks.h"
#include "tests/unit/turns.h"

namespace pmjit {
namespace {

using std::chrono::seconds;

constexpr uint32_t kCases = test::turns(150'000);
constexpr seconds kNever = seconds::max();

struct RandomCase {
  std::string ticks;
  LifeParameters life;
};

class Cases {
 public:
  explicit Cases(uint64_t seed) : random_(seed) {}

  RandomCase next() {
    RandomCase out{
        .life = {.hold_for = seconds(below(6) * 10),
                 .keep = seconds(below(6) * 10),
                 .stale = seconds(below(6) * 10),
                 .interval = kTickInterval,
                 .when_gone = below(2) == 0 ? WhenGone::resolves : WhenGone::is_unknown}};
    constexpr std::string_view kLetters = "TTTTTTTTCCCCCBBUUUVG..";
    const size_t length = 5 + below(45);
    // Ticks mostly say what the one before said.
    char letter = 'T';
    for (size_t i = 0; i < length; ++i) {
      if (below(3) == 0) letter = kLetters[below(kLetters.size())];
      out.ticks += letter;
    }
    return out;
  }

  size_t below(size_t limit) { return random_() % limit; }

  // One of the letters from `from` on becomes U. False: there is none of them.
  bool darken(std::string& ticks, char letter, size_t from = 0) {
    const auto begin = ticks.begin() + static_cast<std::ptrdiff_t>(std::min(from, ticks.size()));
    const auto count = static_cast<size_t>(std::count(begin, ticks.end(), letter));
    if (count == 0) return false;
    size_t skip = below(count);
    const auto chosen =
        std::find_if(begin, ticks.end(), [&](char tick) { return tick == letter && skip-- == 0; });
    *chosen = 'U';
    return true;
  }

 private:
  std::mt19937_64 random_;
};

seconds first(LifeEvent event, const std::vector<TimedEvent>& events) {
  const auto found = std::ranges::find(events, event, &TimedEvent::event);
  return found == events.end() ? kNever : found->at;
}

seconds first(LifeEvent event, const RandomCase& one) {
  return first(event, run_ticks(one.ticks, one.life));
}

std::string text_of(const RandomCase& one) {
  return one.ticks + ": " + events_text(run_ticks(one.ticks, one.life));
}

char letter_at(const RandomCase& one, seconds at) {
  return one.ticks[static_cast<size_t>(at / kTickInterval)];
}

TEST(LifeLaws, FiringAndResolvedAlternate) {
  Cases cases(1);
  size_t fired = 0, resolved = 0;
  for (uint32_t i = 0; i < kCases; ++i) {
    const RandomCase one = cases.next();
    bool fires = false, is_unknown = false;
    for (const TimedEvent& event : run_ticks(one.ticks, one.life)) {
      const char letter = letter_at(one, event.at);
      if (event.event == LifeEvent::firing) {
        ASSERT_TRUE(letter == 'T' && !fires) << text_of(one);
        fires = true;
        ++fired;
      } else if (event.event == LifeEvent::resolved) {
        const bool clears =
            letter == 'C' || (letter == 'G' && one.life.when_gone == WhenGone::resolves);
        ASSERT_TRUE(clears && fires && !is_unknown) << text_of(one);
        fires = false;
        ++resolved;
      } else if (event.event == LifeEvent::unknown || event.event == LifeEvent::known) {
        ASSERT_TRUE(fires) << text_of(one);
        ASSERT_NE(is_unknown, event.event == LifeEvent::unknown) << text_of(one);
        is_unknown = event.event == LifeEvent::unknown;
      } else {
        ASSERT_FALSE(fires) << text_of(one);
      }
    }
  }
  EXPECT_GT(fired, test::turns(100'000));
  EXPECT_GT(resolved, test::turns(50'000));
}

// What is known of less never tells earlier.
TEST(LifeLaws, AnUnknownTickNeverMakesItFireEarlier) {
  Cases cases(2);
  size_t later = 0;
  for (uint32_t i = 0; i < kCases; ++i) {
    RandomCase one = cases.next();
    const seconds before = first(LifeEvent::firing, one);
    if (!cases.darken(one.ticks, 'T')) continue;
    const seconds after = first(LifeEvent::firing, one);
    ASSERT_GE(after, before) << text_of(one);
    later += after > before ? 1 : 0;
  }
  EXPECT_GT(later, test::turns(1'000));
}

// A clear tick of the episode: before it fires, one that becomes unknown lets it stay pending, so
// that another episode may come of it.
TEST(LifeLaws, AnUnknownTickNeverMakesItResolveEarlier) {
  Cases cases(3);
  size_t later = 0;
  for (uint32_t i = 0; i < kCases; ++i) {
    RandomCase one = cases.next();
    const seconds fires = first(LifeEvent::firing, one);
    const seconds before = first(LifeEvent::resolved, one);
    if (fires == kNever) continue;
    if (!cases.darken(one.ticks, 'C', static_cast<size_t>(fires / kTickInterval))) continue;
    const seconds after = first(LifeEvent::resolved, one);
    ASSERT_GE(after, before) << text_of(one);
    later += after > before ? 1 : 0;
  }
  EXPECT_GT(later, test::turns(1'000));
}

TEST(LifeLaws, ALongerForNeverFiresEarlier) {
  Cases cases(4);
  for (uint32_t i = 0; i < kCases; ++i) {
    RandomCase one = cases.next();
    const seconds before = first(LifeEvent::firing, one);
    one.life.hold_for += seconds(1 + cases.below(50));
    ASSERT_GE(first(LifeEvent::firing, one), before) << text_of(one);
  }
}

TEST(LifeLaws, ALongerKeepNeverResolvesEarlier) {
  Cases cases(5);
  for (uint32_t i = 0; i < kCases; ++i) {
    RandomCase one = cases.next();
    const seconds before = first(LifeEvent::resolved, one);
    one.life.keep += seconds(1 + cases.below(50));
    ASSERT_GE(first(LifeEvent::resolved, one), before) << text_of(one);
  }
}

}  // namespace
}  // namespace pmjit
