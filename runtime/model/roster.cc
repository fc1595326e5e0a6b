#include "runtime/model/roster.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <numeric>

#include "runtime/base/bits.h"
#include "runtime/base/limits.h"
#include "runtime/base/result.h"
#include "runtime/model/desc.h"

namespace pmjit {

namespace {

// Four chains side by side, of four instances a step: one would wait for its multiplications.
uint64_t hash_of(std::span<const int32_t> instances) {
  constexpr uint64_t kOdd = 0xff51afd7ed558ccdull;
  std::array<uint64_t, 4> chains = {0x9e3779b97f4a7c15ull ^ instances.size(), 1, 2, 3};
  const auto mix = [](uint64_t& chain, uint64_t word, uint64_t next) {
    const auto product = UInt128{chain ^ word} * (kOdd ^ next);
    chain = static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  };
  size_t i = 0;
  for (; i + 4 * chains.size() <= instances.size(); i += 4 * chains.size()) {
    std::array<uint64_t, 2 * chains.size()> words;
    std::memcpy(words.data(), instances.data() + i, sizeof words);
    for (size_t k = 0; k < chains.size(); ++k) mix(chains[k], words[2 * k], words[2 * k + 1]);
  }
  for (; i < instances.size(); ++i) mix(chains[0], static_cast<uint32_t>(instances[i]), i);
  uint64_t h = 0;
  for (const uint64_t chain : chains) h = (h ^ chain) * kOdd ^ h >> 29;
  return h;
}

constexpr uint64_t kMemoBytes = 64;

// With what stands around it.
template <class T>
uint64_t bytes_of(const std::vector<T>& list) {
  return 128 + list.size() * sizeof(T);
}

void append(std::vector<int32_t>& to, InstanceIds list) {
  to.insert(to.end(), list.begin(), list.end());
}

// In one register: the compilers find no vector where neighbours are compared.
typedef int32_t FourLanes __attribute__((vector_size(16)));

FourLanes four_lanes(const int32_t* at) {
  FourLanes out;
  std::memcpy(&out, at, sizeof out);
  return out;
}

// Lanes of a list whose instances ascend.
struct Ascent {
  size_t from, count;
};
using Ascents = std::vector<Ascent>;

void take(InstanceIds list, Ascents& out, Ascent piece) {
  if (!out.empty() && out.back().from + out.back().count == piece.from &&
      list[piece.from - 1] < list[piece.from]) {
    out.back().count += piece.count;
  } else {
    out.push_back(piece);
  }
}

// Both are in order; of equal instances those of `a` come first. What repeats the instance before
// it begins a piece.
Ascents merged(InstanceIds list, Ascents a, Ascents b) {
  Ascents out;
  auto x = a.begin(), y = b.begin();
  while (x != a.end() && y != b.end()) {
    const bool is_x = list[x->from] <= list[y->from];
    Ascent& next = is_x ? *x : *y;
    const int64_t limit = is_x ? int64_t{list[y->from]} + 1 : int64_t{list[x->from]};
    const InstanceIds rest = list.subspan(next.from, next.count);
    const size_t count =
        limit > INT32_MAX ? rest.size() : reach(rest, 0, static_cast<int32_t>(limit));
    take(list, out, {next.from, count});
    next.from += count;
    next.count -= count;
    if (next.count == 0) ++(is_x ? x : y);
  }
  for (; x != a.end(); ++x) take(list, out, *x);
  for (; y != b.end(); ++y) take(list, out, *y);
  return out;
}

}  // namespace

Rosters::Rosters() {
  const int32_t singular = kSingular;
  check(intern({&singular, 1}) == kSingularId, "the roster of one is the first");
  check(intern({}) == kNobodyId, "the empty roster is the second");
  kept_bytes_ = bytes_;
}

RosterId Rosters::intern(InstanceIds instances) {
  const uint64_t hash = hash_of(instances);
  if (const auto known = find(instances, hash)) return *known;
  return add({instances.begin(), instances.end()}, hash);
}

RosterId Rosters::intern_made(std::vector<int32_t> list) {
  const uint64_t hash = hash_of(list);
  if (const auto known = find(list, hash)) return *known;
  return add(std::move(list), hash);
}

std::optional<RosterId> Rosters::find(InstanceIds list, uint64_t hash) const {
  for (auto [it, end] = by_hash_.equal_range(hash); it != end; ++it) {
    const Entry& known = entries_[it->second];
    if (known.hosts.empty() && std::ranges::equal(known.instances, list))
      return RosterId{{it->second}, known.era};
  }
  return std::nullopt;
}

RosterId Rosters::add(std::vector<int32_t> list, uint64_t hash) {
  auto index = static_cast<uint32_t>(entries_.size());
  if (free_.empty()) {
    entries_.emplace_back();
  } else {
    index = free_.back();
    free_.pop_back();
  }
  Entry& entry = entries_[index];
  entry.ascending = ascent_end(list, 0) == list.size();
  bytes_ += bytes_of(list);
  const RosterId id{{index}, era_};
  entry.whole = {.roster_id = id, .lanes = static_cast<uint32_t>(list.size())};
  entry.instances = std::move(list);
  entry.era = era_;
  by_hash_.emplace(hash, index);
  return id;
}

const Rosters::Entry& Rosters::entry(RosterId id) const {
  check(knows(id), "a roster that was forgotten is not used");
  return entries_[id.index];
}
std::span<const int32_t> Rosters::instances(RosterId id) const { return entry(id).instances; }
uint32_t Rosters::size(RosterId id) const {
  return static_cast<uint32_t>(entry(id).instances.size());
}
bool Rosters::ascending(RosterId id) const { return entry(id).ascending; }

bool Rosters::crowded() const {
  return bytes_ > std::max<uint64_t>(limits::kRosterBytes, 2 * kept_bytes_);
}

void Rosters::keep(RosterId id) {
  if (!knows(id) || entries_[id.index].kept) return;
  entries_[id.index].kept = true;
  for (const RosterSegment& segment : entries_[id.index].hosts) keep(segment.roster_id);
}

void Rosters::forget_others() {
  joins_.clear();
  lanes_.clear();
  for (auto* memos : {&merges_, &withouts_, &commons_}) memos->clear();
  sorted_.clear();
  orders_.clear();
  keep(kSingularId);
  keep(kNobodyId);
  std::erase_if(by_hash_, [this](const auto& known) { return !entries_[known.second].kept; });
  bytes_ = 0;
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    if (entry.kept) {
      bytes_ += bytes_of(entry.instances) + entry.hosts.size() * sizeof(RosterSegment);
    } else if (entry.era != kFree) {
      entry = {.era = kFree};
      free_.push_back(i);
    }
    entry.kept = false;
  }
  kept_bytes_ = bytes_;
  ++era_;
}

