// StampText: times as pmdumplog prints them, short or with the date (-x), the seconds since the
// label's start (-xx), the seconds of the epoch too (-xxx). Source: spec tools.md §2.4.
#pragma once

#include <string>

#include "runtime/archive/format/stamp_io.h"
#include "runtime/model/stamp.h"
#include "runtime/text/time_text.h"

namespace pmjit {

class StampText {
 public:
  StampText(Version version, int detail, Stamp label_start, Zone zone)
      : fraction_(version == Version::v2 ? Fraction::micro : Fraction::nano),
        detail_(detail),
        label_start_(label_start),
        zone_(std::move(zone)) {}

  [[nodiscard]] std::string operator()(Stamp stamp);
  // Of event records: microseconds always, and never the epoch.
  [[nodiscard]] std::string of_event(Stamp stamp);
  // Whatever -x says.
  [[nodiscard]] std::string clock(Stamp stamp) { return time_of_day(stamp, fraction_, zone_); }
  [[nodiscard]] std::string date(Stamp stamp) { return date_and_time(stamp, fraction_, zone_); }

  [[nodiscard]] int detail() const { return detail_; }
  [[nodiscard]] Zone& zone() { return zone_; }

 private:
  [[nodiscard]] std::string text(Stamp stamp, Fraction fraction);

  Fraction fraction_;
  int detail_;
  Stamp label_start_;
  Zone zone_;
};

}  // namespace pmjit
