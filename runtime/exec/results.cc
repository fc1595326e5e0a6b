#include <algorithm>
#include <array>

#include "runtime/exec/state.h"

namespace pmjit {

namespace {

// Rows of a root that were put together one by one, and what they follow from. Roots of metrics
// that are logged together have equal ones.
struct RowsMade {
  const Track* track = nullptr;     // null: none were made
  const void* slot_rows = nullptr;  // the list of its slot; null: it has no rows
  uint64_t slot_values = 0;
  bool has_lanes = false;
  bool has_carried = false;
  Row carried{};  // the newest of the waves before
  bool uses_carried = false;
  RowList rows{};

  // Do the rows follow from the same?
  [[nodiscard]] bool like(const RowsMade& other) const {
    return track != nullptr && track == other.track && slot_rows == other.slot_rows &&
           slot_values == other.slot_values && has_lanes == other.has_lanes &&
           has_carried == other.has_carried && carried.roster_id == other.carried.roster_id &&
           carried.status == other.carried.status;
  }
};

// Those of the roots before: of a few, for every group that is logged together is one.
class RowsMadeLast {
 public:
  void add(RowsMade made) { last_[added_++ % last_.size()] = std::move(made); }
  [[nodiscard]] const RowsMade* like(const RowsMade& made) const {
    const auto found = std::ranges::find_if(last_, [&](const RowsMade& m) { return made.like(m); });
    return found == last_.end() ? nullptr : &*found;
  }

 private:
  std::array<RowsMade, 8> last_;
  size_t added_ = 0;
};

// The rows of a root at the evaluation times; values stay where they are, and a slow root's row is
// named by several times.
class RootColumn {
 public:
  RootColumn(ExecState& state, SlotId slot, Column& out) : state_(state), slot_(slot), out_(out) {}

  void make(const Wave& wave, const std::vector<uint32_t>& groups, bool last_use,
            RowsMadeLast& made, LaneReasons* reasons) {
    if (reasons != nullptr) *reasons = state_.reasons[slot_.index].of_value;
    if (groups.size() == wave.groups.size() && follows_groups()) return take_rows(wave, last_use);
    RowsMade mine = what_decides();
    const RowsMade* const other = reasons == nullptr ? made.like(mine) : nullptr;
    if (other != nullptr) return take_made(*other, last_use);
    std::vector<Row>& rows = mine.rows.edit();
    for (uint32_t group : groups) rows.push_back(row_at(wave, group));
    take_values(last_use);
    uint64_t carried_offset = kInCarried;
    for (uint32_t i = 0; i < rows.size(); ++i) {
      Row& row = rows[i];
      row.record = i;
      if (row.offset != kInCarried) continue;
      if (carried_offset == kInCarried) carried_offset = append_carried(reasons);
      row.offset = carried_offset;
    }
    mine.uses_carried = carried_offset != kInCarried;
    out_.rows = mine.rows;
    made.add(std::move(mine));
  }

 private:
  static constexpr uint64_t kInCarried = UINT64_MAX;

  void take_values(bool last_use) {
    Column& column = state_.series_of(slot_).column;
    if (last_use) {
      swap_columns(out_, column);
    } else {
      out_.copy_values(column);
    }
  }

  [[nodiscard]] RowsMade what_decides() const {
    const Series& series = state_.series_of(slot_);
    const RowList& rows = series.column.rows;
    RowsMade out{.slot_rows = rows.empty() ? nullptr : rows.identity(),
                 .slot_values = series.column.count,
                 .has_lanes = state_.slot(slot_).has_lanes,
                 .has_carried = !series.carried.rows.empty()};
    if (!state_.constant(slot_)) out.track = &state_.track_for(slot_);
    if (out.has_carried) out.carried = series.carried.rows.back();
    return out;
  }

  void take_made(const RowsMade& made, bool last_use) {
    take_values(last_use);
    if (made.uses_carried) append_carried(nullptr);
    out_.rows = made.rows;
  }

  // The values of the newest row of the waves before; where they are. The rows of out_ are gone.
  uint64_t append_carried(LaneReasons* reasons) {
    const Series& series = state_.series_of(slot_);
    const Row& source = series.carried.rows.back();
    out_.rows = {};
    out_.append_row(series.carried, source, state_.rosters.size(source.roster_id));
    const uint64_t offset = out_.rows.back().offset;
    if (reasons != nullptr) add_carried(source, offset, *reasons);
    return offset;
  }

