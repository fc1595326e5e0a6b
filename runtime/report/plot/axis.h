// ValueAxis: the units in which a panel's values are shown, the range that it has and the values at
// which there are lines. Space is scaled by 1024 and short times by 1000, in the units themselves
// ("Kbyte / sec" becomes "Mbyte / sec"); everything else has a suffix, k M G or m u n, at the
// number.
#pragma once

#include <string>
#include <vector>

#include "runtime/model/stamp.h"
#include "runtime/model/units.h"
#include "runtime/text/zone.h"

namespace pmjit {

struct ValueRange {
  double least = 0, most = 0;  // finite
  bool any = false;
  void add(double value);
  void add(const ValueRange& other);
};

struct ValueTick {
  double value;  // as recorded
  std::string text;
};

struct ValueAxis {
  std::string units;         // those shown
  double factor = 1;         // of a value as recorded, to be in them
  double low = 0, high = 1;  // the range of the axis, as recorded
  std::vector<ValueTick> ticks;

  // 0 at the low end, 1 at the high one.
  [[nodiscard]] double share(double value) const;
};

// About `ticks` lines. An axis of `whole` numbers has no lines between them.
ValueAxis value_axis(const ValueRange& range, Units units, int ticks, bool whole);

// Times at which a chart's axis has ticks: round ones of the clock and the calendar in a zone.
struct TimeTick {
  Nanos time;        // since the epoch
  std::string text;  // "14:30", "14:30:05.25", "15 Nov", "Mar", "2024"
  std::string date;  // below it where that is new: "2024-03-01", a year; else nothing
};

// `most` of them at most, from `first` to `last`.
std::vector<TimeTick> time_ticks(Stamp first, Stamp last, size_t most, const Zone& zone);

}  // namespace pmjit
