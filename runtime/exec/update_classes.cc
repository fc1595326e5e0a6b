#include "runtime/exec/update_classes.h"

#include <algorithm>
#include <utility>

namespace pmjit {

namespace {

// Classes of one list of records that are compared to be joined: more are left as they are.
constexpr int kJoinsTried = 8;

bool same_records(const RowList& one, const RowList& other) {
  return one.shares_list(other) ||
         std::ranges::equal(one.list(), other.list(), {}, &Row::record, &Row::record);
}

uint64_t hash_of_records(const RowList& rows) {
  constexpr uint64_t kFactor = 0x9e37'79b9'7f4a'7c15;
  uint64_t hash = rows.size();
  for (const Row& row : rows) hash = (hash ^ row.record) * kFactor;
  return hash;
}

}  // namespace

UpdateClasses::UpdateClasses(const std::vector<bool>& discrete,
                             const std::vector<uint32_t>& source_of)
    : class_of_(discrete.size()), times_of_(discrete.size()) {
  for (uint32_t i = 0; i < discrete.size(); ++i) {
    const uint32_t source = source_of.empty() ? 0 : source_of[i];
    const auto found = std::ranges::find_if(classes_, [&](const Class& of) {
      return of.source == source && of.discrete == discrete[i];
    });
    class_of_[i] = static_cast<uint32_t>(found - classes_.begin());
    if (found == classes_.end()) classes_.push_back({.source = source, .discrete = discrete[i]});
    classes_[class_of_[i]].operands.push_back(i);
  }
}

void UpdateClasses::regroup(const Block& block, bool merge) {
  find_times(block);
  std::swap(before_, classes_);
  classes_.clear();
  parts_.clear();
  made_.clear();
  uint32_t was_before = kNoIndex;
  for (uint32_t i = 0; i < class_of_.size(); ++i) {
    const uint32_t was = class_of_[i];
    const bool like_the_last = was == was_before && times_of_[i] == times_of_[i - 1];
    class_of_[i] = like_the_last ? class_of_[i - 1] : class_for(i, merge);
    was_before = was;
    classes_[class_of_[i]].operands.push_back(i);
  }
}

// Most often an operand has the list of the one before it.
void UpdateClasses::find_times(const Block& block) {
  firsts_.clear();
  for (uint32_t i = 0; i < times_of_.size(); ++i) {
    const RowList& rows = block.columns[i].rows;
    if (i > 0 && (rows.shares_list(block.columns[i - 1].rows) ||
                  same_records(block.columns[times_of_[i - 1]].rows, rows))) {
      times_of_[i] = times_of_[i - 1];
      continue;
    }
    const uint64_t hash = hash_of_records(rows);
    auto [at, end] = firsts_.equal_range(hash);
    while (at != end && !same_records(block.columns[at->second].rows, rows)) ++at;
    times_of_[i] = at == end ? i : at->second;
    if (at == end) firsts_.emplace(hash, i);
  }
}

// The class that an operand comes into, from the one that it was in.
uint32_t UpdateClasses::class_for(uint32_t operand, bool merge) {
  const uint32_t was = class_of_[operand], times = times_of_[operand];
  const auto [found, is_new] = parts_.try_emplace(uint64_t{was} << 32 | times, size());
  if (!is_new) return found->second;
  const Class& from = before_[was];
  int tries = merge ? kJoinsTried : 0;
  for (auto [at, end] = made_.equal_range(times); at != end && tries > 0; ++at, --tries) {
    const Class& made = classes_[at->second];
    const bool alike = made.source == from.source && made.discrete == from.discrete;
    if (alike && made.intervals == from.intervals) return found->second = at->second;
  }
  made_.emplace(times, size());
  classes_.push_back(
      {.source = from.source, .discrete = from.discrete, .was = was, .intervals = from.intervals});
  return found->second;
}

// Nothing of the other sources ends.
void UpdateClasses::start_segment(uint32_t source) {
  for (Class& of : classes_) {
    if (of.source == source) of.intervals.start_segment();
  }
}

std::optional<Nanos> UpdateClasses::shortest() const {
  std::optional<Nanos> out;
  for (const Class& of : classes_) {
    const auto interval = of.intervals.interval();
    if (interval) out = out ? std::min(*out, *interval) : *interval;
  }
  return out;
}

}  // namespace pmjit
