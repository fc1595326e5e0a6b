// The lanes step: a kernel over the joined lanes of its inputs.
//
// The updates of the step's clock are cut into stretches in which every input keeps its shape: its
// rows follow each other in memory, or one row holds, and rosters stay the same. A stretch is one
// kernel call.

#include <algorithm>

#include "runtime/base/limits.h"
#include "runtime/exec/gather.h"
#include "runtime/exec/state.h"

namespace pmjit {

namespace {

// All inputs at one update.
struct Update {
  std::vector<InputRow> inputs;
  double seconds = 0;
};

class LanesStep {
 public:
  LanesStep(ExecState& state, const Step& step)
      : state_(state),
        step_(step),
        track_(state.track_of[step.out.index]),
        operands_(step.inputs.size()),
        out_(state.series_of(step.out)) {}

  void run() {
    out_.start_round(state_.slot(step_.out).elem);
    if (track_ == kNoIndex) return run_constant();
    const Track& track = state_.tracks[track_];
    const auto updates = static_cast<uint32_t>(track.rows().size());
    uint32_t first = 0;
    Update next;
    while (first < updates) {
      resolve(first, start_);
      decide_roster();
      uint32_t rows = 1;
      seconds_.assign(1, start_.seconds);
      for (auto& stretch : stretches_) stretch.advances = true;
      const uint32_t rows_max = std::max<uint32_t>(
          1, static_cast<uint32_t>(limits::kLanesPerCall / std::max<uint64_t>(1, lanes_)));
      while (first + rows < updates && rows < rows_max) {
        resolve(first + rows, next);
        if (!continues(next, rows)) break;
        seconds_.push_back(next.seconds);
        ++rows;
      }
      call(first, rows);
      first += rows;
    }
  }

 private:
  // A constant is computed once and stays as the carried row.
  void run_constant() {
    if (!out_.carried.rows.empty()) return;
    stretches_.clear();
    for (const StepInput& input : step_.inputs) {
      stretches_.push_back({state_.at(input.slot, RowRef{RowRef::kCarried}), true});
    }
    roster_ = Rosters::kSingularId;
    lanes_ = 1;
    seconds_.assign(1, 0);
    call_kernel(1);
    out_.column.rows.push_back(Row{.roster_id = roster_});
    out_.offered.push_back(roster_);
    out_.carry(state_.rosters);
  }

  void resolve(uint32_t update, Update& out) {
    const Track& track = state_.tracks[track_];
    const uint32_t group = track.rows()[update].group;
    out.inputs.clear();
    out.seconds = 0;
    for (const StepInput& input : step_.inputs) {
      switch (input.kind) {
        case StepInput::Kind::now:
          out.inputs.push_back(state_.in_force(input.slot, group, track_));
          break;
        case StepInput::Kind::before: {
          const Track::Before before = track.before(update);
          InputRow row = state_.at(input.slot, before.row);
          if (before.row.none()) row.status = before.gap ? kGap : kFirstSample;
          out.inputs.push_back(row);
          break;
        }
        case StepInput::Kind::seconds:
          out.seconds = track.before(update).seconds;
          out.inputs.push_back(InputRow{.roster = Rosters::kNobodyId});
          break;
      }
    }
  }

  // The instances of the result: offered by any operand, and vacant in none.
  void decide_roster() {
    Rosters& rosters = state_.rosters;
    RosterId offered = Rosters::kNobodyId, vacant = Rosters::kNobodyId;
    bool has_lanes = false;
    stretches_.clear();
    for (size_t i = 0; i < step_.inputs.size(); ++i) {
      const InputRow& row = start_.inputs[i];
      stretches_.push_back({row, true});
      const StepInput& input = step_.inputs[i];
      if (input.kind == StepInput::Kind::seconds || !state_.slot(input.slot).has_lanes) continue;
      has_lanes = true;
      if (input.kind == StepInput::Kind::now) {
        offered = rosters.merge(offered, row.offered);
        vacant = rosters.merge(vacant, rosters.without(row.offered, row.roster));
      } else if (row.column && row.status == kKnown) {
        vacant = rosters.merge(vacant, rosters.without(now_of(i).roster, row.roster));
      }
    }
    roster_ = has_lanes ? rosters.without(offered, vacant) : Rosters::kSingularId;
    offered_ = has_lanes ? offered : Rosters::kSingularId;
    lanes_ = rosters.size(roster_);
  }

