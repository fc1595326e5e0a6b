// The lanes step: a kernel over the joined lanes of its inputs.
//
// The updates of the step's clock are cut into stretches in which every input keeps its shape: its
// rows follow each other in memory, or one row holds, and rosters stay the same. A stretch is one
// kernel call. A history need not look back to the row before (clock_tracks.h): its rows are
// gathered.

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/base/limits.h"
#include "runtime/exec/dense_operand.h"
#include "runtime/exec/state.h"

namespace pmjit {

// All inputs at one update.
struct InputsAtUpdate {
  std::vector<InputRow> inputs;
  double seconds = 0;
};

// Content is of one stretch; by input where there are several.
struct LanesScratch {
  InputsAtUpdate start, next;  // the first update of the stretch, and one behind it
  std::vector<InputStretch> stretches;
  std::vector<double> seconds;
  std::vector<DenseOperand> operands;
  std::vector<const void*> values;
  std::vector<const uint64_t*> valid;
  std::vector<uint64_t> bitmap;
};

namespace {

class LanesStep {
  using Shape = InputStretch::Shape;
  // Rows of a scattered stretch: where a history looks back to the row before again, the next one
  // finds that nothing has to be gathered.
  static constexpr uint32_t kScatteredMax = 256;

 public:
  LanesStep(ExecState& state, const Step& step, LanesScratch& scratch)
      : state_(state),
        step_(step),
        track_(state.track_of[step.out.index]),
        looks_back_(std::ranges::any_of(
            step.inputs,
            [](const StepInput& input) { return input.kind != StepInput::Kind::now; })),
        has_seconds_(std::ranges::any_of(
            step.inputs,
            [](const StepInput& input) { return input.kind == StepInput::Kind::seconds; })),
        out_(state.series_of(step.out)),
        start_(scratch.start),
        next_(scratch.next),
        stretches_(scratch.stretches),
        seconds_(scratch.seconds),
        operands_(scratch.operands),
        values_(scratch.values),
        valid_(scratch.valid),
        bitmap_(scratch.bitmap) {
    if (operands_.size() < step.inputs.size()) operands_.resize(step.inputs.size());
  }

  void run() {
    out_.start_round(state_.slot(step_.out).elem);
    if (track_ == kNoIndex) return run_constant();
    const Track& track = state_.tracks[track_];
    const auto updates = static_cast<uint32_t>(track.rows().size());
    uint32_t first = 0;
    while (first < updates) {
      resolve(first, start_);
      decide_roster();
      uint32_t rows = 1;
      seconds_.assign(1, start_.seconds);
      const uint32_t rows_max = std::max<uint32_t>(
          1, static_cast<uint32_t>(limits::kLanesPerCall / std::max<uint64_t>(1, lanes_)));
      if (rest_is_alike(first)) rows = take_rest(first, std::min(rows_max, updates - first));
      while (first + rows < updates && rows < rows_max) {
        resolve(first + rows, next_);
        if (!continues(next_, rows)) break;
        seconds_.push_back(next_.seconds);
        ++rows;
      }
      call(first, rows);
      first += rows;
    }
    if (even_ > 0) share_rows();
  }

 private:
  // A constant is computed once and stays as the carried row. It has no past.
  void run_constant() {
    if (!out_.carried.rows.empty()) return;
    start_.inputs.clear();
    start_.seconds = 0;
    for (const StepInput& input : step_.inputs) {
      InputRow row = state_.at(input.slot, RowRef{RowRef::kCarried});
      if (input.kind == StepInput::Kind::before) row.status = kFirstSample;
      start_.inputs.push_back(row);
    }
    decide_roster();
    seconds_.assign(1, 0);
    const uint64_t offset = call_kernel(1);
    out_.column.rows.push_back(Row{.roster_id = roster_, .offset = offset});
    out_.offered.push_back(offered_);
    if (step_.picks) drop_lanes(0, out_.column.rows.edit().back());
    out_.keep_last(state_.rosters);
    out_.end_round();
  }

