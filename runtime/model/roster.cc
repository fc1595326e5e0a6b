#include "runtime/model/roster.h"

#include <algorithm>
#include <iterator>

#include "runtime/base/check.h"
#include "runtime/model/desc.h"

namespace pmjit {

namespace {

uint64_t hash_of(std::span<const int32_t> instances) {
  uint64_t h = 0x9e3779b97f4a7c15ull ^ instances.size();
  for (int32_t inst : instances) {
    h = (h ^ static_cast<uint32_t>(inst)) * 0xff51afd7ed558ccdull;
    h ^= h >> 29;
  }
  return h;
}

}  // namespace

Rosters::Rosters() {
  const int32_t singular = kSingular;
  check(intern({&singular, 1}) == kSingularId, "the roster of one is the first");
  check(intern({}) == kNobodyId, "the empty roster is the second");
}

RosterId Rosters::intern(std::span<const int32_t> instances) {
  const uint64_t hash = hash_of(instances);
  for (auto [it, end] = by_hash_.equal_range(hash); it != end; ++it) {
    if (std::ranges::equal(entries_[it->second].instances, instances))
      return RosterId{{it->second}};
  }
  const auto index = static_cast<uint32_t>(entries_.size());
  Entry entry{.instances = {instances.begin(), instances.end()}};
  entry.ascending =
      std::ranges::adjacent_find(entry.instances, std::greater_equal<>()) == entry.instances.end();
  entries_.push_back(std::move(entry));
  by_hash_.emplace(hash, index);
  return RosterId{{index}};
}

std::span<const int32_t> Rosters::instances(RosterId id) const {
  return entries_[id.index].instances;
}
uint32_t Rosters::size(RosterId id) const {
  return static_cast<uint32_t>(entries_[id.index].instances.size());
}
bool Rosters::ascending(RosterId id) const { return entries_[id.index].ascending; }

RosterId Rosters::sorted(RosterId id) {
  if (ascending(id)) return id;
  if (auto it = sorted_.find(id.index); it != sorted_.end()) return it->second;
  Lanes list = entries_[id.index].instances;
  std::ranges::sort(list);
  list.erase(std::ranges::unique(list).begin(), list.end());
  return sorted_[id.index] = intern(list);
}

const Lanes& Rosters::join(RosterId to, RosterId from) {
  auto [it, is_new] = joins_.try_emplace(pair(to, from));
  if (!is_new) return it->second;
  std::unordered_map<int32_t, int32_t> lane_of;
  const auto& source = entries_[from.index].instances;
  for (size_t i = 0; i < source.size(); ++i)
    lane_of.try_emplace(source[i], static_cast<int32_t>(i));
  for (int32_t inst : entries_[to.index].instances) {
    auto found = lane_of.find(inst);
    it->second.push_back(found == lane_of.end() ? kAbsentLane : found->second);
  }
  return it->second;
}

template <class Make>
RosterId Rosters::memo(std::unordered_map<Pair, RosterId>& table, RosterId a, RosterId b,
                       Make make) {
  if (auto it = table.find(pair(a, b)); it != table.end()) return it->second;
  Lanes out;
  make(entries_[a.index].instances, entries_[b.index].instances, std::back_inserter(out));
  const RosterId id = intern(out);
  table.emplace(pair(a, b), id);
  return id;
}

RosterId Rosters::merge(RosterId a, RosterId b) {
  if (a == b) return a;
  return memo(merges_, a, b, [](auto& x, auto& y, auto out) { std::ranges::set_union(x, y, out); });
}
RosterId Rosters::without(RosterId a, RosterId b) {
  if (a == b) return kNobodyId;
  return memo(withouts_, a, b,
              [](auto& x, auto& y, auto out) { std::ranges::set_difference(x, y, out); });
}
RosterId Rosters::common(RosterId a, RosterId b) {
  if (a == b) return a;
  return memo(commons_, a, b,
              [](auto& x, auto& y, auto out) { std::ranges::set_intersection(x, y, out); });
}

}  // namespace pmjit
