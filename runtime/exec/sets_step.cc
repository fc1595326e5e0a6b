// The sets step: whole value sets in, one out, at every group. What was known of an operand at that
// time is what a fetch would have brought; what was not is a set without values.
#include <algorithm>
#include <cstring>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/exec/state.h"
#include "runtime/model/fetched_values.h"

namespace pmjit {

namespace {

class SetsStep {
 public:
  SetsStep(ExecState& state, const Step& step)
      : state_(state), step_(step), out_(state.series_of(step.out)) {
    for (SetsState& of_host : state.sets[step.out.index]) {
      of_host.sets.resize(step.inputs.size());
      if (of_host.evaluation == nullptr) of_host.evaluation = step.sets->start();
    }
  }

  void run(const Wave& wave) {
    out_.start_round(state_.slot(step_.out).elem);
    const uint32_t track = state_.track_of[step_.out.index];
    own_ = &state_.sets[step_.out.index].front();
    if (track == kNoIndex) return evaluate(0, wave.groups.front().t);
    for (const TrackRow& row : state_.tracks[track].rows()) {
      const Stamp when = wave.groups[row.group].t;
      own_ = &state_.sets[step_.out.index][state_.host_index(row.group)];
      if (row.segment != own_->segment && state_.step == 0) forget(when);
      own_->segment = row.segment;
      evaluate(row.group, when);
    }
  }

 private:
  // Nothing crosses a mark: to a history a sample without values comes between. On a grid PCP's
  // tools see none.
  void forget(Stamp when) {
    for (size_t i = 0; i < own_->sets.size(); ++i) {
      own_->sets[i].pmid = desc_of(step_.inputs[i].slot).pmid;
      own_->sets[i].count = 0;
      own_->sets[i].values.clear();
    }
    own_->evaluation->run(when, next_after(when), own_->sets, state_.catalog, own_->made);
  }

  // Of a host that does not answer there is no fetch to evaluate: history stays as it is.
  void evaluate(uint32_t group, Stamp when) {
    const auto is_down = [&](const StepInput& input) {
      return state_.in_force(input.slot, group).status == kHostDown;
    };
    if (std::ranges::any_of(step_.inputs, is_down)) return put(when, kHostDown);
    for (size_t i = 0; i < own_->sets.size(); ++i) {
      const SlotId slot = step_.inputs[i].slot;
      take(state_.in_force(slot, group), desc_of(slot), own_->sets[i]);
    }
    own_->evaluation->run(when, next_after(when), own_->sets, state_.catalog_at(group), own_->made);
    put(when, std::min(own_->made.count, 0));
  }

  Stamp next_after(Stamp when) const { return stamp_from_nanos(nanos(when) + state_.step); }

  const Desc& desc_of(SlotId slot) const {
    for (const ProgramOperand& operand : state_.program->operands) {
      if (operand.slot == slot) return operand.desc;
    }
    check(false, "an input of a sets step is an operand");
    return state_.program->operands.front().desc;
  }

  // The lanes that are there, as the values of a fetch, in the order of the record.
  void take(const InputRow& from, const Desc& desc, FetchedSet& to) {
    to.pmid = desc.pmid;
    to.values.clear();
    to.count = from.status < 0 ? from.status : 0;
    if (from.column == nullptr || from.status != kKnown) return;
    const RosterId delivered = from.delivered.known() ? from.delivered : from.roster;
    take_known(*from.column, from.column->rows[from.row].offset,
               state_.rosters.instances(delivered), state_.rosters.lanes(delivered, from.roster),
               desc, to);
  }

  // In ascending order, as rosters are here.
  void put(Stamp when, int32_t status) {
    FetchedSet& made = own_->made;
    const bool has_lanes = state_.slot(step_.out).has_lanes;
    Row row{.stamp = when, .roster_id = Rosters::kNobodyId, .status = status};
    row.offset = out_.column.grow(0);
    if (status != kKnown) {
      if (!has_lanes) add_unknown(row);
    } else if (!has_lanes) {
      if (made.count > 0) add_values(row, {&made.values.front(), 1}, Rosters::kSingularId);
    } else {
      std::ranges::stable_sort(made.values, {}, &Value::instance);
      const auto twice = std::ranges::unique(made.values, {}, &Value::instance);
      made.values.erase(twice.begin(), twice.end());
      instances_.clear();
      for (const Value& value : made.values) instances_.push_back(value.instance);
      add_values(row, made.values, state_.rosters.intern(instances_));
    }
    out_.column.rows.push_back(row);
    out_.offered.push_back(has_lanes ? row.roster_id : Rosters::kSingularId);
  }

  void add_unknown(Row& row) {
    row.roster_id = Rosters::kSingularId;
    row.offset = out_.column.grow(1);
    out_.column.mark_invalid(row.offset, 1);
  }

  void add_values(Row& row, std::span<const Value> values, RosterId roster) {
    const size_t bytes = elem_bytes(out_.column.elem);
    row.roster_id = roster;
    row.offset = out_.column.grow(values.size());
    std::byte* to = out_.column.values.data() + row.offset * bytes;
    for (const Value& value : values) {
      if (out_.column.elem == Elem::text) {
        const uint32_t index = out_.column.dictionary.add(text_of(value));
        std::memcpy(to, &index, sizeof(index));
      } else if (own_->made.format == ValueFormat::in_place) {
        std::memcpy(to, &value.word, sizeof(value.word));
      } else {
        std::memcpy(to, value.block.data(), bytes);
      }
      to += bytes;
    }
  }

  static std::string_view text_of(const Value& value) {
    const auto* text = reinterpret_cast<const char*>(value.block.data());
    return {text, strnlen(text, value.block.size())};
  }

  ExecState& state_;
  const Step& step_;
  Series& out_;
  SetsState* own_ = nullptr;  // of the host at hand
  std::vector<int32_t> instances_;
};

}  // namespace

void run_sets(ExecState& state, const Step& step, const Wave& wave) {
  SetsStep(state, step).run(wave);
}

}  // namespace pmjit