  void resolve(uint32_t update, InputsAtUpdate& out) {
    const Track& track = state_.tracks[track_];
    const uint32_t group = track.rows()[update].group;
    out.inputs.clear();
    out.seconds = 0;
    const Track::Before before = looks_back_ ? track.before(update) : Track::Before{};
    for (const StepInput& input : step_.inputs) {
      switch (input.kind) {
        case StepInput::Kind::now: out.inputs.push_back(state_.in_force(input.slot, group)); break;
        case StepInput::Kind::before: {
          InputRow row = state_.at(input.slot, before.row);
          row.status = before.row.none() ? (before.gap ? kGap : kFirstSample)
                                         : status_of_history(row.status);
          out.inputs.push_back(row);
          break;
        }
        case StepInput::Kind::seconds:
          out.seconds = before.seconds;
          out.inputs.push_back(InputRow{.roster = Rosters::kNobodyId});
          break;
      }
    }
  }

  // The instances of the result: offered by any operand, and vacant in none. Of a ?: whose arms may
  // lack lanes the guard decides; drop_lanes() sees to the arms when values are known.
  void decide_roster() {
    Rosters& rosters = state_.rosters;
    RosterId offered = Rosters::kNobodyId, vacant = Rosters::kNobodyId;
    RosterId singular = Rosters::kSingularId;  // or one lane per host
    bool has_lanes = false, gone = false;
    stretches_.clear();
    lanes_known_ = false;
    for (size_t i = 0; i < step_.inputs.size(); ++i) {
      const InputRow& row = start_.inputs[i];
      stretches_.push_back({.first = row});
      const StepInput& input = step_.inputs[i];
      if (input.kind == StepInput::Kind::seconds) continue;
      const bool may_lack = step_.picks && static_cast<int32_t>(i) != step_.picks->guard;
      if (!state_.slot(input.slot).has_lanes) {
        gone = gone || (!may_lack && row.nobody() && now_of(start_, i).status == kKnown);
        if (rosters.has_hosts(row.roster)) singular = row.roster;
        continue;
      }
      has_lanes = true;
      if (input.kind == StepInput::Kind::now) {
        lanes_known_ = lanes_known_ || row.status == kKnown;
        offered = rosters.merge(offered, row.offered);
        if (may_lack) continue;
        vacant = rosters.merge(vacant, rosters.without(row.offered, row.roster));
      } else if (row.column && row.status == kKnown) {
        vacant = rosters.merge(vacant, rosters.without(now_of(start_, i).roster, row.roster));
        vacant =
            rosters.merge(vacant, renamed(state_.slot(input.slot).domain, now_of(start_, i), row));
      }
    }
    // A single value is repeated for every lane: so is that it is vacant.
    lanes_known_ = lanes_known_ || gone;
    roster_ = has_lanes ? rosters.without(offered, vacant) : singular;
    if (gone) roster_ = Rosters::kNobodyId;
    offered_ = has_lanes ? offered : singular;
    lanes_ = rosters.size(roster_);
  }

  // Instances whose name changed between two rows: the identifier is another instance's now.
  RosterId renamed(InDomId domain, const InputRow& now, const InputRow& before) {
    const Catalog& catalog = state_.names_at(now.column->rows[now.row].record);
    const Stamp now_at = now.column->rows[now.row].stamp;
    const Stamp then_at = before.column->rows[before.row].stamp;
    const uint64_t epoch = catalog.domain_epoch(domain, now_at);
    if (epoch != Catalog::kAskAgain && epoch == catalog.domain_epoch(domain, then_at)) {
      return Rosters::kNobodyId;
    }
    Rosters& rosters = state_.rosters;
    const auto changed = catalog.changed_between(domain, then_at, now_at);
    const RosterId asked =
        changed ? rosters.common(rosters.intern(*changed), now.roster) : now.roster;
    std::vector<int32_t> out;
    for (int32_t instance : rosters.instances(asked)) {
      if (catalog.held_name(domain, instance, now_at) !=
          catalog.held_name(domain, instance, then_at)) {
        out.push_back(instance);
      }
    }
    return rosters.intern(out);
  }

