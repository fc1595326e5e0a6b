#include "runtime/client/archive_context/grid_returns.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace pmjit {

namespace {

// Some 10 MB, and 20: returns, and instances that are gone, of all groups.
constexpr size_t kReturnsMax = 1u << 18, kGoneMax = 1u << 19;

// The lanes of two lists by the ranks of their instances: only_x(lane), only_y(lane).
template <class OnlyX, class OnlyY>
void differences(const GridList& x, const GridList& y, OnlyX only_x, OnlyY only_y) {
  size_t i = 0, k = 0;
  while (i < x.ranks.size() || k < y.ranks.size()) {
    if (k == y.ranks.size() || (i < x.ranks.size() && x.ranks[i] < y.ranks[k])) {
      only_x(x.order[i++]);
    } else if (i == x.ranks.size() || y.ranks[k] < x.ranks[i]) {
      only_y(y.order[k++]);
    } else {
      ++i;
      ++k;
    }
  }
}

}  // namespace

uint64_t number_bits(const std::byte* values, size_t lane, size_t bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, values + lane * bytes, bytes);
  return bits;
}

GridReturns::GridReturns(const ArchivesSource& recorded, const FetchPlan& plan,
                         const std::vector<const GridDomain*>& domains)
    : columns_(plan.metrics.size()) {
  Rosters rosters;
  std::unordered_map<const GridDomain*, GridLists> lists;
  for (uint32_t i = 0; i < columns_.size(); ++i) {
    GridLists& of = lists.try_emplace(domains[i], domains[i]).first->second;
    auto group = std::ranges::find(groups_, &of, &Group::lists);
    if (group == groups_.end()) group = groups_.insert(group, {.columns = {}, .lists = &of});
    group->columns.push_back(i);
  }
  const auto cursor = recorded.open(plan, rosters);
  failed_ = !cursor;
  Block block;
  double last = -kAlways;
  for (bool more = true; !failed_ && more;) {
    const auto got = (*cursor)->next(block);
    failed_ = !got;
    more = got && *got;
    if (!more) break;
    for (const Record& record : block.records) {
      const double t = seconds_between(record.stamp, recorded.start());
      marked_ |= record.mark;
      failed_ |= !record.mark && t < last;
      last = std::max(last, t);
    }
    split_groups(block);
    if (failed_) break;
    for (Group& group : groups_) {
      if (group.sound) take(block, rosters, recorded.start(), group);
    }
    failed_ |= count_ > kReturnsMax || count_gone() > kGoneMax;
    if (rosters.crowded()) {
      rosters.forget_others();
      for (Group& group : groups_) group.roster_id = Rosters::kNobodyId;
    }
  }
  for (const Group& group : groups_) {
    for (const uint32_t i : group.columns) {
      columns_[i].last = group.last;
      columns_[i].sound = group.sound;
    }
  }
  groups_.clear();
}

size_t GridReturns::count_gone() const {
  size_t out = 0;
  for (const Group& group : groups_) out += group.gone.size();
  return out;
}

// Those whose rows differ in this block go on each for itself, with what was known of all.
void GridReturns::split_groups(const Block& block) {
  for (size_t g = 0; g < groups_.size(); ++g) {
    const auto rows_of = [&](uint32_t column) { return block.columns[column].rows.identity(); };
    const void* const rows = rows_of(groups_[g].columns.front());
    const auto others = std::ranges::stable_partition(
        groups_[g].columns, [&](uint32_t column) { return rows_of(column) == rows; });
    if (others.empty()) continue;
    failed_ |= count_gone() + groups_[g].gone.size() > kGoneMax;
    if (failed_) return;
    Group rest = groups_[g];
    rest.columns.assign(others.begin(), others.end());
    groups_[g].columns.erase(others.begin(), others.end());
    groups_.push_back(std::move(rest));  // and is looked at as well
  }
}

void GridReturns::take(const Block& block, const Rosters& rosters, Stamp start, Group& group) {
  for (const Row& row : block.columns[group.columns.front()].rows) {
    if (row.roster_id == Rosters::kNobodyId) continue;
    const double t = seconds_between(row.stamp, start);
    if (row.roster_id != group.roster_id) {
      auto list = group.lists->of(rosters, row.roster_id);
      group.roster_id = row.roster_id;
      group.sound = list->sound;
      if (!group.sound) return;
      if (group.list != nullptr && group.list != list && group.list->instances != list->instances) {
        change(block, row, {.stamp = row.stamp, .t = t}, *list, group);
      }
      group.list = std::move(list);
    }
    group.sound = t > group.last && t >= group.list->birth && t <= group.list->death;
    if (!group.sound) return;
    group.last = t;
  }
}

// Some come, and some of these come back; others go.
void GridReturns::change(const Block& block, const Row& row, GridReturn at, const GridList& list,
                         Group& group) {
  differences(
      *group.list, list, [&](uint32_t lane) { group.gone.insert(group.list->instances[lane]); },
      [&](uint32_t lane) {
        const int32_t instance = list.instances[lane];
        if (group.gone.erase(instance) == 0) return;
        count_ += group.columns.size();
        for (const uint32_t i : group.columns) {
          const Column& from = block.columns[i];
          const size_t bytes = elem_bytes(from.elem);
          at.bits = number_bits(from.values.data() + row.offset * bytes, lane, bytes);
          columns_[i].of[instance].push_back(at);
        }
      });
}

const GridReturn* GridReturns::next(uint32_t column, int32_t instance, double t) const {
  const auto& of = columns_[column].of;
  const auto found = of.find(instance);
  if (found == of.end()) return nullptr;
  const auto behind = std::ranges::upper_bound(found->second, t, {}, &GridReturn::t);
  return behind == found->second.end() ? nullptr : &*behind;
}

}  // namespace pmjit
