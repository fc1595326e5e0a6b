#include "runtime/client/archive_context/grid_returns.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace pmjit {

namespace {

constexpr size_t kReturnsMax = 1u << 18;  // some 20 MB, with the instances that never come back

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
  const auto cursor = recorded.open(plan, rosters);
  failed_ = !cursor;
  Block block;
  double last = -kAlways;
  while (!failed_) {
    const auto more = (*cursor)->next(block);
    if (!more || !*more) {
      failed_ = !more;
      return;
    }
    for (const Record& record : block.records) {
      const double t = seconds_between(record.stamp, recorded.start());
      marked_ |= record.mark;
      failed_ |= !record.mark && t < last;
      last = std::max(last, t);
    }
    for (size_t i = 0; i < columns_.size(); ++i) {
      auto& of = lists.try_emplace(domains[i], domains[i]).first->second;
      if (columns_[i].sound) take(block.columns[i], rosters, recorded.start(), of, columns_[i]);
    }
    failed_ |= count_ > kReturnsMax;
    if (rosters.crowded()) {
      rosters.forget_others();
      for (ColumnReturns& column : columns_) column.roster_id = Rosters::kNobodyId;
    }
  }
}

void GridReturns::take(const Column& from, const Rosters& rosters, Stamp start, GridLists& lists,
                       ColumnReturns& to) {
  for (const Row& row : from.rows) {
    if (row.roster_id == Rosters::kNobodyId) continue;
    const double t = seconds_between(row.stamp, start);
    if (row.roster_id != to.roster_id) {
      auto list = lists.of(rosters, row.roster_id);
      to.roster_id = row.roster_id;
      if (!list->sound) {
        to.sound = false;
        return;
      }
      if (to.list != nullptr && to.list != list && to.list->instances != list->instances) {
        change(from, row, {.stamp = row.stamp, .t = t}, *list, to);
      }
      to.list = std::move(list);
    }
    if (t <= to.last || t < to.list->birth || t > to.list->death) {
      to.sound = false;
      return;
    }
    to.last = t;
  }
}

// Some come, and some of these come back; others go.
void GridReturns::change(const Column& from, const Row& row, GridReturn at, const GridList& list,
                         ColumnReturns& to) {
  const size_t bytes = elem_bytes(from.elem);
  differences(
      *to.list, list,
      [&](uint32_t lane) { count_ += to.of.try_emplace(to.list->instances[lane]).second; },
      [&](uint32_t lane) {
        const auto gone = to.of.find(list.instances[lane]);
        if (gone == to.of.end()) return;
        at.bits = number_bits(from.values.data() + row.offset * bytes, lane, bytes);
        gone->second.push_back(at);
        ++count_;
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
