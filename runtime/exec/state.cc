#include "runtime/exec/state.h"

#include <algorithm>
#include <cstring>

namespace pmjit {

InputRow ExecState::at(SlotId id, RowRef ref) const {
  const Series& from = series_of(id);
  if (!from.has(ref))
    return InputRow{
        .roster = Rosters::kNobodyId, .offered = Rosters::kNobodyId, .status = kNotYetLogged};
  const Column& column = from.column_of(ref);
  const auto row = static_cast<uint32_t>(from.index_of(ref));
  InputRow out{.column = &column,
               .row = row,
               .roster = column.rows[row].roster_id,
               .offered = from.offered_of(ref),
               .status = column.rows[row].status};
  if (from.keeps_order) out.delivered = from.delivered_of(ref);
  return out;
}

bool ExecState::is_even(SlotId id) {
  Even& known = even[id.index];
  if (known != Even::unknown) return known == Even::yes;
  const Series& from = series_of(id);
  const RowList& rows = from.column.rows;
  const void* const list = observed[id.index] ? rows.identity() : nullptr;
  const auto seen = std::ranges::find(even_lists, list, &EvenList::identity);
  if (list != nullptr && seen != even_lists.end()) {
    known = seen->even ? Even::yes : Even::no;
    return seen->even;
  }
  bool so = !rows.empty();
  const uint64_t lanes = so ? rosters.size(rows.front().roster_id) : 0;
  so = so && std::ranges::all_of(from.offered, [&](RosterId id) { return id == from.offered[0]; });
  for (size_t i = 0; i < rows.size() && so; ++i) {
    const Row& row = rows[i];
    so = row.status == kKnown && row.roster_id == rows.front().roster_id &&
         row.offset == rows.front().offset + i * lanes;
  }
  known = so ? Even::yes : Even::no;
  if (list != nullptr) {
    even_lists[next_even_list++ % even_lists.size()] = {.identity = list, .even = so};
  }
  return so;
}

const RowList& ExecState::rows_at_updates(uint32_t track, RosterId roster) {
  even_rows.resize(tracks.size());
  EvenRows& of_track = even_rows[tracks.shown_by(track)];
  for (const EvenRows::Made& made : of_track.made) {
    if (!made.rows.empty() && made.roster == roster) return made.rows;
  }
  EvenRows::Made& made = of_track.made[of_track.next++ % of_track.made.size()];
  made.roster = roster;
  made.rows = {};
  std::vector<Row>& rows = made.rows.edit();
  rows.reserve(tracks[track].rows().size());
  const uint64_t lanes = rosters.size(roster);
  uint64_t offset = 0;
  for (const TrackRow& update : tracks[track].rows()) {
    rows.push_back(
        Row{.stamp = update.stamp, .roster_id = roster, .record = update.group, .offset = offset});
    offset += lanes;
  }
  return made.rows;
}

const Catalog& ExecState::names_at(uint32_t group) const {
  if (rows_of_hosts.empty()) return names;
  return *hosts[host_index(group)];
}

RowRef ExecState::oldest_needed(SlotId id) const {
  const Track& track = track_for(id);
  if (looks_back[id.index]) return track.oldest_needed();
  return {static_cast<int64_t>(track.rows().size()) - 1};
}

// A row of this very group was made from what was known then; an older one holds as long as its
// operands are known.
InputRow ExecState::in_force(SlotId id, uint32_t group) const {
  if (constant(id)) return at(id, RowRef{RowRef::kCarried});
  const Track& track = track_for(id);
  InputRow input = at(id, track.at_group(group));
  if (!input.column) input.status = track.reason_at(group);
  const bool holds = input.column && !track.updated_at(group);
  if (holds && input.status == kKnown && !track.fresh_at(group)) input.status = kStale;
  return input;
}

Meeting& ExecState::meeting_of(const Step& step) {
  auto& meeting = meetings[step.out.index];
  if (meeting == nullptr) {
    meeting =
        std::make_unique<Meeting>(names, catalog, rosters, step.domain, slot(step.out).domain);
  }
  return *meeting;
}

void append_whole(Series& out, const InputRow& from, uint64_t lanes) {
  out.column.append_row(*from.column, from.column->rows[from.row], lanes);
  out.offered.push_back(from.offered);
}

void append_lanes(Series& out, const InputRow& from, std::span<const uint32_t> lanes,
                  RosterId roster) {
  Row row;
  if (from.column) row = from.column->rows[from.row];
  const uint64_t first = out.column.grow(lanes.size());
  const size_t bytes = elem_bytes(out.column.elem);
  for (size_t i = 0; i < lanes.size(); ++i) {
    const uint64_t lane = row.offset + lanes[i];
    std::memcpy(out.column.values.data() + (first + i) * bytes,
                from.column->values.data() + lane * bytes, bytes);
    if (!from.column->is_valid(lane)) out.column.mark_invalid(first + i, 1);
  }
  if (from.column) out.column.take_texts(*from.column, first, lanes.size());
  row.offset = first;
  row.roster_id = roster;
  out.column.rows.push_back(row);
  out.offered.push_back(from.offered);
}

void append_single(Series& out, const InputRow& from, int64_t lane) {
  const bool there = from.status == kKnown && lane >= 0;
  Row row;
  if (from.column) row = from.column->rows[from.row];
  if (there) {
    row.offset += static_cast<uint64_t>(lane);
    out.column.append_row(*from.column, row, 1);
  } else {
    row.offset = out.column.grow(1);
    out.column.rows.push_back(row);
    out.column.mark_invalid(row.offset, 1);
  }
  Row& made = out.column.rows.edit().back();
  made.roster_id = Rosters::kSingularId;
  made.status = from.status;
  out.offered.push_back(Rosters::kSingularId);
}

void append_vacant(Series& out, const InputRow& from) {
  Row row = from.column->rows[from.row];
  row.roster_id = Rosters::kNobodyId;
  row.offset = out.column.grow(0);
  out.column.rows.push_back(row);
  out.offered.push_back(Rosters::kSingularId);
}

}  // namespace pmjit