  // The `now` input of the slot whose `before` is input i.
  const InputRow& now_of(size_t i) const {
    for (size_t k = 0; k < step_.inputs.size(); ++k) {
      if (step_.inputs[k].kind == StepInput::Kind::now &&
          step_.inputs[k].slot == step_.inputs[i].slot) {
        return start_.inputs[k];
      }
    }
    return start_.inputs[i];
  }

  // Does `next`, `rows` updates after the first, have the shape of the stretch?
  bool continues(const Update& next, uint32_t rows) {
    for (size_t i = 0; i < next.inputs.size(); ++i) {
      const InputRow& first = stretches_[i].first;
      const InputRow& row = next.inputs[i];
      if (row.column != first.column || row.roster != first.roster ||
          row.offered != first.offered || row.status != first.status) {
        return false;
      }
      if (!row.column || first.status != kKnown) continue;
      const uint64_t lanes = state_.rosters.size(first.roster);
      const uint64_t base = first.column->rows[first.row].offset;
      const bool advances =
          row.row == first.row + rows && row.column->rows[row.row].offset == base + rows * lanes;
      const bool holds = row.row == first.row;
      if (rows == 1) stretches_[i].advances = advances;
      if (stretches_[i].advances ? !advances : !holds) return false;
    }
    return true;
  }

  void call(uint32_t first, uint32_t rows) {
    const uint64_t base = call_kernel(rows);
    const Track& track = state_.tracks[track_];
    int32_t status = kKnown;
    for (const InputStretch& stretch : stretches_) {
      if (status == kKnown) status = stretch.first.status;
    }
    for (uint32_t r = 0; r < rows; ++r) {
      const TrackRow& at = track.rows()[first + r];
      const uint64_t offset = base + r * lanes_;
      out_.column.rows.push_back(
          Row{.stamp = at.stamp, .roster_id = roster_, .record = at.group, .offset = offset});
      if (status != kKnown && none_valid(offset)) out_.column.rows.back().status = status;
      out_.offered.push_back(offered_);
    }
  }

  bool none_valid(uint64_t offset) const {
    for (uint64_t i = 0; i < lanes_; ++i) {
      if (out_.column.is_valid(offset + i)) return false;
    }
    return true;
  }

  // Fills the next rows × lanes values of the result and returns the index of the first.
  uint64_t call_kernel(uint32_t rows) {
    const uint64_t count = rows * lanes_;
    const uint64_t base = out_.column.grow(count);
    if (count == 0) return base;
    values_.clear();
    valid_.clear();
    for (size_t i = 0; i < stretches_.size(); ++i) {
      const StepInput& input = step_.inputs[i];
      if (input.kind == StepInput::Kind::seconds) {
        operands_[i].make_seconds(seconds_, static_cast<uint32_t>(lanes_));
      } else {
        const Slot& slot = state_.slot(input.slot);
        operands_[i].make(state_.rosters, stretches_[i], slot.elem, slot.has_lanes, roster_, rows);
      }
      values_.push_back(operands_[i].values());
      valid_.push_back(operands_[i].valid());
    }
    bitmap_.resize(bits::words_for(count));
    const KernelFrame frame{.in = values_.data(),
                            .valid = valid_.data(),
                            .args = step_.args.data(),
                            .rows = rows,
                            .lanes = lanes_,
                            .out = out_.column.values.data() + base * elem_bytes(out_.column.elem),
                            .out_valid = bitmap_.data()};
    step_.kernel.fn(step_.kernel.self, &frame);
    out_.column.set_validity(base, bitmap_.data(), count);
    (step_.kernel.compiled ? state_.stats.lanes_compiled : state_.stats.lanes_interpreted) += count;
    return base;
  }

  ExecState& state_;
  const Step& step_;
  uint32_t track_;
  std::vector<DenseOperand> operands_;
  Series& out_;
  Update start_;
  std::vector<InputStretch> stretches_;
  std::vector<double> seconds_;
  RosterId roster_, offered_;
  uint64_t lanes_ = 0;
  std::vector<const void*> values_;
  std::vector<const uint64_t*> valid_;
  std::vector<uint64_t> bitmap_;
};

}  // namespace

void run_lanes(ExecState& state, const Step& step) { LanesStep(state, step).run(); }

}  // namespace pmjit
