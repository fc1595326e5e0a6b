#include "runtime/exec/operands.h"

#include <cstring>

namespace pmjit {

namespace {

// The values of a row in the order of `to`, appended to the column.
void reorder(Column& column, Row& row, Rosters& rosters, RosterId to) {
  const Lanes& map = rosters.join(to, row.roster_id);
  const size_t bytes = elem_bytes(column.elem);
  const uint64_t first = column.grow(map.size());
  for (size_t i = 0; i < map.size(); ++i) {
    const uint64_t from = row.offset + static_cast<uint64_t>(map[i]);
    std::memcpy(column.values.data() + (first + i) * bytes, column.values.data() + from * bytes,
                bytes);
    if (!column.is_valid(from)) column.mark_invalid(first + i, 1);
  }
  row.roster_id = to;
  row.offset = first;
}

void make_singular(Column& column, Row& row, uint32_t lanes) {
  row.roster_id = Rosters::kSingularId;
  if (lanes > 0 && row.status == kKnown) return;  // its first value is the value
  if (row.status == kKnown) row.status = kNoValue;
  row.offset = column.grow(1);
  column.mark_invalid(row.offset, 1);
}

}  // namespace

void take_observations(ExecState& state, const ProgramOperand& operand, Observations& from) {
  Series& series = state.series_of(operand.slot);
  series.offered.clear();
  series.delivered.clear();
  std::swap(series.column, from.column);
  const bool has_lanes = state.slot(operand.slot).has_lanes;
  for (Row& row : series.column.rows) {
    if (series.keeps_order) series.delivered.push_back(row.roster_id);
    if (!has_lanes) {
      make_singular(series.column, row, state.rosters.size(row.roster_id));
    } else if (!state.rosters.ascending(row.roster_id)) {
      reorder(series.column, row, state.rosters, state.rosters.sorted(row.roster_id));
    }
    series.offered.push_back(row.roster_id);
  }
}

void give_back_observations(ExecState& state, const ProgramOperand& operand, Observations& to) {
  std::swap(state.series_of(operand.slot).column, to.column);
}

}  // namespace pmjit
