// Times at which a chart's axis has ticks: round ones of the clock and the calendar in a zone.
#pragma once

#include <string>
#include <vector>

#include "runtime/model/stamp.h"
#include "runtime/text/zone.h"

namespace pmjit {

struct TimeTick {
  Nanos time;        // since the epoch
  std::string text;  // "14:30", "14:30:05.25", "15 Nov", "Mar", "2024"
  std::string date;  // below it where that is new: "2024-03-01", a year; else nothing
};

// `most` of them at most, from `first` to `last`.
std::vector<TimeTick> time_ticks(Stamp first, Stamp last, size_t most, const Zone& zone);

}  // namespace pmjit
