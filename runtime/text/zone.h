// Zone: a time zone, and the clock on the wall there. What pmNewZone makes, as a value: the caller
// keeps which one is current.
//
//   const Zone zone("Europe/Berlin");     // the C library's names: "EST5EDT", ":UTC", "XYZ+5:30" …
//   zone.local(1'710'500'000).tm_hour     // 11
//   Zone(label.timezone)                  // pmNewContextZone: an archive's own
//   Zone()                                // nobody said: $TZ, or the system's
//
// The rules are read once, when a zone is made (runtime/tz). Copies share them, any thread converts
// with them, and the process's environment stays as it is. Source: spec pmapi.md §12, archives.md
// §16.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/model/stamp.h"
#include "runtime/tz/rules.h"

namespace pmjit {

class Zone {
 public:
  Zone();
  explicit Zone(std::string_view name);  // any text: what is no zone behaves as UTC

  // What pmWhichZone says: the name as it is set, "UTC+0" for "UTC". None: nobody said.
  [[nodiscard]] const std::optional<std::string>& name() const { return name_; }

  // Seconds that the clock there is ahead of UTC's.
  [[nodiscard]] int64_t east(int64_t sec) const;
  [[nodiscard]] std::tm local(int64_t sec) const;  // the nearest that a std::tm holds
  [[nodiscard]] const std::string& clock_name(int64_t sec) const;  // "CEST", while this zone lives

  // As mktime(): fields need not be in range. Where an hour comes twice, `guess` decides, which is
  // what the call before has left of it (tz/rules.h).
  [[nodiscard]] int64_t seconds_of(const std::tm& tm, int64_t& guess) const;
  [[nodiscard]] int64_t seconds_of(const std::tm& tm) const;

 private:
  std::optional<std::string> name_;
  tz::SharedRules rules_;
};

// A zone that the C library or the data base knows: "EST" is the data base's. Fault::usage for what
// the C library would silently take for UTC, "Europe/Berlim". For our own verbs; the reference
// takes any text.
[[nodiscard]] Result<Zone> known_zone(std::string_view name);
// The name that a wrong one was meant to be: by all of it, or by its last part, as in `berlin`.
[[nodiscard]] std::optional<std::string> nearest_zone(std::string_view wrong);
// Whether a value of $TZ says what it means. Of any other the C library silently makes UTC. "EST"
// is a file of the data base there.
[[nodiscard]] bool is_zone_of_environment(std::string_view value);

// Times as the reference's tools print them, in a zone. A fraction is printed as it is, cut off and
// not normalised: a full second's worth of nanoseconds is ".1000000000". Source: spec pmapi.md §12,
// §13.5, archives.md §16.
//
//   pm_ctime(0, zone)                                    "Thu Jan  1 00:00:00 1970\n"
//   time_of_day(stamp, Fraction::milli, zone)            "22:13:20.123"
//   date_and_time(stamp, Fraction::micro, zone)          "Tue Nov 14 22:13:20.123456 2023"
enum class Fraction : uint8_t { none, milli, micro, nano };

std::string pm_ctime(int64_t sec, const Zone& zone);

// To the end of `out`, for those who print many.
void put_time_of_day(std::string& out, Stamp time, Fraction fraction, const Zone& zone);
void put_date_and_time(std::string& out, Stamp time, Fraction fraction, const Zone& zone);

std::string time_of_day(Stamp time, Fraction fraction, const Zone& zone);
std::string date_and_time(Stamp time, Fraction fraction, const Zone& zone);

// How far ahead of UTC the zone is at that second: Z, +01:00.
std::string zone_suffix(int64_t sec, const Zone& zone);
// 2023-11-14T23:13:20.123+01:00: iso_utc() for a reader elsewhere.
std::string iso_local(Stamp time, const Zone& zone);

}  // namespace pmjit
