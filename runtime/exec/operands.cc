#include "runtime/exec/state.h"

#include <cstring>

namespace pmjit {

namespace {

// The values of a row in the order of `to`, each of which it has, appended to the column.
void reorder(Column& column, Row& row, Rosters& rosters, RosterId to) {
  const uint64_t first = column.grow(rosters.size(to));
  const size_t bytes = elem_bytes(column.elem);
  for (const Stretch& stretch : rosters.join(to, row.roster_id)) {
    const uint64_t from = row.offset + stretch.from, out = first + stretch.to;
    std::memcpy(column.values.data() + out * bytes, column.values.data() + from * bytes,
                stretch.count * bytes);
    if (column.all_valid(from, stretch.count)) continue;
    for (uint32_t i = 0; i < stretch.count; ++i) {
      if (!column.is_valid(from + i)) column.mark_invalid(out + i, 1);
    }
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

// Are all rows as the strict dialect sees them?
bool are_plain(const RowList& rows, bool singular, const Rosters& rosters) {
  RosterId plain = Rosters::kNobodyId;
  for (const Row& row : rows) {
    if (singular) {
      if (row.roster_id != Rosters::kSingularId || row.status != kKnown) return false;
    } else if (row.roster_id != plain) {
      if (!rosters.ascending(row.roster_id)) return false;
      plain = row.roster_id;
    }
  }
  return true;
}

}  // namespace

void take_observations(ExecState& state, const ProgramOperand& operand, Observations& from) {
  Series& series = state.series_of(operand.slot);
  swap_columns(series.column, from.column);
  std::swap(series.segments, from.segments);
  RowList& rows = series.column.rows;
  const bool singular = !state.slot(operand.slot).has_lanes && series.segments.empty();
  series.delivered.clear();
  if (series.keeps_order) {
    for (const Row& row : rows) series.delivered.push_back(row.roster_id);
  }
  const void*& last_plain = state.plain_rows[singular ? 1 : 0];
  series.offered.clear();
  if (last_plain == rows.identity()) return;
  const bool plain = are_plain(rows, singular, state.rosters);
  for (size_t i = 0; i < rows.size() && !plain; ++i) {
    Row& row = rows.edit()[i];
    if (singular) {
      make_singular(series.column, row, state.rosters.size(row.roster_id));
    } else if (!state.rosters.ascending(row.roster_id)) {
      reorder(series.column, row, state.rosters, state.rosters.sorted(row.roster_id));
    }
  }
  if (plain) last_plain = rows.identity();
}

void give_back_observations(ExecState& state, const ProgramOperand& operand, Observations& to) {
  swap_columns(state.series_of(operand.slot).column, to.column);
}

}  // namespace pmjit
