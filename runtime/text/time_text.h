// Times as the reference's tools print them, in a zone. A fraction is printed as it is, cut off and
// not normalised: a full second's worth of nanoseconds is ".1000000000". Source: spec pmapi.md §12,
// §13.5, archives.md §16.
//
//   pm_ctime(0, zone)                                    "Thu Jan  1 00:00:00 1970\n"
//   time_of_day(stamp, Fraction::milli, zone)            "22:13:20.123"
//   date_and_time(stamp, Fraction::micro, zone)          "Tue Nov 14 22:13:20.123456 2023"
#pragma once

#include <string>

#include "runtime/model/stamp.h"
#include "runtime/text/zone.h"

namespace pmjit {

enum class Fraction : uint8_t { none, milli, micro, nano };

std::string pm_ctime(int64_t sec, const Zone& zone);

// To the end of `out`, for those who print many.
void put_time_of_day(std::string& out, Stamp time, Fraction fraction, const Zone& zone);
void put_date_and_time(std::string& out, Stamp time, Fraction fraction, const Zone& zone);

std::string time_of_day(Stamp time, Fraction fraction, const Zone& zone);
std::string date_and_time(Stamp time, Fraction fraction, const Zone& zone);

// 2023-11-14T23:13:20.123+01:00: iso_utc() for a reader elsewhere.
std::string iso_local(Stamp time, const Zone& zone);

}  // namespace pmjit
