// The reduction over hosts: one input per host; of each instance that one of them has, one value of
// those hosts that have it. Instances have one identifier for all hosts here (the domain of all
// hosts). A host of which nothing is known may have any instance, so it is unknown in all of them.
// The kernel is the one that reduces instances: its lanes are the hosts.

#include <algorithm>
#include <cstring>

#include "runtime/exec/state.h"

namespace pmjit {

namespace {

class HostsReduction {
 public:
  HostsReduction(ExecState& state, const Step& step)
      : state_(state),
        step_(step),
        out_(state.series_of(step.out)),
        has_lanes_(state.slot(step.out).has_lanes),
        elem_(state.slot(step.inputs[0].slot).elem) {}

  void run() {
    out_.start_round(state_.slot(step_.out).elem);
    if (state_.constant(step_.out)) return append(0, {});
    for (const TrackRow& at : state_.track_for(step_.out).rows()) {
      append(at.group, at.stamp);
    }
  }

 private:
  void append(uint32_t group, Stamp stamp) {
    inputs_.clear();
    for (const StepInput& input : step_.inputs) {
      inputs_.push_back(state_.in_force(input.slot, group));
    }
    const RosterId everyone = roster_of_all();
    Row row{.stamp = stamp, .roster_id = everyone, .record = group};
    const auto lost =
        std::ranges::find_if(inputs_, [](const InputRow& input) { return input.status != kKnown; });
    if (lost != inputs_.end() && (everyone == Rosters::kNobodyId || none_known())) {
      row.status = lost->status;
    }
    row.offset = out_.column.grow(state_.rosters.size(everyone));
    reduce_all(row);
    out_.column.rows.push_back(row);
    out_.offered.push_back(everyone);
  }

  [[nodiscard]] bool none_known() const {
    return std::ranges::none_of(inputs_,
                                [](const InputRow& input) { return input.status == kKnown; });
  }

  RosterId roster_of_all() {
    if (!has_lanes_) return Rosters::kSingularId;
    RosterId all = Rosters::kNobodyId;
    for (const InputRow& input : inputs_) {
      if (input.column != nullptr) all = state_.rosters.merge(all, input.roster);
    }
    return all;
  }

  // Instances that as many hosts have, one after the other, are one call of the kernel.
  void reduce_all(const Row& row) {
    const uint32_t lanes = state_.rosters.size(row.roster_id);
    maps_.clear();
    for (const InputRow& input : inputs_) {
      const bool there = input.column != nullptr && input.status == kKnown;
      maps_.push_back(there && has_lanes_ ? &state_.rosters.lanes(row.roster_id, input.roster)
                                          : nullptr);
    }
    uint64_t hosts = 0;
    for (uint32_t lane = 0, first = 0; lane < lanes; ++lane) {
      const uint64_t more = gather(lane);
      if (lane > first && more != hosts) {
        call(row.offset + first, lane - first, hosts);
        keep_last(more);
        first = lane;
      }
      hosts = more;
      if (lane + 1 == lanes) call(row.offset + first, lane + 1 - first, hosts);
    }
    values_.clear();
    valid_.clear();
    count_ = 0;
  }

  // Appends what the hosts have of an instance; how many have it.
  uint64_t gather(uint32_t lane) {
    uint64_t hosts = 0;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const InputRow& input = inputs_[i];
      if (input.status != kKnown || input.column == nullptr) {
        put(nullptr, false);
        ++hosts;
        continue;
      }
      if (!has_lanes_ && input.roster == Rosters::kNobodyId) continue;  // vacant
      const int32_t from = has_lanes_ ? (*maps_[i])[lane] : 0;
      if (from == kAbsentLane) continue;
      const uint64_t at = input.column->rows[input.row].offset + static_cast<uint64_t>(from);
      put(input.column->values.data() + at * elem_bytes(elem_), input.column->is_valid(at));
      ++hosts;
    }
    return hosts;
  }

  void put(const std::byte* value, bool valid) {
    const size_t bytes = elem_bytes(elem_);
    values_.resize((count_ + 1) * bytes);
    std::byte* const to = values_.data() + count_ * bytes;
    value != nullptr ? std::memcpy(to, value, bytes) : std::memset(to, 0, bytes);
    valid_.resize(bits::words_for(count_ + 1));
    valid ? bits::set(valid_.data(), count_) : bits::clear(valid_.data(), count_);
    ++count_;
  }

  // All that was gathered but for the last instance's is done.
  void keep_last(uint64_t hosts) {
    const size_t bytes = elem_bytes(elem_);
    std::memmove(values_.data(), values_.data() + (count_ - hosts) * bytes, hosts * bytes);
    std::vector<uint64_t> valid(bits::words_for(hosts));
    bits::copy(valid.data(), 0, valid_.data(), count_ - hosts, hosts);
    valid_ = std::move(valid);
    count_ = hosts;
  }

  void call(uint64_t out, uint32_t instances, uint64_t hosts) {
    const uint64_t values = instances * hosts;
    std::vector<uint64_t> in_valid(bits::words_for(std::max<uint64_t>(values, 1)));
    bits::copy(in_valid.data(), 0, valid_.data(), 0, values);
    std::vector<uint64_t> out_valid(bits::words_for(instances), 0);
    const void* first = values_.data();
    const uint64_t* first_valid = in_valid.data();
    const KernelFrame frame{.in = &first,
                            .valid = &first_valid,
                            .args = step_.args.data(),
                            .rows = instances,
                            .lanes = hosts,
                            .out = out_.column.values.data() + out * elem_bytes(out_.column.elem),
                            .out_valid = out_valid.data()};
    const Kernel& kernel = step_.kernel->now();
    kernel.fn(kernel.self, &frame);
    out_.column.set_validity(out, out_valid.data(), instances);
    step_.kernel->count(values);
    state_.stats.add_work(step_, kernel, values);
  }

  ExecState& state_;
  const Step& step_;
  Series& out_;
  bool has_lanes_;
  Elem elem_;
  std::vector<InputRow> inputs_;
  std::vector<const Lanes*> maps_;  // of each input: its lane of each instance
  Buffer values_;                   // of the instances that wait for a call
  std::vector<uint64_t> valid_;
  uint64_t count_ = 0;
};

}  // namespace

void run_reduce_hosts(ExecState& state, const Step& step) { HostsReduction(state, step).run(); }

}  // namespace pmjit
