// Metrics that the reference's library has in every context, and that never have values: the
// parameters under which an event record's flags and missed count appear. Source: spec pmapi.md §6,
// §17.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include "runtime/model/desc.h"

namespace pmjit {

struct AlwaysThere {
  std::string_view name;
  PmId pmid;
  std::string_view one_line, help;  // texts
};

inline constexpr AlwaysThere kAlwaysThere[] = {
    {"event.flags", 511u << 22 | 1, "Flags for event records",
     "An anonymous derived metric that is used to encode the event flags\n"
     "associated with event records.   See pmUnpackEventRecords(3)."},
    {"event.missed", 511u << 22 | 2, "Count of missed event records",
     "An anonymous derived metric that is used to encode the number of\n"
     "event records missed because either the PMDA could not keep up\n"
     "or the PMAPI client did not collect the event records fast\n"
     "enough.  See pmUnpackEventRecords(3)."},
};

[[nodiscard]] inline const AlwaysThere* always_there(PmId pmid) {
  const auto* found = std::ranges::find(kAlwaysThere, pmid, &AlwaysThere::pmid);
  return found == std::end(kAlwaysThere) ? nullptr : found;
}

[[nodiscard]] inline std::optional<PmId> always_there(std::string_view name) {
  const auto* found = std::ranges::find(kAlwaysThere, name, &AlwaysThere::name);
  if (found == std::end(kAlwaysThere)) return std::nullopt;
  return found->pmid;
}

}  // namespace pmjit
