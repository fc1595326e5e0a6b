// The values at the first times, as the table lists them: a line a metric and instance, a column a
// time. Names are worth more than times: there are as many columns as fit beside whole names, and
// the others are counted.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/model/stamp.h"
#include "runtime/text/zone.h"

namespace pmjit {

struct FirstValues {
  std::string metric, instance;    // no instance: a singular metric
  std::vector<std::string> cells;  // one a time
};

// Heading, with the times of `zone`, and lines. `times` are not empty.
std::string first_values_text(std::span<const Stamp> times, const std::vector<FirstValues>& lines,
                              size_t width, Zone& zone);

}  // namespace pmjit
