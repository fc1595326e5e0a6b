#include "tests/unit/alerts/ticks.h"

#include <fmt/format.h>

#include "runtime/base/result.h"

namespace pmjit {

Says says_of(char letter) {
  switch (letter) {
    case 'T': return Says::holds;
    case 'C': return Says::clear;
    case 'B': return Says::between;
    case 'U':
    case 'V': return Says::unknown;
    case 'G': return Says::gone;
    default: check(false, "a letter of a story"); return Says::unknown;
  }
}

std::vector<TimedEvent> run_ticks(std::string_view letters, const LifeParameters& life,
                                  LifeState* after) {
  std::vector<TimedEvent> out;
  LifeState state;
  std::chrono::seconds at{0};
  for (const char letter : letters) {
    if (letter != '.') {
      const LifeStep next = step(state, says_of(letter), WallTime(at), life);
      for (const LifeEvent event : next.events) out.push_back({at, event});
      state = next.state;
    }
    at += kTickInterval;
  }
  if (after != nullptr) *after = state;
  return out;
}

std::string events_text(const std::vector<TimedEvent>& events) {
  std::string out;
  for (size_t i = 0; i < events.size(); ++i) {
    const std::string_view text = life_event_text(events[i].event);
    if (i > 0 && events[i].at == events[i - 1].at) {
      out += fmt::format(", {}", text);
    } else {
      out += fmt::format("{}{} {}", i == 0 ? "" : " · ", events[i].at.count(), text);
    }
  }
  return out;
}

}  // namespace pmjit
