// Roster: an ordered list of instances exactly as delivered, duplicates and all. Order is meaning:
// it decides the result's order, which instance is first, the order of a sum. Interned: equal id,
// equal list. A singular metric has the roster of one, {kSingular}.
//
// Join: for each lane of a result roster its lane in a source roster. Memoised, so that churn costs
// one linear merge a pair of rosters and nothing a row.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

#include "runtime/base/ids.h"

namespace pmjit {

struct RosterId : Id<RosterId> {};

using Lanes = std::vector<int32_t>;  // source lane of each lane, or kAbsentLane
inline constexpr int32_t kAbsentLane = -1;

// Not thread-safe: one a run (threads of one run have their own and meet by content).
class Rosters {
 public:
  Rosters();

  static constexpr RosterId kSingularId{{0}};
  static constexpr RosterId kNobodyId{{1}};  // no instances

  RosterId intern(std::span<const int32_t> instances);
  [[nodiscard]] std::span<const int32_t> instances(RosterId id) const;
  [[nodiscard]] uint32_t size(RosterId id) const;
  [[nodiscard]] bool ascending(RosterId id) const;  // strictly: no duplicates either

  // The same instances in ascending order, each once (the first of duplicates).
  RosterId sorted(RosterId id);
  // For each lane of `to`: the first lane of `from` with that instance. The reference stays valid.
  const Lanes& join(RosterId to, RosterId from);
  // Set operations on ascending rosters; results are ascending.
  RosterId merge(RosterId a, RosterId b);    // in a or in b
  RosterId without(RosterId a, RosterId b);  // in a and not in b
  RosterId common(RosterId a, RosterId b);   // in a and in b

 private:
  struct Entry {
    std::vector<int32_t> instances;
    bool ascending = true;
  };
  using Pair = uint64_t;
  static Pair pair(RosterId a, RosterId b) { return (uint64_t{a.index} << 32) | b.index; }
  template <class Make>
  RosterId memo(std::unordered_map<Pair, RosterId>& table, RosterId a, RosterId b, Make make);

  std::deque<Entry> entries_;
  std::unordered_multimap<uint64_t, uint32_t> by_hash_;
  std::unordered_map<Pair, Lanes> joins_;
  std::unordered_map<Pair, RosterId> merges_, withouts_, commons_;
  std::unordered_map<uint32_t, RosterId> sorted_;
};

}  // namespace pmjit
