#include "runtime/archive/summary/record_counts.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "runtime/base/limits.h"

namespace pmjit {

namespace {

// Once is chance, as the first and last records of a logger are.
constexpr uint64_t kIntervalsLeast = 2;

uint64_t hash_of(const std::vector<ValueSet>& sets) {
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a, a word at a time
  for (const ValueSet& set : sets) hash = (hash ^ set.pmid) * 0x100000001b3;
  return hash;
}

// What a value set takes of its record, blocks included.
uint64_t bytes_of(const ValueSet& set, const RecordLayout& layout) {
  if (set.count <= 0) return 8;
  const auto count = static_cast<uint64_t>(set.count);
  const uint64_t pairs = 12 + 8 * count;
  if (set.in_place) return pairs;
  if (set.header != 0) return pairs + padded_length(set.header) * count;
  uint64_t blocks = 0;
  for (uint64_t i = 0; i < count; ++i) blocks += padded_length(layout.spots[set.first + i].header);
  return pairs + blocks;
}

// The place of each element when the largest are first; equal ones stay in order.
template <class T, class Size>
std::vector<uint32_t> largest_first(const std::vector<T>& all, Size size) {
  std::vector<uint32_t> order(all.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, std::greater{}, [&](uint32_t i) { return size(all[i]); });
  return order;
}

}  // namespace

uint32_t RecordCounts::metric_of(PmId pmid) {
  const auto [at, fresh] = metric_of_.try_emplace(pmid, static_cast<uint32_t>(metrics_.size()));
  if (fresh) metrics_.push_back({.pmid = pmid});
  return at->second;
}

// Null: there are too many groups already.
RecordCounts::Group* RecordCounts::group_of(const RecordLayout& layout) {
  const uint64_t hash = hash_of(layout.sets);
  const auto same = [&](const Group& group) {
    return std::ranges::equal(layout.sets, group.counts.metrics, [&](const auto& set, uint32_t i) {
      return set.pmid == metrics_[i].pmid;
    });
  };
  const auto [first, last] = group_of_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (same(groups_[it->second])) return &groups_[it->second];
  }
  if (groups_.size() == limits::kRecordGroupsMax) return nullptr;
  group_of_.emplace(hash, static_cast<uint32_t>(groups_.size()));
  Group& group = groups_.emplace_back();
  for (const ValueSet& set : layout.sets) group.counts.metrics.push_back(metric_of(set.pmid));
  return &group;
}

void RecordCounts::add(const RecordHead& head, const RecordLayout& layout, bool after_gap) {
  gaps_ += after_gap;
  Group* const group = group_of(layout);
  if (group == nullptr) {
    ++other_records_;
    others_.clear();
    for (const ValueSet& set : layout.sets) others_.push_back(metric_of(set.pmid));
  }
  const std::vector<uint32_t>& indices = group ? group->counts.metrics : others_;
  uint64_t values = 0;
  for (size_t i = 0; i < layout.sets.size(); ++i) {
    const ValueSet& set = layout.sets[i];
    MetricSummary& metric = metrics_[indices[i]];
    ++metric.records;
    metric.bytes += bytes_of(set, layout);
    if (set.count < 0) ++metric.errors;
    if (set.count <= 0) continue;
    metric.values += static_cast<uint64_t>(set.count);
    values += static_cast<uint64_t>(set.count);
  }
  values_ += values;
  bytes_ += head.bytes.size();
  if (group == nullptr) return;
  ++group->counts.records;
  group->counts.values += values;
  group->counts.bytes += head.bytes.size();
  if (group->last && group->gaps == gaps_) {
    group->intervals.add(seconds_between(head.stamp, *group->last));
  }
  group->last = head.stamp;
  group->gaps = gaps_;
}

std::optional<double> RecordCounts::shortest_interval() const {
  std::optional<double> often, rarely;
  for (const Group& group : groups_) {
    const auto interval = group.intervals.median();
    if (!interval || *interval <= 0) continue;
    auto& least = group.intervals.seen() >= kIntervalsLeast ? often : rarely;
    least = std::min(least.value_or(*interval), *interval);
  }
  return often ? often : rarely;
}

void RecordCounts::give_counts(ArchiveSummary& out) const {
  const auto order = largest_first(metrics_, [](const auto& metric) { return metric.bytes; });
  std::vector<uint32_t> place(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    out.metrics.push_back(metrics_[order[i]]);
  }
  for (const uint32_t i : largest_first(groups_, [](const auto& g) { return g.counts.bytes; })) {
    GroupSummary& group = out.groups.emplace_back(groups_[i].counts);
    for (uint32_t& metric : group.metrics) metric = place[metric];
    group.interval = groups_[i].intervals.median();
  }
  out.other_records = other_records_;
  out.values = values_;
  out.bytes = bytes_;
}

void Pauses::add(Stamp stamp, std::optional<GapCause> cause) {
  const std::optional<Stamp> from = std::exchange(last_, stamp);
  if (!from) return;
  if (cause) {
    // Bounded where a damaged archive is all marks.
    if (told_.size() < limits::kGapsMax) {
      told_.push_back({.from = *from, .to = stamp, .cause = *cause});
    } else {
      dropped_ = true;
    }
    return;
  }
  const double seconds = seconds_between(stamp, *from);
  const auto shorter = [](const Pause& a, const Pause& b) { return a.seconds > b.seconds; };
  if (longest_.size() == limits::kGapsMax) {
    if (seconds <= longest_.front().seconds) return;
    std::ranges::pop_heap(longest_, shorter);
    longest_.pop_back();
  }
  longest_.push_back({.seconds = seconds, .from = *from, .to = stamp});
  std::ranges::push_heap(longest_, shorter);
}

void Pauses::end(std::optional<GapCause> cause, std::optional<Stamp> to) {
  if (!cause || !last_) return;
  if (to && *to <= *last_) to.reset();
  told_.push_back({.from = *last_, .to = to, .cause = *cause});
}

Pauses::Found Pauses::longer_than(double least) const {
  Found found{.gaps = told_, .more = dropped_};
  for (const Pause& pause : longest_) {
    if (pause.seconds > least) found.gaps.push_back({.from = pause.from, .to = pause.to});
  }
  const bool full = longest_.size() == limits::kGapsMax;
  found.more = found.more || (full && longest_.front().seconds > least);
  std::ranges::stable_sort(found.gaps, {}, &Gap::from);
  return found;
}

}  // namespace pmjit