  // Do both rows of a history, here and at the start of the stretch, see one set of instance names?
  bool same_names(size_t i, const InputsAtUpdate& next) const {
    const StepInput& input = step_.inputs[i];
    if (input.kind != StepInput::Kind::before || !next.inputs[i].column) return true;
    const InDomId domain = state_.slot(input.slot).domain;
    if (domain == kNullId) return true;
    const auto first = same_epoch(domain, start_.inputs[i], now_of(start_, i));
    const auto later = same_epoch(domain, next.inputs[i], now_of(next, i));
    // Of many hosts each counts its own changes.
    return first && later && (!state_.rows_of_hosts.empty() || first == later);
  }

  // Of the two rows of a history; none: names may have changed between them.
  std::optional<uint64_t> same_epoch(InDomId domain, const InputRow& before,
                                     const InputRow& now) const {
    const Catalog& catalog = state_.names_at(now.column->rows[now.row].record);
    const uint64_t epoch = catalog.domain_epoch(domain, before.column->rows[before.row].stamp);
    if (epoch == Catalog::kAskAgain ||
        epoch != catalog.domain_epoch(domain, now.column->rows[now.row].stamp)) {
      return std::nullopt;
    }
    return epoch;
  }

  // The `now` input of the slot whose `before` is input i.
  const InputRow& now_of(const InputsAtUpdate& update, size_t i) const {
    for (size_t k = 0; k < step_.inputs.size(); ++k) {
      if (step_.inputs[k].kind == StepInput::Kind::now &&
          step_.inputs[k].slot == step_.inputs[i].slot) {
        return update.inputs[k];
      }
    }
    return update.inputs[i];
  }

  // Does `next`, `rows` updates after the first, have the shape of the stretch?
  bool continues(const InputsAtUpdate& next, uint32_t rows) {
    for (size_t i = 0; i < next.inputs.size(); ++i) {
      const InputRow& first = stretches_[i].first;
      const InputRow& row = next.inputs[i];
      if (row.column != first.column || row.roster != first.roster ||
          row.offered != first.offered || row.status != first.status) {
        return false;
      }
      if (!same_names(i, next)) return false;
      if (!row.column || first.status != kKnown) continue;
      const uint64_t lanes = state_.rosters.size(first.roster);
      const uint64_t base = first.column->rows[first.row].offset;
      const bool advances =
          row.row == first.row + rows && row.column->rows[row.row].offset == base + rows * lanes;
      const bool holds = row.row == first.row;
      Shape& shape = stretches_[i].shape;
      if (rows == 1 && !advances) shape = Shape::holds;
      if (shape == Shape::advances ? advances : shape == Shape::holds && holds) continue;
      if (step_.inputs[i].kind != StepInput::Kind::before || rows >= kScatteredMax) return false;
      scatter(stretches_[i], rows);
      stretches_[i].offsets.push_back(row.column->rows[row.row].offset);
    }
    return true;
  }

  // Do all updates behind the first of a stretch have its shape? Nearly always they do. False: that
  // is not known without a look at each of them.
  bool rest_is_alike(uint32_t first) {
    const Track& track = state_.tracks[track_];
    if (looks_back_ && (first == 0 || track.steady_seconds() == nullptr)) return false;
    for (size_t i = 0; i < step_.inputs.size(); ++i) {
      const StepInput& input = step_.inputs[i];
      if (input.kind == StepInput::Kind::seconds || state_.constant(input.slot)) continue;
      const Track& of_input = state_.track_for(input.slot);
      const bool same_rows =
          &of_input == &track || (of_input.follows_groups() && track.follows_groups());
      if (!same_rows || !state_.is_even(input.slot)) return false;
      if (input.kind == StepInput::Kind::before && !keeps_names(i)) return false;
    }
    return true;
  }

