#include "runtime/client/archive_context/grid_metric.h"

namespace pmjit {

bool GridMetric::append(Stamp time, uint32_t record, Rosters& rosters, Column& column) {
  const FetchedSet& set = fetched_.sets.front();
  known_ |= set.count != 0;
  if (std::exchange(goes_on_, false) && !known_) return false;
  if (exact_ && !known_) return true;
  append_set(set, desc_, {.stamp = time, .record = record}, last_roster_id_, rosters, column);
  return true;
}

}  // namespace pmjit
