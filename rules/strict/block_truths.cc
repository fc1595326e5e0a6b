#include "rules/strict/block_truths.h"

#include <algorithm>
#include <array>

namespace pmjit::strict {

namespace {

// Is each row known, without instances, and its value the one behind that of the row before?
bool are_in_order(const RowList& rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    if (row.status != kKnown || row.roster_id != Rosters::kSingularId || row.offset != i) {
      return false;
    }
  }
  return true;
}

RuleTruth truth_of(std::byte value) {
  return value != std::byte{0} ? RuleTruth::yes : RuleTruth::no;
}

// Looks at all of them, without a branch: there are many, and hardly ever one that holds.
bool none_holds(std::span<const std::byte> truths) {
  std::byte any{0};
  for (const std::byte truth : truths) any |= truth;
  return any == std::byte{0};
}

}  // namespace

void BlockTruths::judge(std::vector<uint32_t> judged) {
  judged_ = std::move(judged);
  last_.assign(judged_.size(), std::nullopt);
}

void BlockTruths::take(const ResultBlock& block, const Rosters& rosters) {
  block_ = &block;
  rosters_ = &rosters;
  known_.assign(block.columns.size(), nullptr);
  // Lists of rows that were found so: metrics that are logged together share one.
  std::array<const void*, 4> in_order{};
  size_t found = 0;
  for (const uint32_t root : judged_) {
    if (block.times.empty()) break;
    const Column& column = block.columns[root];
    if (!column.valid.empty()) continue;
    const void* const list = column.rows.identity();
    if (list == nullptr || std::ranges::find(in_order, list) == in_order.end()) {
      if (!are_in_order(column.rows)) continue;
      in_order[found++ % in_order.size()] = list;
    }
    known_[root] = column.values.data();
  }
}

RuleTruth BlockTruths::at(size_t root, size_t row) const {
  if (known_[root] != nullptr) return truth_of(known_[root][row]);
  const Column& column = block_->columns[root];
  const Row& of = column.rows[row];
  const bool known = of.status == kKnown && rosters_->size(of.roster_id) == 1;
  if (!known || !column.is_valid(of.offset)) return RuleTruth::unknown;
  return truth_of(column.values.data()[of.offset]);
}

void BlockTruths::find_awake() {
  const size_t rows = block_->times.size();
  if (awake_.size() < rows) awake_.resize(rows);
  for (size_t row = 0; row < rows; ++row) awake_[row].clear();
  for (size_t i = 0; i < judged_.size() && rows != 0; ++i) {
    const uint32_t root = judged_[i];
    std::optional<RuleTruth>& last = last_[i];
    if (last == RuleTruth::no && known_[root] != nullptr && none_holds({known_[root], rows})) {
      continue;
    }
    for (size_t row = 0; row < rows; ++row) {
      const RuleTruth now = at(root, row);
      if (now == RuleTruth::yes || now != last) awake_[row].push_back(root);
      last = now;
    }
  }
}

}  // namespace pmjit::strict