  // From the row that the stretch looks back to on: no instance got another name.
  bool keeps_names(size_t i) const {
    const SlotId slot = step_.inputs[i].slot;
    const InDomId domain = state_.slot(slot).domain;
    if (domain == kNullId) return true;
    InputRow last = now_of(start_, i);
    last.row = static_cast<uint32_t>(state_.series_of(slot).column.rows.size() - 1);
    return same_epoch(domain, start_.inputs[i], last).has_value();
  }

  // Makes so many updates one stretch.
  uint32_t take_rest(uint32_t first, uint32_t rows) {
    for (size_t i = 0; i < step_.inputs.size() && rows > 1; ++i) {
      const StepInput& input = step_.inputs[i];
      if (input.kind == StepInput::Kind::seconds) continue;
      if (state_.constant(input.slot)) stretches_[i].shape = Shape::holds;
    }
    if (has_seconds_) {
      const std::vector<double>& seconds = *state_.tracks[track_].steady_seconds();
      seconds_.assign(seconds.begin() + first, seconds.begin() + first + rows);
    }
    return rows;
  }

  // From here on each update has a row of its own.
  void scatter(InputStretch& stretch, uint32_t rows) const {
    if (stretch.shape == Shape::scattered) return;
    const uint64_t lanes = state_.rosters.size(stretch.first.roster);
    const uint64_t step = stretch.shape == Shape::advances ? lanes : 0;
    const uint64_t base = stretch.first.column->rows[stretch.first.row].offset;
    stretch.offsets.clear();
    for (uint32_t r = 0; r < rows; ++r) stretch.offsets.push_back(base + r * step);
    stretch.shape = Shape::scattered;
  }

  // Nearly always each row of a wave is known and has the same lanes. Then the steps of a track
  // share one list of rows. The column gets it behind the last update (share_rows).
  void call(uint32_t first, uint32_t rows) {
    const uint64_t base = call_kernel(rows);
    int32_t status = kKnown;
    for (const InputStretch& stretch : stretches_) {
      if (status == kKnown) status = stretch.first.status;
    }
    const bool as_before =
        even_ == first && (first == 0 || (roster_ == even_roster_ && offered_ == even_offered_));
    if (status == kKnown && !step_.picks && as_before) {
      even_roster_ = roster_;
      even_offered_ = offered_;
      even_ += rows;
      return;
    }
    list_rows();
    put_rows(first, rows, base, status);
  }

  // The last: all rows of the wave are even.
  void share_rows() {
    out_.column.rows = state_.rows_at_updates(track_, even_roster_);
    if (even_offered_ != even_roster_) out_.offered.assign(even_, even_offered_);
    state_.even[step_.out.index] = ExecState::Even::yes;
  }

  // The even rows so far as a list of this column alone, for the next row is another.
  void list_rows() {
    if (even_ == 0) return;
    const uint32_t rows = std::exchange(even_, 0);
    const RowList& all = state_.rows_at_updates(track_, even_roster_);
    out_.column.rows.edit().assign(all.begin(), all.begin() + rows);
    out_.offered.assign(rows, even_offered_);
  }

  void put_rows(uint32_t first, uint32_t rows, uint64_t base, int32_t status) {
    const Track& track = state_.tracks[track_];
    std::vector<Row>& made = out_.column.rows.edit();
    for (uint32_t r = 0; r < rows; ++r) {
      const TrackRow& at = track.rows()[first + r];
      const uint64_t offset = base + r * lanes_;
      made.push_back(
          Row{.stamp = at.stamp, .roster_id = roster_, .record = at.group, .offset = offset});
      const bool no_lanes = lanes_ == 0 && lanes_known_;
      if (status != kKnown && !no_lanes && none_valid(offset)) {
        made.back().status = status;
      }
      out_.offered.push_back(offered_);
      if (step_.picks) drop_lanes(r, made.back());
    }
  }

