// Roster: an ordered list of instances exactly as delivered, duplicates and all. Order is meaning:
// it decides the result's order, which instance is first, the order of a sum. Interned: equal id,
// equal list. A singular metric has the roster of one, {kSingular}.
//
// A roster of several hosts has a segment for each of them, one after the other; what a host has
// there is a roster of its own:
//
//   const RosterId both = rosters.intern_hosts({{{web1, disks_of_web1}, {web2, disks_of_web2}}});
//   rosters.segments(both)  →  {web1, disks_of_web1, 0, 2} {web2, disks_of_web2, 2, 3}
//
// Lanes of two such rosters meet by host and instance. A roster without hosts stands for the same
// instances of every host that the other one has. The empty roster is that of any hosts.
//
// Join: for each lane of a result roster its lane in a source roster, as stretches of lanes.
// Memoised, so that churn costs one linear merge a pair of rosters and nothing a row.
//
// Where instances come and go rosters would pile up. Whoever runs forgets those that nobody needs,
// between two rounds:
//
//   if (rosters.crowded()) { for (each id that is held) rosters.keep(id); rosters.forget_others();
//   }
//
// Ids are not used twice: one that was forgotten names nothing any more, which knows() tells to
// whoever has it in a cache; anybody else's use of it ends in check().
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/base/ids.h"

namespace pmjit {

// Stretches: how lanes of one list of instances are found in another. Lists mostly differ by a few
// instances, so that a few stretches say it all, and their values are copied side by side.
//
//   walk_both(x, y, [](size_t i, size_t k, size_t count) { … },   // x[i …] is y[k …]
//             [](size_t i, size_t count) { … },                   // in x alone
//             [](size_t k, size_t count) { … });                  // in y alone
using InstanceIds = std::span<const int32_t>;

// Lanes [to, to + count) of the one are lanes [from, from + count) of the other.
struct Stretch {
  uint32_t to = 0, from = 0, count = 0;
  friend bool operator==(const Stretch&, const Stretch&) = default;
};
using Stretches = std::vector<Stretch>;  // ascending by `to`; what none covers is absent

// Goes on with the last one where it can.
void append(Stretches& out, Stretch more);

// The first lanes of all instances of a list, in ascending order of the instances.
Stretches ascending_order(InstanceIds list);

// Behind the last value, from `from` on, that is greater than the one before it.
size_t ascent_end(InstanceIds list, size_t from);

// How far two lists are equal from their beginnings on, and where the first value that is not below
// `limit` stands at or behind `from`. Both look near by first.
size_t equal_length(InstanceIds x, InstanceIds y);
size_t reach(InstanceIds list, size_t from, int32_t limit);

// Two lists that ascend, each instance once, side by side.
template <class Both, class OnlyX, class OnlyY>
void walk_both(InstanceIds x, InstanceIds y, Both both, OnlyX only_x, OnlyY only_y) {
  size_t i = 0, k = 0;
  while (i < x.size() && k < y.size()) {
    if (x[i] == y[k]) {
      const size_t count = equal_length(x.subspan(i), y.subspan(k));
      both(i, k, count);
      i += count;
      k += count;
    } else if (x[i] < y[k]) {
      const size_t end = reach(x, i, y[k]);
      only_x(i, end - i);
      i = end;
    } else {
      const size_t end = reach(y, k, x[i]);
      only_y(k, end - k);
      k = end;
    }
  }
  if (i < x.size()) only_x(i, x.size() - i);
  if (k < y.size()) only_y(k, y.size() - k);
}

// Whose values these are: a place in the run's table of hosts, in the order in which they were
// named (hosts.h). Unknown: no host in particular, or the only one. What is of several hosts stands
// in ascending order: results, a sum over hosts, the segments of a roster.
struct HostId : Id<HostId> {};

struct RosterId : Id<RosterId> {
  uint32_t era = 0;  // how often rosters had been forgotten when it was made

  friend constexpr bool operator==(const RosterId&, const RosterId&) = default;
};
// For tables of what is known of a roster.
inline uint64_t key_of(RosterId id) { return uint64_t{id.era} << 32 | id.index; }

using Lanes = std::vector<int32_t>;  // source lane of each lane, or kAbsentLane
inline constexpr int32_t kAbsentLane = -1;

// What one host has of a roster of several.
struct HostRoster {
  HostId host_id;
  RosterId roster_id;  // without hosts
  friend constexpr bool operator==(const HostRoster&, const HostRoster&) = default;
};

// Lanes [first_lane, first_lane + lanes) of a roster are those of a host.
struct RosterSegment {
  HostId host_id;      // unknown: the roster is one without hosts
  RosterId roster_id;  // of this host alone; then it is the roster itself
  uint32_t first_lane = 0, lanes = 0;
};

// Not thread-safe: one a run (threads of one run have their own and meet by content).
class Rosters {
 public:
  Rosters();

