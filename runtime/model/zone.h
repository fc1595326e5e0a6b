// Zone: a time zone, and the clock on the wall there. What pmNewZone makes, as a value: the caller
// keeps which one is current.
//
//   Zone zone("Europe/Berlin");           // the C library's names: "EST5EDT", ":UTC", "XYZ+5:30" …
//   zone.local(1'710'500'000).tm_hour     // 11
//   Zone(label.timezone)                  // pmNewContextZone: an archive's own
//   Zone()                                // nobody said: $TZ, or the system's
//
// The C library knows zones only through $TZ, so a zone sets it for a moment, under one lock of the
// process, and puts it back. That is dear; a stretch of time over which the zone's offset does not
// change is kept, so that times near one another cost an addition. A Zone is of one thread at a
// time; copies are cheap. Source: spec pmapi.md §12, archives.md §16.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace pmjit {

class Zone {
 public:
  Zone() = default;
  explicit Zone(std::string_view name);  // any text: what is no zone behaves as UTC

  // What pmWhichZone says: the name as it is set, "UTC+0" for "UTC". None: nobody said.
  [[nodiscard]] const std::optional<std::string>& name() const { return name_; }

  int64_t east(int64_t sec);   // seconds that the clock there is ahead of UTC's
  std::tm local(int64_t sec);  // the nearest that a std::tm holds
  [[nodiscard]] int64_t seconds_of(std::tm tm) const;  // as mktime(): fields need not be in range

 private:
  struct Stretch {  // empty at first: no time lies in it
    int64_t from = 0, to = 0, east = 0;
    bool summer = false;
  };
  const Stretch& around(int64_t sec);

  std::optional<std::string> name_;
  Stretch stretch_;
};

// A zone that the C library knows: Fault::usage for what it would silently take for UTC, "EST" and
// "Europe/Berlim". For our own verbs; the reference takes any text.
[[nodiscard]] Result<Zone> known_zone(std::string_view name);

}  // namespace pmjit
