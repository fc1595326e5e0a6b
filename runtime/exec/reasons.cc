#include "runtime/exec/state.h"

#include <algorithm>
#include <cstring>

#include "runtime/base/result.h"

namespace pmjit {

namespace {

// A row of a slot, named by where it is.
struct SlotRow {
  SlotId slot;
  RowRef ref;
};

// What a lane is of.
struct LaneName {
  HostId host_id;  // of several
  int32_t instance = kSingular;
};

// The one lane of an input as a kernel's frame has it, or why there is none.
struct LaneInput {
  SlotRow place{};
  uint64_t lane = 0;
  uint64_t value = 0;
  uint64_t valid = 0;
  int32_t status = kKnown;
};

class Reasons {
 public:
  Reasons(ExecState& state, const Wave& wave)
      : state_(state), wave_(wave), step_of_(state.program->slots.size()) {
    for (const Step& step : state.program->steps) step_of_[step.out.index] = &step;
  }

  void of_root(SlotId slot);
  void of_kept_rows(SlotId slot);

 private:
  int32_t of_lane(SlotRow place, uint64_t lane);
  int32_t of_lane(const LaneInput& input);
  int32_t work_out(SlotRow place, uint64_t lane);
  int32_t of_operand(SlotRow place, uint64_t lane);
  int32_t of_lanes_step(const Step& step, SlotRow place, uint64_t lane);
  int32_t of_reduction(SlotRow source);
  int32_t of_hosts(const Step& step, SlotRow place, uint64_t lane);
  int32_t of_selection(const Step& step, SlotRow source);
  int32_t of_meeting(const Step& step, SlotRow place, uint64_t lane);
  // The lane of the same instance there.
  int32_t of_instance(SlotRow source, const LaneName& name);

  LaneInput input_of(const Step& step, size_t i, SlotRow place, const LaneName& name) const;
  void find_lane(LaneInput& input, const LaneName& name) const;
  [[nodiscard]] LaneName name_of(SlotRow place, uint64_t lane) const;
  [[nodiscard]] SlotRow in_force(SlotId slot, uint32_t group) const {
    const bool constant = state_.constant(slot);
    return {slot, constant ? RowRef{RowRef::kCarried} : track(slot).at_group(group)};
  }
  [[nodiscard]] const Track& track(SlotId slot) const { return state_.track_for(slot); }
  [[nodiscard]] const Column& column(SlotRow place) const {
    return state_.series_of(place.slot).column_of(place.ref);
  }
  [[nodiscard]] const Row& row(SlotRow place) const {
    return state_.series_of(place.slot).row_of(place.ref);
  }
  [[nodiscard]] uint64_t lanes(SlotRow place) const {
    return state_.rosters.size(row(place).roster_id);
  }
  [[nodiscard]] bool is_valid(SlotRow place, uint64_t lane) const {
    return column(place).is_valid(row(place).offset + lane);
  }