const Stretches& Rosters::order(RosterId id) {
  auto [it, is_new] = orders_.try_emplace(id.index);
  if (!is_new) return it->second;
  it->second = ascending_order(instances(id));
  bytes_ += bytes_of(it->second);
  return it->second;
}

RosterId Rosters::sorted(RosterId id) {
  if (ascending(id)) return id;
  if (auto it = sorted_.find(id.index); it != sorted_.end()) return it->second;
  if (has_hosts(id)) return sorted_[id.index] = sorted_hosts(id);
  const auto list = instances(id);
  std::vector<int32_t> out;
  out.reserve(list.size());
  for (const Stretch& stretch : order(id)) append(out, list.subspan(stretch.from, stretch.count));
  return sorted_[id.index] = intern_made(std::move(out));
}

const Stretches& Rosters::join(RosterId to, RosterId from) {
  auto [it, is_new] = joins_.try_emplace(pair(to, from));
  if (!is_new) return it->second;
  Stretches& out = it->second;
  out = joined(to, from);  // which may make other joins
  bytes_ += bytes_of(out);
  return out;
}

Stretches Rosters::joined(RosterId to, RosterId from) {
  if (any_hosts(to, from)) return joined_hosts(to, from);
  Stretches out;
  const auto wanted = instances(to), source = instances(from);
  if (ascending(to) && ascending(from)) {
    walk_both(
        wanted, source,
        [&out](size_t i, size_t k, size_t count) {
          out.push_back(
              {static_cast<uint32_t>(i), static_cast<uint32_t>(k), static_cast<uint32_t>(count)});
        },
        [](size_t, size_t) {}, [](size_t, size_t) {});
    return out;
  }
  if (!ascending(from) && sorted(from) == to) return order(from);
  const auto there = instances(sorted(from));
  const Lanes& lane_of = lanes(sorted(from), from);
  size_t at = 0;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (at == there.size() || there[at] != wanted[i]) {
      at = static_cast<size_t>(std::ranges::lower_bound(there, wanted[i]) - there.begin());
    }
    if (at == there.size() || there[at] != wanted[i]) continue;
    append(out, {static_cast<uint32_t>(i), static_cast<uint32_t>(lane_of[at++]), 1});
  }
  return out;
}

const Lanes& Rosters::lanes(RosterId to, RosterId from) {
  auto [it, is_new] = lanes_.try_emplace(pair(to, from));
  if (!is_new) return it->second;
  Lanes& out = it->second;
  out.assign(size(to), kAbsentLane);
  for (const Stretch& stretch : join(to, from)) {
    std::iota(out.begin() + stretch.to, out.begin() + stretch.to + stretch.count,
              static_cast<int32_t>(stretch.from));
  }
  bytes_ += bytes_of(out);
  return out;
}

template <class Make>
RosterId Rosters::memo(std::unordered_map<Pair, RosterId>& table, RosterId a, RosterId b,
                       Make make) {
  if (auto it = table.find(pair(a, b)); it != table.end()) return it->second;
  std::vector<int32_t> out;
  out.reserve(std::max(size(a), size(b)));
  make(instances(a), instances(b), out);
  const RosterId id = intern_made(std::move(out));
  table.emplace(pair(a, b), id);
  bytes_ += kMemoBytes;
  return id;
}

