#include "runtime/cmd/pmdumplog/stamp_text.h"

#include <fmt/core.h>

namespace pmjit {

std::string StampText::text(Stamp stamp, Fraction fraction) {
  if (detail_ == 0) return time_of_day(stamp, fraction, zone_);
  std::string out = date_and_time(stamp, fraction, zone_);
  if (detail_ > 1) {
    // Where the reference prints microseconds it reckons in them.
    Stamp start = label_start_;
    if (fraction == Fraction::micro) start.nsec -= start.nsec % 1000;
    const double offset = seconds_between(stamp, start);
    out += fmt::format(" ({:.{}f})", offset, fraction == Fraction::micro ? 6 : 9);
  }
  return out;
}

std::string StampText::operator()(Stamp stamp) {
  std::string out = text(stamp, fraction_);
  if (detail_ > 2) out += fmt::format(" {}", static_cast<uint64_t>(stamp.sec));
  return out;
}

std::string StampText::of_event(Stamp stamp) { return text(stamp, Fraction::micro); }

}  // namespace pmjit
