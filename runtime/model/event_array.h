// Event arrays: the records that one value of an EVENT or HIGHRES_EVENT metric holds, each with a
// time, flags and parameters that are values of metrics themselves. Source: spec pmapi.md §17; what
// PCP 6.0.3 answers where that leaves room: nested arrays are refused.
//
//   auto records = unpack_events(set.format, set.values[0], desc.pm_type);
//   if (!records) print(pm_error_text(records.error()));
//   for (const EventRecord& record : *records) …
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "runtime/model/pm_codes.h"
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

// The layout of an event array in memory, host byte order: a count, then records, each a header and
// its parameters, padded to four bytes. For event_array.cc and print_value.cc; others take
// unpack_events().

// Reads host-order words off the front of a block. Past the end it gives zeros and says so.
class EventBytes {
 public:
  explicit EventBytes(Bytes bytes) : left_(bytes) {}

  template <class T>
  T take() {
    T value{};
    if (left_.size() < sizeof value) {
      short_ = true;
      left_ = {};
      return value;
    }
    std::memcpy(&value, left_.data(), sizeof value);
    left_ = left_.subspan(sizeof value);
    return value;
  }
  Bytes take_bytes(size_t count) {
    if (left_.size() < count) short_ = true, count = left_.size();
    const Bytes out = left_.first(count);
    left_ = left_.subspan(count);
    return out;
  }
  [[nodiscard]] bool ok() const { return !short_; }

 private:
  Bytes left_;
  bool short_ = false;
};

struct EventHeader {
  Stamp stamp{};
  uint32_t flags = 0;
  int32_t parameters = 0;  // of a missed record: how many were missed
};

// Fractions beyond 2^31 ns are no times; they come out as the nearest that a Stamp holds.
inline EventHeader take_event_header(EventBytes& in, bool highres) {
  constexpr int64_t kMost = INT32_MAX, kLeast = INT32_MIN;
  EventHeader out;
  if (highres) {
    out.stamp.sec = in.take<int64_t>();
    out.stamp.nsec = static_cast<int32_t>(std::clamp(in.take<int64_t>(), kLeast, kMost));
  } else {
    out.stamp.sec = in.take<int32_t>();
    const int64_t nsec = int64_t{in.take<int32_t>()} * 1'000;
    out.stamp.nsec = static_cast<int32_t>(std::clamp(nsec, kLeast, kMost));
  }
  out.flags = in.take<uint32_t>();
  out.parameters = in.take<int32_t>();
  return out;
}

struct RawParameter {
  PmId pmid = kNullId;
  uint8_t type = 0;
  uint32_t length = 0;  // with the word it stands in
  Bytes bytes{};
};

inline constexpr uint32_t kLengthMask = 0x00ff'ffff, kLengthWord = 4, kPadding = 4;

inline RawParameter take_parameter(EventBytes& in) {
  RawParameter out;
  out.pmid = in.take<uint32_t>();
  const auto word = in.take<uint32_t>();
  out.type = static_cast<uint8_t>(word >> 24);
  out.length = word & kLengthMask;
  if (out.length <= kLengthWord) return out;
  const uint32_t count = out.length - kLengthWord;
  out.bytes = in.take_bytes((count + kPadding - 1) / kPadding * kPadding);
  out.bytes = out.bytes.first(std::min<size_t>(out.bytes.size(), count));
  return out;
}

}  // namespace pmjit
