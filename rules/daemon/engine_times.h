// Times of a GroupEngine, between its clock and what it tells.
#pragma once

#include <chrono>
#include <cmath>

#include "rules/daemon_config/daemon_config.h"
#include "runtime/base/clock.h"
#include "runtime/model/stamp.h"

namespace pmjit {

[[nodiscard]] inline Stamp stamp_now(const Clock& clock) {
  return stamp_from_nanos(clock.wall().time_since_epoch().count());
}
[[nodiscard]] inline double seconds_now(const Clock& clock) {
  return static_cast<double>(clock.wall().time_since_epoch().count()) / 1e9;
}
[[nodiscard]] inline Nanos nanos_of(double seconds) { return std::llround(seconds * 1e9); }
[[nodiscard]] inline WallTime wall_of(double seconds) {
  return WallTime(std::chrono::milliseconds(std::llround(seconds * 1e3)));
}
[[nodiscard]] inline Milliseconds interval_of(double delta) {
  return Milliseconds(std::llround(delta * 1e3));
}

}  // namespace pmjit
