// Stamps as text. Days become dates by Howard Hinnant's proleptic Gregorian arithmetic
// (std::chrono's), so no time zone file and no lock is behind it. An un-normalised stamp prints the
// instant it stands for.
#include "runtime/model/stamp.h"

#include <fmt/format.h>

namespace pmjit {

namespace {

constexpr int64_t kNsPerSec = 1'000'000'000, kSecPerDay = 86'400;

// Digits of the fraction: as few as are exact.
std::string fraction_text(int64_t nsec) {
  if (nsec == 0) return "";
  if (nsec % 1'000'000 == 0) return fmt::format(".{:03}", nsec / 1'000'000);
  if (nsec % 1'000 == 0) return fmt::format(".{:06}", nsec / 1'000);
  return fmt::format(".{:09}", nsec);
}

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

}  // namespace

Stamp stamp_from_nanos(Nanos ns) {
  Nanos sec = ns / kNsPerSec, rest = ns % kNsPerSec;
  if (rest < 0) --sec, rest += kNsPerSec;
  return {static_cast<int64_t>(sec), static_cast<int32_t>(rest)};
}

std::string iso_utc(Stamp s) {
  s = stamp_from_nanos(nanos(s));
  const int64_t day = floor_div(s.sec, kSecPerDay);
  const int64_t in_day = s.sec - day * kSecPerDay;
  // Civil from days; 719,468 days lie between 0000-03-01 and the epoch, 146,097 make 400 years.
  const int64_t z = day + 719'468;
  const int64_t era = floor_div(z, 146'097);
  const int64_t doe = z - era * 146'097;
  const int64_t yoe = (doe - doe / 1'460 + doe / 36'524 - doe / 146'096) / 365;
  const int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  const int64_t mp = (5 * doy + 2) / 153;
  const int64_t month = mp < 10 ? mp + 3 : mp - 9;
  const int64_t year = yoe + era * 400 + (month <= 2);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}Z", year, month,
                     doy - (153 * mp + 2) / 5 + 1, in_day / 3'600, in_day / 60 % 60, in_day % 60,
                     fraction_text(s.nsec));
}

}  // namespace pmjit