  // Is each row of the slot the row of a group, with the stamp that the result has there?
  bool follows_groups() const {
    return !state_.constant(slot_) && state_.track_for(slot_).follows_groups();
  }

  void take_rows(const Wave& wave, bool last_use) {
    take_values(last_use);
    if (!last_use) out_.rows = state_.series_of(slot_).column.rows;
    if (state_.observed[slot_.index] && state_.series_of(slot_).segments.empty()) return;
    if (are_results(wave)) return;
    std::vector<Row>& rows = out_.rows.edit();
    for (uint32_t i = 0; i < rows.size(); ++i) {
      Row& row = rows[i];
      row.stamp = wave.groups[i].t;
      row.record = i;
      give_lane(row);
    }
  }

  // Nearly always: then the list stays shared. Those that share it are looked at once.
  [[nodiscard]] bool are_results(const Wave& wave) const {
    const void* const list = out_.rows.identity();
    if (list != nullptr && std::ranges::find(state_.result_rows, list) != state_.result_rows.end())
      return true;
    for (uint32_t i = 0; i < out_.rows.size(); ++i) {
      const Row& row = out_.rows[i];
      if (row.status != kKnown || row.record != i || row.stamp != wave.groups[i].t) return false;
    }
    state_.result_rows[state_.next_result_rows++ % state_.result_rows.size()] = list;
    return true;
  }

  // A result without instances has its one lane where it is unknown, too.
  void give_lane(Row& row) const {
    if (row.status == kKnown || state_.slot(slot_).has_lanes) return;
    if (!state_.rosters.has_hosts(row.roster_id)) row.roster_id = Rosters::kSingularId;
  }

  void add_carried(const Row& source, uint64_t at, LaneReasons& reasons) const {
    const std::vector<int32_t>& carried = state_.reasons[slot_.index].carried;
    const uint64_t lanes = state_.rosters.size(source.roster_id);
    for (uint64_t lane = 0; lane < lanes && source.offset + lane < carried.size(); ++lane) {
      const int32_t reason = carried[source.offset + lane];
      if (reason != kKnown) reasons[at + lane] = reason;
    }
  }

  Row row_at(const Wave& wave, uint32_t group) {
    const bool constant = state_.constant(slot_);
    const RowRef ref =
        constant ? RowRef{RowRef::kCarried} : state_.track_for(slot_).at_group(group);
    const InputRow input = state_.in_force(slot_, group);
    Row row{.stamp = wave.groups[group].t, .roster_id = input.roster, .status = input.status};
    give_lane(row);
    if (!input.column) return row;
    row.offset = ref.carried() ? kInCarried : input.column->rows[input.row].offset;
    return row;
  }

  ExecState& state_;
  SlotId slot_;
  Column& out_;
};

}  // namespace

std::vector<bool> last_uses(const Program& program) {
  std::vector<bool> out(program.roots.size());
  std::vector<bool> seen(program.slots.size());
  for (size_t k = program.roots.size(); k-- > 0;) {
    const uint32_t slot = program.roots[k].slot.index;
    out[k] = !seen[slot];
    seen[slot] = true;
  }
  return out;
}

void take_back_results(ExecState& state, ResultBlock& block) {
  const Program& program = *state.program;
  if (block.columns.size() != program.roots.size()) return;  // not the block of the last wave
  for (size_t k = 0; k < program.roots.size(); ++k) {
    if (!state.last_use[k]) continue;
    swap_columns(block.columns[k], state.series_of(program.roots[k].slot).column);
  }
}

void assemble(ExecState& state, const Wave& wave, const EvaluationOptions& options,
              ResultBlock& block) {
  const Program& program = *state.program;
  std::vector<uint32_t> groups;
  for (uint32_t g = 0; g < wave.groups.size(); ++g) {
    const Stamp t = wave.groups[g].t;
    if (t > options.to) break;
    if (t < options.from) continue;
    groups.push_back(g);
    block.times.push_back(t);
    if (!wave.hosts.empty()) block.hosts.push_back(wave.hosts[g]);
    block.segments.push_back(wave.groups[g].segment);
  }
  block.columns.resize(program.roots.size());
  block.reasons.resize(state.reasons.empty() ? 0 : program.roots.size());
  RowsMadeLast made;
  for (size_t k = 0; k < program.roots.size(); ++k) {
    Column& out = block.columns[k];
    RootColumn(state, program.roots[k].slot, out)
        .make(wave, groups, state.last_use[k], made,
              block.reasons.empty() ? nullptr : &block.reasons[k]);
  }
}

}  // namespace pmjit
