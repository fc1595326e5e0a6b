// Stamp: a time as it was recorded. Interpolation in the compatible dialects yields stamps whose
// nanoseconds are exactly 1,000,000,000 and must print so: nothing here normalises. Source: spec
// archives.md §2 (differences are doubles), dialects.md §13 (native sampling in integer ns).
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "runtime/base/bits.h"

namespace pmjit {

struct Stamp {
  int64_t sec = 0;
  int32_t nsec = 0;
  friend constexpr auto operator<=>(const Stamp&, const Stamp&) = default;
};

// a − b in seconds, computed as the reference computes it. Stamps of a damaged index may be
// anything: seconds that are too far apart wrap.
inline double seconds_between(Stamp a, Stamp b) {
  const auto sec =
      static_cast<int64_t>(static_cast<uint64_t>(a.sec) - static_cast<uint64_t>(b.sec));
  const int64_t nsec = int64_t{a.nsec} - b.nsec;
  return static_cast<double>(sec) + static_cast<double>(nsec) / 1e9;
}

using Nanos = Int128;  // a 64-bit count of nanoseconds ends in the year 2262; V3 seconds do not
inline Nanos nanos(Stamp s) { return Nanos{s.sec} * 1'000'000'000 + s.nsec; }
Stamp stamp_from_nanos(Nanos ns);

// 2023-11-14T22:13:20.123456789Z; the fraction has 0, 3, 6 or 9 digits, as few as are exact.
std::string iso_utc(Stamp s);

inline constexpr Stamp kStampMin{INT64_MIN, 0};
inline constexpr Stamp kStampMax{INT64_MAX, 999'999'999};

}  // namespace pmjit