  ExecState& state_;
  const Wave& wave_;
  std::vector<const Step*> step_of_;  // of a slot; null: an operand
};

void Reasons::of_root(SlotId slot) {
  RowRef last;
  for (uint32_t group = 0; group < wave_.groups.size(); ++group) {
    const SlotRow place = in_force(slot, group);
    if (place.ref.none() || place.ref == last) continue;
    last = place.ref;
    if (row(place).status != kKnown) continue;
    for (uint64_t lane = 0; lane < lanes(place); ++lane) {
      if (!is_valid(place, lane)) of_lane(place, lane);
    }
  }
}

void Reasons::of_kept_rows(SlotId slot) {
  const auto rows = static_cast<int64_t>(state_.series_of(slot).column.rows.size());
  if (rows == 0) return;
  std::vector<int32_t>& kept = state_.reasons[slot.index].kept;
  kept.clear();
  for (SlotRow place{slot, state_.oldest_needed(slot)}; place.ref.index < rows; ++place.ref.index) {
    for (uint64_t lane = 0; lane < lanes(place); ++lane) {
      kept.push_back(is_valid(place, lane) ? kKnown : of_lane(place, lane));
    }
  }
}

int32_t Reasons::of_lane(SlotRow place, uint64_t lane) {
  if (row(place).status != kKnown) return row(place).status;
  SlotReasons& known = state_.reasons[place.slot.index];
  if (place.ref.carried()) {
    if (known.carried.empty()) known.carried.resize(lanes(place));  // of a constant
    int32_t& reason = known.carried[row(place).offset + lane];
    if (reason == kKnown) reason = work_out(place, lane);
    return reason;
  }
  const uint64_t value = row(place).offset + lane;
  if (const auto found = known.of_value.find(value); found != known.of_value.end()) {
    return found->second;
  }
  return known.of_value[value] = work_out(place, lane);
}

int32_t Reasons::work_out(SlotRow place, uint64_t lane) {
  const Step* step = step_of_[place.slot.index];
  if (step == nullptr) return of_operand(place, lane);
  const auto source = [&] { return SlotRow{step->inputs[0].slot, place.ref}; };
  const auto same_instance = [&] { return of_instance(source(), name_of(place, lane)); };
  switch (step->kind) {
    case StepKind::lanes: return of_lanes_step(*step, place, lane);
    case StepKind::reduce: return of_reduction(source());
    case StepKind::reduce_hosts: return of_hosts(*step, place, lane);
    case StepKind::select: return of_selection(*step, source());
    case StepKind::scalar:
      if (lanes(source()) == 1) return of_lane(source(), 0);
      return lanes(source()) == 0 ? kNobody : kSeveral;
    case StepKind::encode:
    case StepKind::decode:
    case StepKind::equals: return of_lane(source(), lane);
    case StepKind::matching: {
      // Of a lane that has a value it cannot be said whether it matches.
      const int32_t reason = same_instance();
      return reason == kKnown ? kNoName : reason;
    }
    case StepKind::meet: return of_meeting(*step, place, lane);
    case StepKind::sets:
    case StepKind::known:
    case StepKind::proven:
    case StepKind::nobody:
    case StepKind::spread: break;  // they leave out what is unknown
  }
  return kNoValue;
}

// Where several hosts answered: what became of that of the lane.
int32_t Reasons::of_operand(SlotRow place, uint64_t lane) {
  const std::vector<Segment>& answers = state_.series_of(place.slot).segments;
  if (answers.empty()) return kNoValue;
  const auto answer = std::ranges::find(answers, name_of(place, lane).host_id, &Segment::host_id);
  return answer == answers.end() || answer->status == kKnown ? kNoValue : answer->status;
}

int32_t Reasons::of_lanes_step(const Step& step, SlotRow place, uint64_t lane) {
  const LaneName name = name_of(place, lane);
  std::vector<LaneInput> inputs;
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    inputs.push_back(input_of(step, i, place, name));
  }
  std::vector<const void*> values;
  std::vector<const uint64_t*> valid;
  for (const LaneInput& input : inputs) {
    values.push_back(&input.value);
    valid.push_back(&input.valid);
  }
  uint64_t out = 0, out_valid = 0;
  const KernelFrame frame{.in = values.data(),
                          .valid = valid.data(),
                          .args = step.args.data(),
                          .rows = 1,
                          .lanes = 1,
                          .out = &out,
                          .out_valid = &out_valid};
  check(step.blame != nullptr, "a program that was made for reasons");
  const Blamed blamed = step.blame->of(frame);
  if (blamed.input == Blamed::kItself) return blamed.reason;
  const auto input = static_cast<size_t>(blamed.input);
  const int32_t reason = of_lane(inputs[input]);
  return step.inputs[input].kind == StepInput::Kind::before ? status_of_history(reason) : reason;
}

// As the lanes step resolves its inputs.
LaneInput Reasons::input_of(const Step& step, size_t i, SlotRow place, const LaneName& name) const {
  const StepInput& from = step.inputs[i];
  const bool constant = state_.constant(place.slot);
  const auto update = static_cast<uint32_t>(place.ref.index);
  const auto before = [&] { return constant ? Track::Before{} : track(place.slot).before(update); };
  LaneInput out;
  switch (from.kind) {
    case StepInput::Kind::seconds: {
      const double seconds = before().seconds;
      std::memcpy(&out.value, &seconds, sizeof seconds);
      out.valid = 1;
      return out;
    }
    case StepInput::Kind::before: {
      const Track::Before found = before();
      out.place = {from.slot, found.row};
      out.status = found.row.none() ? (found.gap ? kGap : kFirstSample)
                                    : status_of_history(row(out.place).status);
      break;
    }
    case StepInput::Kind::now: {
      const uint32_t group = constant ? 0 : row(place).record;
      out.place = in_force(from.slot, group);
      out.status = state_.in_force(from.slot, group).status;
      break;
    }
  }
  if (out.status == kKnown) find_lane(out, name);
  return out;
}

LaneName Reasons::name_of(SlotRow place, uint64_t lane) const {
  const RosterId id = row(place).roster_id;
  LaneName out{.host_id = {}, .instance = state_.rosters.instances(id)[lane]};
  for (const RosterSegment& host : state_.rosters.segments(id)) {
    if (lane >= host.first_lane && lane < host.first_lane + host.lanes) out.host_id = host.host_id;
  }
  return out;
}

void Reasons::find_lane(LaneInput& input, const LaneName& name) const {
  const Row& from = row(input.place);
  const bool several = state_.rosters.has_hosts(from.roster_id);
  if (state_.slot(input.place.slot).has_lanes || several) {
    input.status = kNoValue;
    for (const RosterSegment& host : state_.rosters.segments(from.roster_id)) {
      if (several && host.host_id != name.host_id) continue;
      const auto there = state_.rosters.instances(host.roster_id);
      const auto found = std::ranges::lower_bound(there, name.instance);
      if (found == there.end() || *found != name.instance) continue;
      input.lane = host.first_lane + static_cast<uint64_t>(found - there.begin());
      input.status = kKnown;
    }
  } else if (from.roster_id == Rosters::kNobodyId) {
    input.status = kNoValue;  // of an arm that is not picked
  }
  if (input.status != kKnown) return;
  const Column& values = column(input.place);
  const size_t bytes = elem_bytes(values.elem);
  std::memcpy(&input.value, values.values.data() + (from.offset + input.lane) * bytes, bytes);
  input.valid = values.is_valid(from.offset + input.lane) ? 1 : 0;
}

int32_t Reasons::of_lane(const LaneInput& input) {
  return input.status != kKnown ? input.status : of_lane(input.place, input.lane);
}

int32_t Reasons::of_reduction(SlotRow source) {
  if (row(source).status != kKnown) return row(source).status;
  for (uint64_t lane = 0; lane < lanes(source); ++lane) {
    if (!is_valid(source, lane)) return of_lane(source, lane);
  }
  return lanes(source) == 0 ? kNobody : kOverflow;
}

// The first host that is not known there. Of one value each, none may be left of all hosts.
int32_t Reasons::of_hosts(const Step& step, SlotRow place, uint64_t lane) {
  const LaneName name = name_of(place, lane);
  const uint32_t group = row(place).record;
  bool any_known = false;
  for (const StepInput& input : step.inputs) {
    LaneInput found{.place = in_force(input.slot, group),
                    .status = state_.in_force(input.slot, group).status};
    if (found.status != kKnown) return found.status;
    find_lane(found, name);
    if (found.status == kKnown && found.valid == 0) return of_lane(found);
    any_known = any_known || found.status == kKnown;
  }
  return any_known ? kOverflow : kNoValue;
}

int32_t Reasons::of_selection(const Step& step, SlotRow source) {
  const auto there = state_.rosters.instances(row(source).roster_id);
  for (const int32_t instance : there) {
    const auto name = state_.names.held_name(step.domain, instance, row(source).stamp);
    if (name == step.instance) return of_instance(source, {.host_id = {}, .instance = instance});
  }
  return row(source).status;
}

// Where the lane stood before it met.
int32_t Reasons::of_meeting(const Step& step, SlotRow place, uint64_t lane) {
  const uint32_t group = row(place).record;
  const SlotRow source = in_force(step.inputs[0].slot, group);
  const Row& from = row(source);
  const MetLanes& met =
      state_.meeting_of(step).met(from.roster_id, from.stamp, wave_.groups[group].t);
  const uint32_t source_lane = met.lanes[lane];
  return is_valid(source, source_lane) ? kNoName : of_lane(source, source_lane);
}

int32_t Reasons::of_instance(SlotRow source, const LaneName& name) {
  LaneInput input{.place = source, .status = row(source).status};
  if (input.status == kKnown) find_lane(input, name);
  if (input.status == kKnown && input.valid != 0) return kKnown;
  return of_lane(input);
}

}  // namespace

void find_reasons(ExecState& state, const Wave& wave) {
  if (state.reasons.empty()) return;
  Reasons reasons(state, wave);
  for (const ProgramRoot& root : state.program->roots) reasons.of_root(root.slot);
  for (uint32_t i = 0; i < state.series.size(); ++i) {
    if (!state.constant(SlotId{{i}})) reasons.of_kept_rows(SlotId{{i}});
  }
}

}  // namespace pmjit
