// Ticks as the stories of spec alerting.md §4.1 write them: a letter an interval of 10 s.
//
//   T true · C clear · B between · U unknown · V false, `until` unknown · G gone · . missed
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/alerts/life_cycle.h"

namespace pmjit {

inline constexpr std::chrono::seconds kTickInterval{10};

// The letter is none of a missed tick.
[[nodiscard]] Says says_of(char letter);

struct TimedEvent {
  std::chrono::seconds at{};
  LifeEvent event{};
};

// Steps through the letters from 0 s on. `after`, if given: the state at the end.
[[nodiscard]] std::vector<TimedEvent> run_ticks(std::string_view letters,
                                                const LifeParameters& life,
                                                LifeState* after = nullptr);

// "10 pending · 30 firing · 70 known, resolved"
[[nodiscard]] std::string events_text(const std::vector<TimedEvent>& events);

}  // namespace pmjit
