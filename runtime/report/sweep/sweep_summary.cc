#include "runtime/report/sweep/sweep_summary.h"

#include <algorithm>
#include <bit>

#include "runtime/base/bits.h"
#include "runtime/report/sweep/truth_row.h"

namespace pmjit {

InstanceNumbers::OfLanes InstanceNumbers::of(RosterId roster) {
  if (const auto known = of_roster_.find(key_of(roster)); known != of_roster_.end()) {
    return known->second;
  }
  std::vector<uint32_t> numbers;
  for (const int32_t instance : rosters_.instances(roster)) {
    const auto next = static_cast<uint32_t>(number_of_.size());
    numbers.push_back(number_of_.try_emplace(instance, next).first->second);
  }
  if (of_roster_.size() >= kRostersKept) of_roster_.clear();
  return of_roster_[key_of(roster)] =
             std::make_shared<const std::vector<uint32_t>>(std::move(numbers));
}

uint64_t* EverTrue::lanes_of(RosterId roster, uint64_t lanes, InstanceNumbers& numbers) {
  if (roster_ != roster) {
    take();
    roster_ = roster;
    numbers_ = numbers.of(roster);
    by_lane_.assign(bits::words_for(lanes), 0);
  }
  return by_lane_.data();
}

uint64_t EverTrue::count() {
  take();
  return bits::count_set(by_number_.data(), by_number_.size() * 64);
}

void EverTrue::take() {
  if (!roster_) return;
  const std::vector<uint32_t>& number_of = *numbers_;
  for (size_t word = 0; word < by_lane_.size(); ++word) {
    for (uint64_t rest = by_lane_[word]; rest != 0; rest &= rest - 1) {
      const uint32_t number = number_of[word * 64 + static_cast<size_t>(std::countr_zero(rest))];
      if (number / 64 >= by_number_.size()) by_number_.resize(number / 64 + 1);
      bits::set(by_number_.data(), number);
    }
  }
}

SweepSummary::State SweepSummary::state_of(const Column& column, const Row& row,
                                           const Rosters& rosters, InstanceNumbers& numbers) {
  const uint64_t lanes = row.status == kKnown ? rosters.size(row.roster_id) : 0;
  if (lanes == 0) return State::unknown;
  const RowTruth truth =
      fold_truths(column, row.offset, lanes, ever.lanes_of(row.roster_id, lanes, numbers));
  most = std::max(most, truth.trues);
  if (truth.trues != 0) return State::yes;
  return truth.unknown != 0 ? State::unknown : State::no;
}

void SweepSummary::add(const SweepStep& step, const Column& column, const Row& row,
                       const Rosters& rosters, InstanceNumbers& numbers) {
  const State before = state_;
  state_ = state_of(column, row, rosters, numbers);
  if (step.joined && before == State::unknown) unknown_time += step.since;
  if (step.joined && before == State::yes) {
    true_time += step.since;
    episode_ += step.since;
    longest = std::max(longest, episode_);
  }
  if (state_ != State::yes) return;
  if (!step.joined || before != State::yes) {
    ++episodes;
    episode_ = 0;
  }
  if (!first) first = step.time;
  last = step.time;
}

}  // namespace pmjit
