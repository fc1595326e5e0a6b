// Free-format English dates, as -S -T -O take them where an interval or "@" and a date in ctime's
// order do not fit: "3/15/2024 14:00", "mon 12:30 pst", "2 hours ago", "tomorrow 5pm".
//
//   parse_date("1 hour ago", {.start = start, .end = end, .now = now}, zone)
//
// Words stand in any order, each class at most once, relative ones as often as one likes. What is
// odd is the reference's: the offset of summer time is an hour whatever the zone, every fourth year
// is a leap year, and a month that has no such day gives the epoch. Source: spec pmapi.md §13.4,
// archives.md §17.4; where these leave room, what PCP 6.0.3 answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/text/zone.h"

namespace pmjit {

struct DateBases {  // seconds since the epoch
  int64_t start;
  std::optional<int64_t> end;  // none: not known, as for a live host
  int64_t now;
};

// None: not understood, or no such date.
[[nodiscard]] std::optional<int64_t> parse_date(std::string_view text, const DateBases& bases,
                                                const Zone& zone);

}  // namespace pmjit
