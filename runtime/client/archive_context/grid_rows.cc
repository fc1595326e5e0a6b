#include "runtime/client/archive_context/grid_rows.h"

namespace pmjit {

void GridRows::start(std::span<const GridTime> times) {
  times_ = times;
  made_.clear();
}

const RowList& GridRows::of(RosterId roster, size_t lanes, size_t count) {
  const auto [place, is_new] = made_.try_emplace(uint64_t{roster.index} << 32 | count);
  RowList& rows = place->second;
  if (!is_new) return rows;
  std::vector<Row>& made = rows.edit();
  made.reserve(count);
  for (const GridTime& at : times_.first(count)) {
    made.push_back({.stamp = at.stamp,
                    .roster_id = roster,
                    .record = at.record,
                    .offset = made.size() * lanes});
  }
  return rows;
}

}  // namespace pmjit
