// The table of spec alerting.md §4.1, a function a row.
#include "rules/alerts/life_cycle.h"

#include <algorithm>

namespace pmjit {
namespace {

// Time that a tick may add to a counter: none after a pause, for one missed tick proves nothing
// against a state, and three prove nothing for it.
std::chrono::nanoseconds credit(const LifeState& before, WallTime now, const LifeParameters& life) {
  const std::chrono::nanoseconds passed = now - before.at;
  const bool is_seen = passed.count() >= 0 && passed <= 2 * life.interval;
  return is_seen ? passed : std::chrono::nanoseconds{0};
}

void become(LifeStep& out, Phase phase, LifeEvent event) {
  if (phase == Phase::inactive) {
    out.state = {};
  } else {
    out.state.phase = phase;
  }
  out.events.add(event);
}

void step_holds(LifeStep& out, const LifeState& before, WallTime now, const LifeParameters& life) {
  LifeState& state = out.state;
  state.clear = {};
  if (state.phase == Phase::firing) return;
  const bool is_first = state.phase == Phase::inactive;
  if (is_first) {
    state.since = now;
  } else if (before.said == Says::holds) {
    state.held += credit(before, now, life);
  }
  if (state.held >= life.hold_for) {
    become(out, Phase::firing, LifeEvent::firing);
  } else if (is_first) {
    become(out, Phase::pending, LifeEvent::pending);
  }
}

void step_clear(LifeStep& out, const LifeState& before, WallTime now, const LifeParameters& life) {
  LifeState& state = out.state;
  if (state.phase == Phase::pending) return become(out, Phase::inactive, LifeEvent::inactive);
  if (before.said == Says::clear) state.clear += credit(before, now, life);
  if (state.clear >= life.keep) become(out, Phase::inactive, LifeEvent::resolved);
}

void step_between(LifeStep& out) {
  if (out.state.phase == Phase::pending) {
    become(out, Phase::inactive, LifeEvent::inactive);
  } else {
    out.state.clear = {};
  }
}

void step_unknown(LifeStep& out, WallTime now, const LifeParameters& life) {
  LifeState& state = out.state;
  state.dark = std::min(state.dark.value_or(now), now);  // the clock may have been set back
  if (now - *state.dark < life.stale) return;
  if (state.phase == Phase::pending) return become(out, Phase::inactive, LifeEvent::inactive);
  if (state.noted) return;
  state.noted = true;
  out.events.add(LifeEvent::unknown);
}

Says meant(Says says, const LifeParameters& life) {
  if (says != Says::gone) return says;
  return life.when_gone == WhenGone::resolves ? Says::clear : Says::unknown;
}

}  // namespace

std::string_view life_event_text(LifeEvent event) {
  switch (event) {
    case LifeEvent::pending: return "pending";
    case LifeEvent::inactive: return "inactive";
    case LifeEvent::firing: return "firing";
    case LifeEvent::unknown: return "unknown";
    case LifeEvent::known: return "known";
    case LifeEvent::resolved: return "resolved";
  }
  return "";
}

LifeStep step(const LifeState& before, Says says, WallTime now, const LifeParameters& life) {
  LifeStep out{.state = before};
  says = meant(says, life);
  if (before.phase == Phase::inactive && says != Says::holds) return out;
  if (says != Says::unknown) {
    if (before.noted) out.events.add(LifeEvent::known);
    out.state.noted = false;
    out.state.dark.reset();
  }
  out.state.said = says;
  out.state.at = now;
  switch (says) {
    case Says::holds: step_holds(out, before, now, life); break;
    case Says::clear: step_clear(out, before, now, life); break;
    case Says::between: step_between(out); break;
    case Says::unknown: step_unknown(out, now, life); break;
    case Says::gone: break;  // meant() has made it clear or unknown
  }
  return out;
}

}  // namespace pmjit
