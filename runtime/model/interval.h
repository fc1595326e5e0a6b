// Interval: a length of time as a user writes it, "1h 30m" or "0.5": -t, -A and the offsets of -S
// -T -O. The language and its mistakes are pmParseInterval's. Source: spec pmapi.md §13.1,
// archives.md §17.1.
//
//   parse_interval("10min")    {600, 0}
//   parse_interval("1ms")      {60, 0}: m is a minute, and a plural s is dropped. Milliseconds are
//   msec.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/model/stamp.h"

namespace pmjit {

struct Interval {
  int64_t sec = 0;
  int32_t nsec =
      0;  // 1,000,000,000 where a fraction rounds up to a whole: the reference does not carry
  friend constexpr bool operator==(const Interval&, const Interval&) = default;

  [[nodiscard]] double seconds() const { return static_cast<double>(sec) + nsec / 1e9; }
};
inline Nanos nanos(Interval i) { return nanos(Stamp{i.sec, i.nsec}); }

// Fault::usage with the reference's text: the input, a caret below the mistake. Sums beyond 2^63
// seconds and "nan" are refused, where the reference returns what its conversion happens to give.
[[nodiscard]] Result<Interval> parse_interval(std::string_view text);

// Where the reading stopped: the text, a caret below the place, why; two lines, each with its
// newline.
std::string caret_text(std::string_view text, size_t column, std::string_view why);

}  // namespace pmjit
