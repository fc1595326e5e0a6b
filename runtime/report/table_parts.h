// The values at the first times, as the table lists them: a line a metric and instance, a column a
// time. Names are worth more than times: there are as many columns as fit beside whole names, and
// the others are counted.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/model/results.h"
#include "runtime/model/stamp.h"
#include "runtime/report/known_lanes.h"
#include "runtime/report/text/paint.h"
#include "runtime/text/zone.h"

namespace pmjit {

struct FirstValues {
  std::string metric, instance;    // no instance: a singular metric
  std::vector<std::string> cells;  // one a time
};

// Heading, with the times of `zone`, and lines. `times` are not empty.
std::string first_values_text(std::span<const Stamp> times, const std::vector<FirstValues>& lines,
                              size_t width, Zone& zone, const Paint& paint);

// Unknowns: how often each reason was why a metric had no value, and the table of it.
class Unknowns {
 public:
  // Every unknown value of the block, and every time at which a metric is unknown as a whole.
  void add(const ResultBlock& block, const Rosters& rosters);
  // Heading and a line a metric and reason; nothing if everything was known.
  [[nodiscard]] std::string text(const std::vector<ResultInfo>& infos, size_t width,
                                 const Paint& paint) const;

 private:
  struct Count {
    uint64_t values = 0, times = 0;  // a time counts for all its values
  };
  std::map<std::pair<size_t, int32_t>, Count> counts_;  // by metric and reason
  std::vector<LostTimes> known_;                        // of each metric
};

}  // namespace pmjit
