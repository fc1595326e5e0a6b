// The meet step: what an operand over an equivalent domain has at a group, as instances of the
// domain that it meets. At every group: which names there are may have changed where the operand
// has not.

#include "runtime/exec/state.h"

namespace pmjit {

namespace {

void append_nothing(Series& out) {
  out.column.rows.push_back(Row{.roster_id = Rosters::kNobodyId, .offset = out.column.grow(0)});
  out.offered.push_back(Rosters::kNobodyId);
}

void append_met(ExecState& state, Meeting& meeting, const InputRow& input, Stamp when,
                Series& out) {
  const Row& row = input.column->rows[input.row];
  const RosterId offered = meeting.met(input.offered, row.stamp, when).roster;
  const MetLanes& met = meeting.met(input.roster, row.stamp, when);
  if (met.in_order) {
    append_whole(out, input, state.rosters.size(input.roster));
    out.column.rows.edit().back().roster_id = met.roster;
  } else {
    append_lanes(out, input, met.lanes, met.roster);
  }
  out.offered.back() = offered;
  const uint64_t first = out.column.rows.back().offset;
  for (size_t i = 0; i < met.nameless.size(); ++i) {
    if (met.nameless[i]) out.column.mark_invalid(first + i, 1);
  }
}

}  // namespace

void run_meet(ExecState& state, const Step& step, const Wave& wave) {
  Series& out = state.series_of(step.out);
  out.start_round(state.slot(step.out).elem);
  Meeting& meeting = state.meeting_of(step);
  const auto append = [&](uint32_t group, Stamp stamp) {
    const InputRow input = state.in_force(step.inputs[0].slot, group);
    if (input.column) {
      append_met(state, meeting, input, wave.groups[group].t, out);
    } else {
      append_nothing(out);
    }
    Row& made = out.column.rows.edit().back();
    made.stamp = stamp;
    made.record = group;
    made.status = input.status;
  };
  if (state.constant(step.out)) return append(0, {});
  for (const TrackRow& at : state.track_for(step.out).rows()) {
    append(at.group, at.stamp);
  }
}

}  // namespace pmjit
