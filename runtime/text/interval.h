// Intervals: a length of time as a user writes it, "1h 30m" or "0.5": -t, -A and the offsets of -S
// -T -O. The language and its mistakes are pmParseInterval's. Source: spec pmapi.md §13.1,
// archives.md §17.1.
//
//   parse_interval<NanoTime>("10min")     {600, 0}
//   parse_interval<NanoTime>("1ms")       {60, 0}: m is a minute, and a plural s is dropped.
//                                         Milliseconds are msec.
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/text/time_parts.h"

namespace pmjit {

// Fault::usage with the reference's text: the input, a caret below the mistake. Not negative; "nan"
// and sums beyond what a time holds pass, as they pass there: whoever steps by an interval looks.
[[nodiscard]] Result<double> parse_interval_seconds(std::string_view text);

// Rounded to the parts of a second, which are not carried: 0.9999999999 has 1,000,000,000 ns. What
// a time does not hold is the least number, as pmParseInterval gives it on x86-64.
template <class T>
[[nodiscard]] Result<T> parse_interval(std::string_view text) {
  const Result<double> seconds = parse_interval_seconds(text);
  if (!seconds) return fail(seconds.error());
  return from_real<T>(*seconds);
}

// Where the reading stopped: the text, a caret below the place, why; two lines, each with its
// newline.
std::string caret_text(std::string_view text, size_t column, std::string_view why);

}  // namespace pmjit
