#include "runtime/exec/shared_intervals.h"

#include <algorithm>

namespace pmjit {

namespace {

// Loggers have some dozens of groups at most; few of them often.
constexpr size_t kPatternsMax = 16;

}  // namespace

SharedIntervals::SharedIntervals(size_t operands, const std::vector<uint32_t>& source_of,
                                 uint32_t sources)
    : class_of_(operands, 0), classes_(sources) {
  if (!source_of.empty()) class_of_ = source_of;
  for (uint32_t i = 0; i < sources; ++i) classes_[i].source = i;
  for (const uint32_t of : class_of_) ++classes_[of].operands;
}

void SharedIntervals::start_segment(uint32_t source) {
  for (Class& of : classes_) {
    if (of.source == source) of.intervals.start_segment();
  }
}

void SharedIntervals::update(std::span<const uint32_t> carried, Stamp stamp) {
  for (const uint32_t of : pattern_of(carried).classes) classes_[of].intervals.update(stamp);
}

const SharedIntervals::Pattern& SharedIntervals::pattern_of(std::span<const uint32_t> carried) {
  for (const Pattern& pattern : patterns_) {
    if (std::ranges::equal(pattern.operands, carried)) return pattern;
  }
  split(carried);
  Pattern pattern{.operands{carried.begin(), carried.end()}, .classes{}};
  for (const uint32_t operand : carried) pattern.classes.push_back(class_of_[operand]);
  std::ranges::sort(pattern.classes);
  const auto same = std::ranges::unique(pattern.classes);
  pattern.classes.erase(same.begin(), same.end());
  if (patterns_.size() < kPatternsMax) return patterns_.emplace_back(std::move(pattern));
  next_ = (next_ + 1) % kPatternsMax;
  return patterns_[next_] = std::move(pattern);
}

// So that each class is carried as a whole, or not at all.
void SharedIntervals::split(std::span<const uint32_t> carried) {
  carried_of_.assign(classes_.size(), 0);
  for (const uint32_t operand : carried) ++carried_of_[class_of_[operand]];
  bool any = false;
  for (uint32_t i = 0; i < carried_of_.size(); ++i) {
    const uint32_t there = carried_of_[i];
    carried_of_[i] = i;
    if (there == 0 || there == classes_[i].operands) continue;
    any = true;
    carried_of_[i] = static_cast<uint32_t>(classes_.size());
    Class part = classes_[i];
    part.operands = there;
    classes_[i].operands -= there;
    classes_.push_back(part);
  }
  if (!any) return;
  for (const uint32_t operand : carried) class_of_[operand] = carried_of_[class_of_[operand]];
  patterns_.clear();
}

std::optional<Nanos> SharedIntervals::shortest() const {
  std::optional<Nanos> out;
  for (const Class& of : classes_) {
    const auto interval = of.intervals.interval();
    if (interval && of.operands > 0) out = out ? std::min(*out, *interval) : *interval;
  }
  return out;
}

}  // namespace pmjit
