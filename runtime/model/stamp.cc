// Stamps as text. No time zone file and no lock is behind it. An un-normalised stamp prints the
// instant it stands for.
#include "runtime/model/stamp.h"

#include <fmt/format.h>

#include "runtime/tz/calendar.h"

namespace pmjit {

namespace {

constexpr int64_t kNsPerSec = 1'000'000'000;

// Digits of the fraction: as few as are exact.
std::string fraction_text(int64_t nsec) {
  if (nsec == 0) return "";
  if (nsec % 1'000'000 == 0) return fmt::format(".{:03}", nsec / 1'000'000);
  if (nsec % 1'000 == 0) return fmt::format(".{:06}", nsec / 1'000);
  return fmt::format(".{:09}", nsec);
}

}  // namespace

Stamp stamp_from_nanos(Nanos ns) {
  Nanos sec = ns / kNsPerSec, rest = ns % kNsPerSec;
  if (rest < 0) --sec, rest += kNsPerSec;
  return {static_cast<int64_t>(sec), static_cast<int32_t>(rest)};
}

std::string iso_utc(Stamp s) {
  s = stamp_from_nanos(nanos(s));
  const int64_t day = tz::floor_div(s.sec, tz::kDaySeconds);
  const int64_t in_day = s.sec - day * tz::kDaySeconds;
  const tz::Date date = tz::date_of_day(day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}Z", date.year, date.month, date.day,
                     in_day / 3'600, in_day / 60 % 60, in_day % 60, fraction_text(s.nsec));
}

}  // namespace pmjit