  static constexpr RosterId kSingularId{{0}};
  static constexpr RosterId kNobodyId{{1}};  // no instances

  RosterId intern(std::span<const int32_t> instances);
  // Hosts ascend, and each stands once; a host may have nobody.
  RosterId intern_hosts(std::span<const HostRoster> hosts);
  // Of several hosts: those of all segments, one after the other.
  [[nodiscard]] std::span<const int32_t> instances(RosterId id) const;
  // One without hosts is one segment. Valid until another roster is made.
  [[nodiscard]] std::span<const RosterSegment> segments(RosterId id) const;
  [[nodiscard]] bool has_hosts(RosterId id) const { return !entry(id).hosts.empty(); }
  [[nodiscard]] uint32_t size(RosterId id) const;
  // Strictly: no duplicates either; of several hosts: each segment.
  [[nodiscard]] bool ascending(RosterId id) const;

  // The same instances in ascending order, each once (the first of duplicates).
  RosterId sorted(RosterId id);
  // For each lane of `to`: the first lane of `from` with that instance. References stay valid until
  // others are forgotten. If `from` has hosts, `to` has them, too: one lane is not of several.
  const Stretches& join(RosterId to, RosterId from);
  const Lanes& lanes(RosterId to, RosterId from);
  // Set operations on ascending rosters; results are ascending.
  RosterId merge(RosterId a, RosterId b);    // in a or in b
  RosterId without(RosterId a, RosterId b);  // in a and not in b
  RosterId common(RosterId a, RosterId b);   // in a and in b

  // False: it was forgotten, or names nothing.
  [[nodiscard]] bool knows(RosterId id) const {
    return id.index < entries_.size() && entries_[id.index].era == id.era;
  }
  // Is there much more than was kept the last time?
  [[nodiscard]] bool crowded() const;
  void keep(RosterId id);  // the next time, and its segments; nothing if it is not known
  void forget_others();    // joins, too

 private:
  struct Entry {
    std::vector<int32_t> instances{};
    std::vector<RosterSegment> hosts{};  // of several
    RosterSegment whole{};               // of one without hosts
    uint32_t era = 0;                    // of its id; kFree: there is none
    bool ascending = true;
    bool kept = false;
  };
  static constexpr uint32_t kFree = UINT32_MAX;
  using Pair = uint64_t;
  static Pair pair(RosterId a, RosterId b) { return (uint64_t{a.index} << 32) | b.index; }
  // How sorted(id) is found in it.
  const Stretches& order(RosterId id);
  [[nodiscard]] Stretches joined(RosterId to, RosterId from);
  [[nodiscard]] const Entry& entry(RosterId id) const;
  [[nodiscard]] std::optional<RosterId> find(std::span<const int32_t> list, uint64_t hash) const;
  [[nodiscard]] std::optional<RosterId> find(std::span<const HostRoster> hosts,
                                             uint64_t hash) const;
  RosterId add(std::vector<int32_t> list, uint64_t hash);
  RosterId intern_made(std::vector<int32_t> list);
  template <class Make>
  RosterId memo(std::unordered_map<Pair, RosterId>& table, RosterId a, RosterId b, Make make);
  // The same of rosters one of which has hosts (roster_hosts.cc). `of` is of one host's parts.
  using OfParts = RosterId (Rosters::*)(RosterId, RosterId);
  enum class Alone : uint8_t { goes, stays_in_a, stays };  // a host that only one of them has
  RosterId by_host(std::unordered_map<Pair, RosterId>& table, RosterId a, RosterId b, OfParts of,
                   Alone alone);
  [[nodiscard]] bool any_hosts(RosterId a, RosterId b) const {
    return has_hosts(a) || has_hosts(b);
  }
  RosterId sorted_hosts(RosterId id);
  [[nodiscard]] Stretches joined_hosts(RosterId to, RosterId from);

  std::vector<Entry> entries_;
  std::unordered_multimap<uint64_t, uint32_t> by_hash_;
  std::unordered_map<Pair, Stretches> joins_;
  std::unordered_map<Pair, Lanes> lanes_;
  std::unordered_map<Pair, RosterId> merges_, withouts_, commons_;
  std::unordered_map<uint32_t, RosterId> sorted_;
  std::unordered_map<uint32_t, Stretches> orders_;
  std::vector<uint32_t> free_;  // entries without a roster
  uint32_t era_ = 0;
  uint64_t bytes_ = 0, kept_bytes_ = 0;  // about: of everything, and when others were forgotten
};

}  // namespace pmjit
