// InstanceTrack: what interpolation remembers of an instance: the observation before and the one
// after the time of the last fetch, and what is known of the ends of its data. Source: spec
// archives.md §14.3. Times are seconds since the start of the first archive.
#pragma once

#include <cstdint>

#include "runtime/model/desc.h"

namespace pmjit {

enum class BoundState : uint8_t { undefined, value, mark };

// A value as it was recorded.
struct Observed {
  uint64_t bits = 0;  // of a number; else which of the metric's blocks it is
  int32_t nsec = 0;   // of its record's stamp
  uint8_t type = 0;   // that its block says
};

// Small, and copied without thought: every fetch walks over those of all instances, several times.
struct Bound {
  double t = -1;
  uint64_t bits = 0;
  int32_t nsec = 0;  // of the stamp that t is: t itself is exact for some weeks only
  uint8_t type = 0;
  BoundState state = BoundState::undefined;
  bool scanned = false;  // looked for as far as there is data
};
static_assert(sizeof(Bound) == 24);

struct InstanceTrack {
  int32_t id = kSingular;
  bool search = false;
  Bound prior{}, next{};
  double first = -1, last = -1;   // no observation at or before (at or after) this time
  double birth = -1, death = -1;  // of instances of large domains
  double latest = -1;             // of its observations that were met while reading ahead
};

}  // namespace pmjit
