// The layout of an event array in memory, host byte order: a count, then records, each a header and
// its parameters, padded to four bytes. For event_array.cc and print_events.cc; others take
// unpack_events().
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>

#include "runtime/model/event_array.h"
#include "runtime/model/pm_type.h"

namespace pmjit {

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
