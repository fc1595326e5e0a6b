// Steps that leave out instances and keep the axis: matching, by external name as it is at the
// row's time; known, by whether there is a value. What is left out is vacant. And nobody, who never
// was.

#include <algorithm>
#include <vector>

#include "runtime/exec/state.h"

namespace pmjit {

namespace {

// Some lanes of a roster, and the roster that they are.
struct Subset {
  std::vector<uint32_t> lanes{};
  RosterId roster{};
};

template <class Keep>
Subset subset(Rosters& rosters, RosterId of, Keep keep) {
  Subset out;
  std::vector<int32_t> kept;
  const auto instances = rosters.instances(of);
  for (uint32_t lane = 0; lane < instances.size(); ++lane) {
    if (!keep(lane, instances[lane])) continue;
    out.lanes.push_back(lane);
    kept.push_back(instances[lane]);
  }
  out.roster = rosters.intern(kept);
  return out;
}

// Who matches is found again only when roster or instance domain have changed.
class Matching {
 public:
  Matching(ExecState& state, const Step& step) : state_(state), step_(step) {}

  void look_at(RosterId roster, Stamp when, uint32_t group) {
    const Catalog& catalog = state_.names_at(group);
    const uint64_t epoch = catalog.domain_epoch(step_.domain, when);
    const bool known = known_ == &catalog && epoch != Catalog::kAskAgain;
    if (known && roster == roster_ && epoch == epoch_) return;
    known_ = &catalog;
    roster_ = roster;
    epoch_ = epoch;
    nameless_.clear();
    found_ = subset(state_.rosters, roster, [&](uint32_t, int32_t instance) {
      const auto name = catalog.held_name(step_.domain, instance, when);
      const bool kept = !name || step_.pattern.matches(*name) == step_.matching;
      if (kept) nameless_.push_back(!name);
      return kept;
    });
  }

  void append(Series& out, const InputRow& input) const {
    append_lanes(out, input, found_.lanes, found_.roster);
    // Whether they match cannot be said: unknown.
    const uint64_t first = out.column.rows.back().offset;
    for (size_t i = 0; i < nameless_.size(); ++i) {
      if (nameless_[i]) out.column.mark_invalid(first + i, 1);
    }
  }

 private:
  ExecState& state_;
  const Step& step_;
  const Catalog* known_ = nullptr;  // by whom the rest is known
  RosterId roster_;
  uint64_t epoch_ = 0;
  Subset found_;
  std::vector<bool> nameless_;  // of its lanes
};

}  // namespace

void run_matching(ExecState& state, const Step& step) {
  Matching matching(state, step);
  each_row(state, step, [&](Series& out, const InputRow& input, const Row& row) {
    matching.look_at(row.roster_id, row.stamp, row.record);
    matching.append(out, input);
  });
}

namespace {

InputRow input_at(ExecState& state, const Step& step, uint32_t group) {
  const SlotId source = step.inputs[0].slot;
  InputRow input = state.in_force(source, group);
  if (!state.slot(source).has_lanes) input.offered = Rosters::kSingularId;
  return input;
}

void append_those_known(ExecState& state, Series& out, const InputRow& input) {
  if (input.status != kKnown) return append_lanes(out, input, {}, Rosters::kNobodyId);
  const uint64_t first = input.column->rows[input.row].offset;
  const uint64_t lanes = state.rosters.size(input.roster);
  if (input.column->all_valid(first, lanes)) return append_whole(out, input, lanes);
  const Subset there = subset(state.rosters, input.roster, [&](uint32_t lane, int32_t) {
    return input.column->is_valid(first + lane);
  });
  append_lanes(out, input, there.lanes, there.roster);
}

Row& append_known(ExecState& state, const Step& step, const InputRow& input, uint32_t group) {
  Series& out = state.series_of(step.out);
  append_those_known(state, out, input);
  Row& made = out.column.rows.edit().back();
  made.record = group;
  made.status = kKnown;
  return made;
}

// The error of the first operand that has one; none: kKnown.
int32_t error_of_operands(const ExecState& state, const Step& step, uint32_t group) {
  for (size_t i = 1; i < step.inputs.size(); ++i) {
    const int32_t status = state.in_force(step.inputs[i].slot, group).status;
    if (status < 0 || status == kHostDown) return status;
  }
  return kKnown;
}

void append_error(ExecState& state, const Step& step, const TrackRow& at, int32_t error) {
  Series& out = state.series_of(step.out);
  const bool has_lanes = state.slot(step.out).has_lanes;
  Row row{.stamp = at.stamp,
          .roster_id = has_lanes ? Rosters::kNobodyId : Rosters::kSingularId,
          .status = error,
          .record = at.group,
          .offset = out.column.grow(has_lanes ? 0 : 1)};
  if (!has_lanes) out.column.mark_invalid(row.offset, 1);
  out.column.rows.push_back(row);
  out.offered.push_back(row.roster_id);
}

}  // namespace

// At every group: what became stale meanwhile is not known any more.
void run_known(ExecState& state, const Step& step) {
  state.series_of(step.out).start_round(state.slot(step.out).elem);
  if (state.constant(step.out)) {
    append_known(state, step, input_at(state, step, 0), 0).stamp = {};
    return;
  }
  for (const TrackRow& at : state.track_for(step.out).rows()) {
    append_known(state, step, input_at(state, step, at.group), at.group).stamp = at.stamp;
  }
}

// As a sets step delivers: nobody is offered but those who have a value.
void run_proven(ExecState& state, const Step& step) {
  Series& out = state.series_of(step.out);
  out.start_round(state.slot(step.out).elem);
  for (const TrackRow& at : state.track_for(step.out).rows()) {
    if (const int32_t error = error_of_operands(state, step, at.group); error != kKnown) {
      append_error(state, step, at, error);
      continue;
    }
    Row& made = append_known(state, step, input_at(state, step, at.group), at.group);
    made.stamp = at.stamp;
    if (state.slot(step.out).has_lanes) out.offered.back() = made.roster_id;
  }
}

void run_nobody(ExecState& state, const Step& step) {
  Series& out = state.series_of(step.out);
  if (!out.carried.rows.empty()) return;
  out.start_round(state.slot(step.out).elem);
  out.column.rows.push_back(Row{.roster_id = Rosters::kNobodyId});
  out.offered.push_back(Rosters::kSingularId);
  out.keep_last(state.rosters);
  out.end_round();
}

}  // namespace pmjit
