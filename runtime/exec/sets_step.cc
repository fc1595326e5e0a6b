// The sets step: whole value sets in, one out, at every group. What was known of an operand at that
// time is what a fetch would have brought; what was not is a set without values.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <string_view>

#include "runtime/base/limits.h"
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
    const std::vector<TrackRow>& rows = state_.tracks[track].rows();
    GuardCounts& counts = state_.stats.sets[step_.out.index];
    const bool at_once = step_.sets->why_one_by_one().empty();
    Guard guard = state_.rows_of_hosts.empty() ? Guard::refused : Guard::many_hosts;
    int refusals = at_once && state_.rows_of_hosts.empty() ? 0 : kRefusalsMax;
    for (uint32_t i = 0; i < rows.size(); ++i) {
      const TrackRow& row = rows[i];
      const Stamp when = wave.groups[row.group].t;
      own_ = &state_.sets[step_.out.index][state_.host_index(row.group)];
      if (refusals < kRefusalsMax) guard = find_stretch(wave, rows, i);
      if (guard == Guard::held) {
        MadeColumn made;
        if (own_->evaluation->run_columns(stamps_, columns_, made)) {
          put_columns(made);
          counts.hold(stamps_.size());
          refusals = 0;
          i += static_cast<uint32_t>(stamps_.size()) - 1;
          continue;
        }
        const bool changed = i > 0 && other_instances(rows[i - 1], row);
        guard = changed ? Guard::changes : Guard::refused;
        ++refusals;
      }
      counts.fail(guard);
      if (row.segment != own_->segment && state_.step == 0) forget(when);
      own_->segment = row.segment;
      evaluate(row.group, when);
    }
  }

 private:
  // What an evaluation lacks, instances or history, it has after some times. What refuses as often
  // as this does so through the wave.
  static constexpr int kRefusalsMax = 8;

  // Rows from `first` on at which each operand brings the same instances in the same order, with a
  // value each, as many as fit a call. They are two at least, or the answer is why not.
  Guard find_stretch(const Wave& wave, const std::vector<TrackRow>& rows, uint32_t first) {
    if (rows[first].segment != own_->segment) return Guard::begin;
    const size_t inputs = step_.inputs.size();
    first_.clear();
    columns_.clear();
    values_.resize(inputs);
    stamps_.clear();
    uint64_t lanes = 1;
    for (size_t i = 0; i < inputs; ++i) {
      const SlotId slot = step_.inputs[i].slot;
      const InputRow& row = first_.emplace_back(state_.in_force(slot, rows[first].group));
      if (!has_all(row)) return Guard::missing;
      const RosterId delivered = row.delivered.known() ? row.delivered : row.roster;
      columns_.push_back({.pmid = desc_of(slot).pmid,
                          .instances = state_.rosters.instances(delivered),
                          .lanes = state_.rosters.lanes(delivered, row.roster)});
      const auto& places = columns_.back().lanes;
      if (std::ranges::any_of(places, [](int32_t lane) { return lane < 0; })) {
        return Guard::missing;
      }
      values_[i].clear();
      lanes = std::max<uint64_t>(lanes, places.size());
    }
    const uint64_t rows_max = std::max<uint64_t>(1, limits::kLanesPerCall / lanes);
    for (uint32_t r = first; r < rows.size() && stamps_.size() < rows_max; ++r) {
      if (rows[r].segment != own_->segment || !take_row(rows[r].group)) break;
      stamps_.push_back(wave.groups[rows[r].group].t);
    }
    for (size_t i = 0; i < inputs; ++i) {
      columns_[i].values = std::span(values_[i]).first(stamps_.size());
    }
    if (stamps_.size() > 1) return Guard::held;
    const bool changes = first + 1 < rows.size() && other_instances(rows[first], rows[first + 1]);
    return changes ? Guard::changes : Guard::alone;
  }

  bool other_instances(const TrackRow& a, const TrackRow& b) const {
    return std::ranges::any_of(step_.inputs, [&](const StepInput& input) {
      return state_.in_force(input.slot, a.group).roster !=
             state_.in_force(input.slot, b.group).roster;
    });
  }

  // The values of each operand at a group; false: they are not as at the first of the stretch.
  bool take_row(uint32_t group) {
    for (size_t i = 0; i < first_.size(); ++i) {
      const InputRow row = state_.in_force(step_.inputs[i].slot, group);
      if (row.roster != first_[i].roster || row.delivered != first_[i].delivered || !has_all(row)) {
        return false;
      }
      const Column& column = *row.column;
      values_[i].push_back(column.values.data() +
                           column.rows[row.row].offset * elem_bytes(column.elem));
    }
    return true;
  }

  bool has_all(const InputRow& row) const {
    return row.column != nullptr && row.status == kKnown && is_number(row.column->elem) &&
           state_.rosters.size(row.roster) > 0 &&
           row.column->all_valid(row.column->rows[row.row].offset, state_.rosters.size(row.roster));
  }

  // In ascending order; of one instance that stands twice the first value.
  void put_columns(const MadeColumn& made) {
    const bool has_lanes = state_.slot(step_.out).has_lanes;
    places_.resize(made.instances.size());
    std::iota(places_.begin(), places_.end(), 0U);
    const auto instance = [&](uint32_t place) { return made.instances[place]; };
    if (has_lanes) {
      std::ranges::stable_sort(places_, {}, instance);
      const auto twice = std::ranges::unique(places_, {}, instance);
      places_.erase(twice.begin(), twice.end());
    } else {
      places_.resize(1);
    }
    instances_.clear();
    for (const uint32_t place : places_) instances_.push_back(instance(place));
    const RosterId roster =
        has_lanes ? state_.rosters.intern(instances_) : RosterId{Rosters::kSingularId};
    const uint64_t offset = out_.column.grow(stamps_.size() * places_.size());
    with_width(elem_bytes(out_.column.elem), [&]<class T>(T) {
      T* to = reinterpret_cast<T*>(out_.column.values.data()) + offset;
      const T* from = reinterpret_cast<const T*>(made.values);
      for (size_t t = 0; t < stamps_.size(); ++t, from += made.instances.size()) {
        for (const uint32_t place : places_) *to++ = from[place];
      }
    });
    std::vector<Row>& rows = out_.column.rows.edit();
    for (size_t t = 0; t < stamps_.size(); ++t) {
      rows.push_back(
          {.stamp = stamps_[t], .roster_id = roster, .offset = offset + t * places_.size()});
    }
    out_.offered.insert(out_.offered.end(), stamps_.size(), roster);
  }

  template <class F>
  static void with_width(size_t bytes, F f) {
    if (bytes == sizeof(uint32_t)) return f(uint32_t{});
    f(uint64_t{});
  }

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
  // Of the stretch at hand, by input.
  std::vector<InputRow> first_;
  std::vector<SetColumn> columns_;
  std::vector<std::vector<const std::byte*>> values_;
  std::vector<Stamp> stamps_;
  std::vector<uint32_t> places_;  // of instances_, in what was made
};

}  // namespace

void run_sets(ExecState& state, const Step& step, const Wave& wave) {
  SetsStep(state, step).run(wave);
}

}  // namespace pmjit
