// PosixZone: a zone that a text describes, "CET-1CEST,M3.5.0,M10.5.0/3": an offset, and two changes
// of the clock a year. POSIX says what is well formed. Any other text means here what the C library
// makes of it, most often UTC: the library reads from the left and keeps what it has.
//
//   const PosixZone zone = PosixZone::parse("EST5EDT,M3.2.0,M11.1.0");
//   zone.at(1'720'000'000)                    // {.east = -14'400, .summer = true}
//   PosixZone::parse("EST5EDT").lacks_rules   // the data base's "posixrules" says when
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace pmjit::tz {

// How far a clock is ahead of UTC's.
struct Offset {
  int64_t east = 0;
  bool summer = false;
  bool operator==(const Offset&) const = default;
};

// A change of each year, by the clock that is right before it.
struct YearlyChange {
  enum class Kind : uint8_t { day, day_without_leap, weekday };  // n, Jn, Mm.w.d
  Kind kind = Kind::day;
  uint16_t month = 0, week = 0, day = 0;
  int64_t of_day = 0;  // seconds; negative and beyond a day too
  int64_t east = 0;    // of the clock before it

  [[nodiscard]] int64_t at(int64_t year) const;
};

struct PosixZone {
  YearlyChange to_summer, to_standard;
  bool lacks_rules = false;
  std::string standard, summer;  // what the clocks are called

  [[nodiscard]] static PosixZone parse(std::string_view text);
  // UTC's year says which changes count, as in the C library.
  [[nodiscard]] Offset at(int64_t sec) const;
};

}  // namespace pmjit::tz
