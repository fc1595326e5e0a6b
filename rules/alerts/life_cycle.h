// The life cycle of one level of one element, as a value that steps. Source: spec alerting.md §4.1.
//
//   const LifeParameters life{.hold_for = 2min, .stale = 5min, .interval = 10s};
//   LifeState state;                                  // inactive: nothing has to be kept
//   const LifeStep next = step(state, Says::holds, tick, life);
//   for (const LifeEvent event : next.events) …       // pending
//   state = next.state;
//
// Pure: the same arguments give the same result, live, in a replay and in a test. Unknown never
// resolves. Time that nobody has seen proves nothing: what is counted is the time between two ticks
// that say the same, at most two intervals apart.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/base/clock.h"

namespace pmjit {

// What a tick says of a condition and its recovery condition (`until`). Without `until` a condition
// that is false is clear. False with an unknown `until` is unknown.
enum class Says : uint8_t {
  holds,    // T: the condition is true
  clear,    // C: it is false, and `until` is true
  between,  // B: both are false
  unknown,  // U
  gone,     // G: the instance has vanished, and its host answers
};

enum class WhenGone : uint8_t { resolves, is_unknown };

struct LifeParameters {
  std::chrono::milliseconds hold_for{0};                     // true for so long before it fires
  std::chrono::milliseconds keep{0};                         // clear for so long before it resolves
  std::chrono::milliseconds stale{std::chrono::minutes(5)};  // longer unknown: an event says so
  std::chrono::milliseconds interval{std::chrono::seconds(10)};
  WhenGone when_gone = WhenGone::resolves;
};

enum class Phase : uint8_t { inactive, pending, firing };

// Times are those of ticks.
struct LifeState {
  Phase phase = Phase::inactive;
  Says said = Says::clear;  // at the last evaluated tick, `at`
  bool noted = false;       // *unknown* has been told
  WallTime since{};         // the first true tick of the episode
  WallTime at{};
  std::chrono::nanoseconds held{0}, clear{0};  // counted towards `hold_for` and `keep`
  std::optional<WallTime> dark{};              // the first unknown tick since it was known

  friend bool operator==(const LifeState&, const LifeState&) = default;
};

enum class LifeEvent : uint8_t { pending, inactive, firing, unknown, known, resolved };
[[nodiscard]] std::string_view life_event_text(LifeEvent event);

// At most two come of a tick: *known*, and what became of the alert.
class LifeEvents {
 public:
  void add(LifeEvent event) { events_.at(count_++) = event; }
  [[nodiscard]] const LifeEvent* begin() const { return events_.data(); }
  [[nodiscard]] const LifeEvent* end() const { return events_.data() + count_; }
  [[nodiscard]] size_t size() const { return count_; }

 private:
  std::array<LifeEvent, 2> events_{};
  size_t count_ = 0;
};

struct LifeStep {
  LifeState state;
  LifeEvents events{};
};

// `now` is the time of the tick. Where it is before the last one, the clock was set back: the tick
// counts no time, and what was counted stands.
[[nodiscard]] LifeStep step(const LifeState& before, Says says, WallTime now,
                            const LifeParameters& life);

}  // namespace pmjit