RosterId Rosters::merge(RosterId a, RosterId b) {
  if (a == b || b == kNobodyId) return a;
  if (a == kNobodyId) return b;
  if (any_hosts(a, b)) return by_host(merges_, a, b, &Rosters::merge, Alone::stays);
  return memo(merges_, a, b, [](InstanceIds x, InstanceIds y, std::vector<int32_t>& out) {
    const auto of = [&out](InstanceIds list) {
      return [&out, list](size_t i, size_t count) { append(out, list.subspan(i, count)); };
    };
    walk_both(x, y, [&](size_t i, size_t, size_t count) { of(x)(i, count); }, of(x), of(y));
  });
}
RosterId Rosters::without(RosterId a, RosterId b) {
  if (a == b) return kNobodyId;
  if (b == kNobodyId) return a;
  if (any_hosts(a, b)) return by_host(withouts_, a, b, &Rosters::without, Alone::stays_in_a);
  return memo(withouts_, a, b, [](InstanceIds x, InstanceIds y, std::vector<int32_t>& out) {
    walk_both(
        x, y, [](size_t, size_t, size_t) {},
        [&](size_t i, size_t count) { append(out, x.subspan(i, count)); }, [](size_t, size_t) {});
  });
}
RosterId Rosters::common(RosterId a, RosterId b) {
  if (a == b) return a;
  if (any_hosts(a, b)) return by_host(commons_, a, b, &Rosters::common, Alone::goes);
  return memo(commons_, a, b, [](InstanceIds x, InstanceIds y, std::vector<int32_t>& out) {
    walk_both(
        x, y, [&](size_t i, size_t, size_t count) { append(out, x.subspan(i, count)); },
        [](size_t, size_t) {}, [](size_t, size_t) {});
  });
}

void append(Stretches& out, Stretch more) {
  if (!out.empty()) {
    Stretch& last = out.back();
    if (last.to + last.count == more.to && last.from + last.count == more.from) {
      last.count += more.count;
      return;
    }
  }
  out.push_back(more);
}

// Lists mostly are a few ascending runs, one behind the other: those are merged, two by two.
Stretches ascending_order(InstanceIds list) {
  std::vector<Ascents> runs;
  for (size_t i = 0, end = 0; i < list.size(); i = end) {
    end = ascent_end(list, i);
    runs.push_back({{i, end - i}});
  }
  while (runs.size() > 1) {
    size_t kept = 0;
    for (size_t i = 0; i < runs.size(); i += 2) {
      Ascents next = std::move(runs[i]);
      if (i + 1 < runs.size()) next = merged(list, std::move(next), std::move(runs[i + 1]));
      runs[kept++] = std::move(next);
    }
    runs.resize(kept);
  }
  Stretches out;
  if (runs.empty()) return out;
  uint32_t to = 0;
  const int32_t* last = nullptr;
  for (const auto& [from, count] : runs.front()) {
    const size_t again = last != nullptr && *last == list[from] ? 1 : 0;
    last = &list[from + count - 1];
    const auto lanes = static_cast<uint32_t>(count - again);
    if (lanes == 0) continue;
    append(out, {to, static_cast<uint32_t>(from + again), lanes});
    to += lanes;
  }
  return out;
}

size_t ascent_end(InstanceIds list, size_t from) {
  constexpr size_t kStep = 16;
  size_t end = from + 1;
  for (; end + kStep <= list.size(); end += kStep) {
    FourLanes falls{};
    for (size_t i = 0; i < kStep; i += 4) {
      const int32_t* const at = list.data() + end + i;
      falls |= four_lanes(at) <= four_lanes(at - 1);
    }
    if ((falls[0] | falls[1] | falls[2] | falls[3]) != 0) break;
  }
  while (end < list.size() && list[end] > list[end - 1]) ++end;
  return std::min(end, list.size());
}

size_t equal_length(InstanceIds x, InstanceIds y) {
  constexpr size_t kStep = 64;
  const size_t most = std::min(x.size(), y.size());
  size_t length = 0;
  while (length + kStep <= most &&
         std::memcmp(x.data() + length, y.data() + length, kStep * sizeof(int32_t)) == 0) {
    length += kStep;
  }
  while (length < most && x[length] == y[length]) ++length;
  return length;
}

size_t reach(InstanceIds list, size_t from, int32_t limit) {
  size_t step = 1;
  while (from + step < list.size() && list[from + step] < limit) step *= 2;
  const auto begin = list.begin() + static_cast<std::ptrdiff_t>(from + step / 2);
  const auto end =
      list.begin() + static_cast<std::ptrdiff_t>(std::min(from + step + 1, list.size()));
  return static_cast<size_t>(std::lower_bound(begin, end, limit) - list.begin());
}

}  // namespace pmjit
