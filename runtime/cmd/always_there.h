// Metrics that the reference's library has in every context, and that never have values: the
// parameters under which an event record's flags and missed count appear. Source: spec pmapi.md §6,
// §17.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/model/desc.h"

namespace pmjit {

inline constexpr PmId kEventFlagsPmid = 511u << 22 | 1, kEventMissedPmid = 511u << 22 | 2;

[[nodiscard]] inline std::optional<PmId> always_there(std::string_view name) {
  if (name == "event.flags") return kEventFlagsPmid;
  if (name == "event.missed") return kEventMissedPmid;
  return std::nullopt;
}

}  // namespace pmjit
