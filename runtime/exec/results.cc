#include "runtime/exec/state.h"

namespace pmjit {

namespace {

// The rows of a root at the evaluation times; values stay where they are, and a slow root's row is
// named by several times.
class RootColumn {
 public:
  RootColumn(ExecState& state, SlotId slot, Column& out) : state_(state), slot_(slot), out_(out) {}

  // `rows`: scratch memory.
  void make(const Wave& wave, const std::vector<uint32_t>& groups, bool last_use,
            std::vector<Row>& rows, LaneReasons* reasons) {
    if (reasons != nullptr) *reasons = state_.reasons[slot_.index].of_value;
    if (groups.size() == wave.groups.size() && follows_groups()) return take_rows(wave, last_use);
    rows.clear();
    for (uint32_t group : groups) rows.push_back(row_at(wave, group));
    take_values(last_use);
    const Series& series = state_.series_of(slot_);
    for (Row& row : rows) {
      if (row.offset != kInCarried) continue;
      if (carried_offset_ == kInCarried) {
        const Row& source = series.carried.rows.back();
        out_.append_row(series.carried, source, state_.rosters.size(source.roster_id));
        carried_offset_ = out_.rows.back().offset;
        if (reasons != nullptr) add_carried(source, *reasons);
      }
      row.offset = carried_offset_;
    }
    for (uint32_t i = 0; i < rows.size(); ++i) rows[i].record = i;
    if (!out_.rows.has_own_list()) out_.rows = {};
    out_.rows.edit().assign(rows.begin(), rows.end());
  }

 private:
  static constexpr uint64_t kInCarried = UINT64_MAX;

  void take_values(bool last_use) {
    Column& column = state_.series_of(slot_).column;
    if (last_use) {
      std::swap(out_, column);
    } else {
      out_.copy_values(column);
    }
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
    if (out_.rows.identity() == state_.result_rows) return true;
    for (uint32_t i = 0; i < out_.rows.size(); ++i) {
      const Row& row = out_.rows[i];
      if (row.status != kKnown || row.record != i || row.stamp != wave.groups[i].t) return false;
    }
    state_.result_rows = out_.rows.identity();
    return true;
  }

  // A result without instances has its one lane where it is unknown, too.
  void give_lane(Row& row) const {
    if (row.status == kKnown || state_.slot(slot_).has_lanes) return;
    if (!state_.rosters.has_hosts(row.roster_id)) row.roster_id = Rosters::kSingularId;
  }

  void add_carried(const Row& source, LaneReasons& reasons) const {
    const std::vector<int32_t>& carried = state_.reasons[slot_.index].carried;
    const uint64_t lanes = state_.rosters.size(source.roster_id);
    for (uint64_t lane = 0; lane < lanes && source.offset + lane < carried.size(); ++lane) {
      const int32_t reason = carried[source.offset + lane];
      if (reason != kKnown) reasons[carried_offset_ + lane] = reason;
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
  uint64_t carried_offset_ = kInCarried;
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
    std::swap(block.columns[k], state.series_of(program.roots[k].slot).column);
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
  std::vector<Row> rows;
  for (size_t k = 0; k < program.roots.size(); ++k) {
    Column& out = block.columns[k];
    RootColumn(state, program.roots[k].slot, out)
        .make(wave, groups, state.last_use[k], rows,
              block.reasons.empty() ? nullptr : &block.reasons[k]);
  }
}

}  // namespace pmjit
