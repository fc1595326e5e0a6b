#include "runtime/report/sweep/sweep_summary.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "runtime/base/bits.h"

namespace pmjit {

namespace {

constexpr uint64_t kWordLanes = 64;

// The lowest bits of eight bytes, the first byte's first: each is moved to a place of its own above
// bit 55. What is not known may be any byte.
uint64_t bits_of_eight(uint64_t bytes) {
  return ((bytes & 0x0101010101010101) * 0x0102040810204080) >> 56;
}

uint64_t truth_bits(const uint8_t* truths, uint64_t lanes) {
  uint64_t out = 0;
  uint64_t at = 0;
  for (; at + 8 <= lanes; at += 8) {
    uint64_t bytes = 0;
    std::memcpy(&bytes, truths + at, 8);
    out |= bits_of_eight(bytes) << at;
  }
  for (; at < lanes; ++at) out |= uint64_t{truths[at] & 1u} << at;
  return out;
}

uint64_t valid_bits(const uint64_t* valid, uint64_t from, uint64_t lanes) {
  const uint64_t word = from / kWordLanes, shift = from % kWordLanes;
  uint64_t out = valid[word] >> shift;
  if (shift + lanes > kWordLanes) out |= valid[word + 1] << (kWordLanes - shift);
  return out & bits::tail_mask(lanes);
}

}  // namespace

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

RowTruth fold_truths(const Column& column, uint64_t offset, uint64_t lanes, uint64_t* ever) {
  const auto* truths = column.values.as<uint8_t>() + offset;
  const uint64_t* valid = column.valid_or_null();
  RowTruth out;
  for (uint64_t at = 0; at < lanes; at += kWordLanes) {
    const uint64_t count = std::min(kWordLanes, lanes - at);
    uint64_t trues = truth_bits(truths + at, count);
    if (valid != nullptr) {
      const uint64_t known = valid_bits(valid, offset + at, count);
      trues &= known;
      out.unknown += count - static_cast<uint64_t>(std::popcount(known));
    }
    out.trues += static_cast<uint64_t>(std::popcount(trues));
    ever[at / kWordLanes] |= trues;
  }
  return out;
}

}  // namespace pmjit