  // Is lane `instance` vacant in an arm: offered by it, and not there?
  bool vacant_in(int32_t input, int32_t instance) const {
    if (input == PickInputs::kConstant) return false;
    const InputRow& row = stretches_[static_cast<size_t>(input)].first;
    if (!row.column || row.status != kKnown) return false;
    if (!state_.slot(step_.inputs[static_cast<size_t>(input)].slot).has_lanes) return row.nobody();
    const auto there = state_.rosters.instances(row.roster);
    const auto offered = state_.rosters.instances(row.offered);
    return std::ranges::binary_search(offered, instance) &&
           !std::ranges::binary_search(there, instance);
  }

  // Row `r` of the stretch loses the lanes that the arm picked for them lacks.
  void drop_lanes(uint32_t r, Row& row) {
    const PickInputs& picks = *step_.picks;
    const bool always = picks.guard == PickInputs::kConstant;
    const DenseOperand* guard = always ? nullptr : &operands_[static_cast<size_t>(picks.guard)];
    const auto arm_of = [&](uint64_t lane) {
      if (always) return picks.left == PickInputs::kOther ? picks.right : picks.left;
      return static_cast<const uint8_t*>(guard->values())[lane] != 0 ? picks.left : picks.right;
    };
    const size_t bytes = elem_bytes(out_.column.elem);
    std::byte* values = out_.column.values.data() + row.offset * bytes;
    std::vector<int32_t> kept;
    const auto instances = state_.rosters.instances(roster_);
    for (uint64_t i = 0; i < lanes_; ++i) {
      const uint64_t lane = r * lanes_ + i;
      const bool known = always || guard->valid() == nullptr || bits::get(guard->valid(), lane);
      if (known && vacant_in(arm_of(lane), instances[i])) continue;
      const uint64_t to = kept.size();
      if (to != i) {
        std::memcpy(values + to * bytes, values + i * bytes, bytes);
        const bool valid = out_.column.is_valid(row.offset + i);
        if (!out_.column.valid.empty()) {
          bits::set_range(out_.column.valid.data(), row.offset + to, 1, valid);
        }
      }
      kept.push_back(instances[i]);
    }
    if (kept.size() != lanes_) row.roster_id = state_.rosters.intern(kept);
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
        const bool has_lanes =
            slot.has_lanes || state_.rosters.has_hosts(stretches_[i].first.roster);
        operands_[i].make(state_.rosters, stretches_[i], slot.elem, has_lanes, roster_, rows);
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
    const Kernel& kernel = step_.kernel->now();
    kernel.fn(kernel.self, &frame);
    out_.column.set_validity(base, bitmap_.data(), count);
    step_.kernel->count(count);
    state_.stats.add_work(step_, kernel, count);
    return base;
  }

  ExecState& state_;
  const Step& step_;
  uint32_t track_;
  bool looks_back_, has_seconds_;
  Series& out_;
  InputsAtUpdate &start_, &next_;
  std::vector<InputStretch>& stretches_;
  std::vector<double>& seconds_;
  std::vector<DenseOperand>& operands_;
  std::vector<const void*>& values_;
  std::vector<const uint64_t*>& valid_;
  std::vector<uint64_t>& bitmap_;
  RosterId roster_, offered_;
  uint64_t lanes_ = 0;
  bool lanes_known_ = false;  // of an operand with instances at least
  uint32_t even_ = 0;         // so many rows, all so far, are even and not yet listed
  RosterId even_roster_, even_offered_;
};

}  // namespace

void run_lanes(ExecState& state, const Step& step) {
  if (state.lanes_scratch == nullptr) state.lanes_scratch = std::make_shared<LanesScratch>();
  LanesStep(state, step, *state.lanes_scratch).run();
}

}  // namespace pmjit
