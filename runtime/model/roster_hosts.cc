// Rosters of several hosts: every operation is that of the hosts' own rosters, host by host.

#include <algorithm>

#include "runtime/base/result.h"
#include "runtime/model/roster.h"

namespace pmjit {

namespace {

uint64_t hash_of(std::span<const HostRoster> hosts) {
  uint64_t h = 0x9e3779b97f4a7c15ull ^ hosts.size();
  const auto mix = [&h](uint64_t word) { h = (h ^ word) * 0xff51afd7ed558ccdull ^ h >> 29; };
  for (const HostRoster& host : hosts) {
    mix(host.host_id.index);
    mix(key_of(host.roster_id));
  }
  return h;
}

// The next of two ascending lists of hosts, and its segments; null where a list lacks it.
class HostsOfBoth {
 public:
  HostsOfBoth(std::span<const RosterSegment> a, std::span<const RosterSegment> b) : a_(a), b_(b) {}

  bool next() {
    if (a_.empty() && b_.empty()) return false;
    const bool from_a = b_.empty() || (!a_.empty() && a_.front().host_id <= b_.front().host_id);
    const bool from_b = a_.empty() || (!b_.empty() && b_.front().host_id <= a_.front().host_id);
    in_a = from_a ? &a_.front() : nullptr;
    in_b = from_b ? &b_.front() : nullptr;
    if (from_a) a_ = a_.subspan(1);
    if (from_b) b_ = b_.subspan(1);
    return true;
  }

  const RosterSegment* in_a = nullptr;
  const RosterSegment* in_b = nullptr;

 private:
  std::span<const RosterSegment> a_, b_;
};

}  // namespace

RosterId Rosters::intern_hosts(std::span<const HostRoster> hosts) {
  check(!hosts.empty(), "a roster of several hosts has one");
  const uint64_t hash = hash_of(hosts);
  if (const auto known = find(hosts, hash)) return *known;
  std::vector<int32_t> all;
  std::vector<RosterSegment> segments;
  bool ascend = true;
  for (const HostRoster& host : hosts) {
    check(host.host_id.known() && !has_hosts(host.roster_id), "a segment is of one host");
    check(segments.empty() || segments.back().host_id < host.host_id, "hosts ascend");
    const auto part = instances(host.roster_id);
    segments.push_back({.host_id = host.host_id,
                        .roster_id = host.roster_id,
                        .first_lane = static_cast<uint32_t>(all.size()),
                        .lanes = static_cast<uint32_t>(part.size())});
    all.insert(all.end(), part.begin(), part.end());
    ascend = ascend && ascending(host.roster_id);
  }
  const RosterId id = add(std::move(all), hash);
  bytes_ += segments.size() * sizeof(RosterSegment);
  Entry& made = entries_[id.index];
  made.ascending = ascend;
  made.hosts = std::move(segments);
  return id;
}

std::optional<RosterId> Rosters::find(std::span<const HostRoster> hosts, uint64_t hash) const {
  for (auto [it, end] = by_hash_.equal_range(hash); it != end; ++it) {
    const Entry& known = entries_[it->second];
    const auto host_of = [](const RosterSegment& segment) {
      return HostRoster{segment.host_id, segment.roster_id};
    };
    if (std::ranges::equal(known.hosts, hosts, {}, host_of)) {
      return RosterId{{it->second}, known.era};
    }
  }
  return std::nullopt;
}

std::span<const RosterSegment> Rosters::segments(RosterId id) const {
  const Entry& known = entry(id);
  if (known.hosts.empty()) return {&known.whole, 1};
  return known.hosts;
}

RosterId Rosters::sorted_hosts(RosterId id) {
  std::vector<HostRoster> out;
  // By index: interning the parts may move what stands in entries_.
  for (size_t i = 0; i < segments(id).size(); ++i) {
    const RosterSegment segment = segments(id)[i];
    out.push_back({segment.host_id, sorted(segment.roster_id)});
  }
  return intern_hosts(out);
}

Stretches Rosters::joined_hosts(RosterId to, RosterId from) {
  check(has_hosts(to), "one lane is not of several hosts");
  Stretches out;
  const bool repeated = !has_hosts(from);
  HostsOfBoth hosts(segments(to), repeated ? std::span<const RosterSegment>() : segments(from));
  while (hosts.next()) {
    if (hosts.in_a == nullptr || (hosts.in_b == nullptr && !repeated)) continue;
    const RosterId part = repeated ? from : hosts.in_b->roster_id;
    const uint32_t first = repeated ? 0 : hosts.in_b->first_lane;
    for (const Stretch& stretch : join(hosts.in_a->roster_id, part)) {
      append(out, {.to = hosts.in_a->first_lane + stretch.to,
                   .from = first + stretch.from,
                   .count = stretch.count});
    }
  }
  return out;
}

RosterId Rosters::by_host(std::unordered_map<Pair, RosterId>& table, RosterId a, RosterId b,
                          OfParts of, Alone alone) {
  if (auto it = table.find(pair(a, b)); it != table.end()) return it->second;
  const bool a_repeated = !has_hosts(a), b_repeated = !has_hosts(b);
  const std::vector<RosterSegment> of_a(segments(a).begin(), segments(a).end());
  const std::vector<RosterSegment> of_b(segments(b).begin(), segments(b).end());
  using Segments = std::span<const RosterSegment>;
  HostsOfBoth hosts(a_repeated ? Segments() : of_a, b_repeated ? Segments() : of_b);
  std::vector<HostRoster> out;
  while (hosts.next()) {
    const RosterSegment* const one = hosts.in_a != nullptr ? hosts.in_a : hosts.in_b;
    const bool in_both =
        (hosts.in_a != nullptr || a_repeated) && (hosts.in_b != nullptr || b_repeated);
    if (in_both) {
      out.push_back({one->host_id, (this->*of)(a_repeated ? a : hosts.in_a->roster_id,
                                               b_repeated ? b : hosts.in_b->roster_id)});
    } else if (alone == Alone::stays || (alone == Alone::stays_in_a && hosts.in_a != nullptr)) {
      out.push_back({one->host_id, one->roster_id});
    }
  }
  const RosterId id = out.empty() ? kNobodyId : intern_hosts(out);
  table.emplace(pair(a, b), id);
  bytes_ += sizeof(Pair) + sizeof(RosterId);
  return id;
}

}  // namespace pmjit
