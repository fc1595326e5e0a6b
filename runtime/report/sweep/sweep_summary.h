// What a sweep says of one point: when, how long and of how many instances its truth value was
// true.
//
// A state holds from its evaluation to the next one, and after the last evaluation and before a gap
// for no time at all. A point is true while any instance is, else unknown while any instance is, or
// while nobody is there, else false. An episode is a time without a state in it that is not true,
// and without a gap.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/model/column.h"
#include "runtime/model/results.h"

namespace pmjit {

// An evaluation, for all points.
struct SweepStep {
  Stamp time;
  bool joined = false;  // to the one before it: nothing is between them
  Nanos since = 0;      // the time from there, if it is joined
};

// Numbers for the instances of a run, in the order in which they come.
class InstanceNumbers {
 public:
  using OfLanes = std::shared_ptr<const std::vector<uint32_t>>;

  explicit InstanceNumbers(const Rosters& rosters) : rosters_(rosters) {}
  OfLanes of(RosterId roster);

 private:
  static constexpr size_t kRostersKept = 64;
  const Rosters& rosters_;
  std::unordered_map<int32_t, uint32_t> number_of_;
  std::unordered_map<uint64_t, OfLanes> of_roster_;
};

// The instances that were ever true. What rows of one roster have in common is kept by lane.
class EverTrue {
 public:
  // Words for the lanes of this roster, to set bits in.
  uint64_t* lanes_of(RosterId roster, uint64_t lanes, InstanceNumbers& numbers);
  [[nodiscard]] uint64_t count();

 private:
  void take();

  std::optional<RosterId> roster_;
  InstanceNumbers::OfLanes numbers_;  // of its lanes
  std::vector<uint64_t> by_lane_, by_number_;
};

class SweepSummary {
 public:
  void add(const SweepStep& step, const Column& column, const Row& row, const Rosters& rosters,
           InstanceNumbers& numbers);

  std::optional<Stamp> first, last;  // evaluations at which it was true
  Nanos true_time = 0, unknown_time = 0, longest = 0;
  uint64_t episodes = 0;
  uint64_t most = 0;  // instances at once
  EverTrue ever;

 private:
  enum class State : uint8_t { no, yes, unknown };
  State state_of(const Column& column, const Row& row, const Rosters& rosters,
                 InstanceNumbers& numbers);

  State state_ = State::no;
  Nanos episode_ = 0;
};

// Truth values of a row, 64 lanes at a time: a sweep has tens of millions of them.
struct RowTruth {
  uint64_t trues = 0, unknown = 0;  // lanes
};

// Of `lanes` truth values from `offset` on. Bit i of `ever` becomes 1 where lane i is true; words
// for `lanes` bits.
RowTruth fold_truths(const Column& column, uint64_t offset, uint64_t lanes, uint64_t* ever);

}  // namespace pmjit
