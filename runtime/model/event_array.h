// Event arrays: the records that one value of an EVENT or HIGHRES_EVENT metric holds, each with a
// time, flags and parameters that are values of metrics themselves. Source: spec pmapi.md §17; what
// PCP 6.0.3 answers where that leaves room: nested arrays are refused.
//
//   auto records = unpack_events(set.format, set.values[0], desc.pm_type);
//   if (!records) print(pm_error_text(records.error()));
//   for (const EventRecord& record : *records) …
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/model/pm_error.h"
#include "runtime/model/stamp.h"
#include "runtime/model/value.h"

namespace pmjit {

// PM_EVENT_FLAG_*
inline constexpr uint32_t kEventPoint = 1, kEventStart = 2, kEventEnd = 4, kEventId = 8,
                          kEventParent = 16, kEventMissed = 1u << 31;

// pmEventFlagsStr: "start,id"; "missed" alone where that is among them.
std::string event_flags_text(uint32_t flags);

struct EventParameter {
  PmId pmid = kNullId;
  int type = 0;  // as the record says it, PM_TYPE_*
  ValueFormat format = ValueFormat::in_place;
  Value value{};  // of no instance; its block is part of the array
};

struct EventRecord {
  Stamp stamp{};  // of EVENT: whole microseconds
  uint32_t flags = 0;
  int32_t missed = 0;  // flags kEventMissed: how many records were lost here
  std::vector<EventParameter> parameters{};
};

// Every record, or why not: PM_ERR_CONV (the value is no block; a missed record with other flags),
// PM_ERR_TYPE (not an array of `type`; a parameter of an impossible type), PM_ERR_TOOSMALL (a
// negative number of records), PM_ERR_TOOBIG (a record runs past the array).
[[nodiscard]] OrPmError<std::vector<EventRecord>> unpack_events(ValueFormat format,
                                                                const Value& value, int type);

}  // namespace pmjit
