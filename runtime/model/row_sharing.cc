#include "runtime/model/row_sharing.h"

#include <algorithm>
#include <utility>

namespace pmjit {

namespace {

// In place: a row that is put together elsewhere and copied costs a third more.
void fill_row(Row& row, const RowGroup& group, Stamp stamp, uint32_t record, uint64_t offset) {
  row.stamp = stamp;
  row.roster_id = group.roster_id;
  row.status = group.status;
  row.record = record;
  row.offset = offset;
}

template <class List>
void add_rows(const Block& block, const RowGroup& group, uint32_t record, uint64_t offset,
              List& rows) {
  for (; record < block.records.size(); ++record, offset += group.values) {
    fill_row(rows.emplace_back(), group, block.records[record].stamp, record, offset);
  }
}

}  // namespace

uint64_t rows_once(const Block& block) {
  uint64_t out = 0;
  const RowList* before = nullptr;
  for (const Column& column : block.columns) {
    if (before == nullptr || !before->shares_list(column.rows)) out += column.rows.size();
    before = &column.rows;
  }
  return out;
}

void RecordRows::clear() {
  used_ = last_ = 0;
  index_.clear();
  epoch_ = 0;
}

// Most often a column has a row like that of the one before.
void RecordRows::add(RosterId roster, int32_t status, uint32_t column, uint32_t values) {
  const auto is_like = [&](const RowGroup& of) {
    return of.roster_id == roster && of.status == status;
  };
  if (used_ == 0 || !is_like(groups_[last_])) {
    const uint64_t key = uint64_t{roster.index} << 32 | static_cast<uint32_t>(status);
    const auto [found, is_new] = index_.try_emplace(key, used_);
    last_ = found->second;
    if (is_new) {
      if (used_ == groups_.size()) groups_.emplace_back();
      groups_[used_].roster_id = roster;
      groups_[used_].status = status;
      groups_[used_].values = values;
      groups_[used_++].columns.clear();
    }
  }
  groups_[last_].columns.push_back(column);
}

// At first all columns share one list.
void RowSharing::start(Block& block) {
  for (Column& column : block.columns) {
    if (!column.rows.has_own_list() || spare_.size() > block.columns.size()) continue;
    spare_.push_back(std::exchange(column.rows, {}));
  }
  const auto columns = static_cast<uint32_t>(block.columns.size());
  lists_.assign(1, {.first = 0, .users = columns});
  list_of_.assign(columns, 0);
  there_.assign(1, 0);
  const RowList all = take_spare();
  for (Column& column : block.columns) column.rows = all;
  rows_ = 0;
  ++epoch_;
}

RowList RowSharing::take_spare() {
  RowList out;
  if (!spare_.empty()) {
    out = std::move(spare_.back());
    spare_.pop_back();
  }
  out.edit().clear();
  return out;
}

void RowSharing::append(Block& block, RecordRows& rows, uint32_t record) {
  const std::span<const RowGroup> groups = rows.groups();
  const uint64_t records = block.records.size() - record;
  rows_ += records * rows_of(block, rows);
  for (const RowGroup& group : groups) {
    if (lists_.empty()) {
      for (const uint32_t i : group.columns) {
        Column& column = block.columns[i];
        add_rows(block, group, record, column.count, column.rows);
      }
      continue;
    }
    for (const uint32_t list : group.lists) {
      Column& column = block.columns[lists_[list].first];
      add_rows(block, group, record, column.count, column.rows.edit_for_all());
    }
  }
}

// Rows without values are changed later, which takes a list for each column.
uint64_t RowSharing::rows_of(Block& block, RecordRows& rows) {
  if (!lists_.empty()) find_lists(block, rows);
  uint64_t out = 0;
  for (const RowGroup& group : rows.groups()) {
    const bool has_values = group.status == 0 && group.roster_id != Rosters::kNobodyId;
    out += has_values && !lists_.empty() ? group.lists.size() : group.columns.size();
  }
  return out;
}

void RowSharing::find_lists(Block& block, RecordRows& rows) {
  if (rows.epoch_ == epoch_) return;
  for (RowGroup& group : std::span(rows.groups_).first(rows.used_)) find_lists(block, group);
  rows.epoch_ = epoch_;
}

// Lists that only a part of whose columns are in the group are divided.
void RowSharing::find_lists(Block& block, RowGroup& group) {
  group.lists.clear();
  for (const uint32_t column : group.columns) {
    if (there_[list_of_[column]]++ == 0) group.lists.push_back(list_of_[column]);
  }
  bool divided = false;
  for (uint32_t& list : group.lists) {
    const uint32_t in_group = std::exchange(there_[list], 0);
    if (in_group == lists_[list].users) continue;
    divided = true;
    const uint32_t old = std::exchange(list, static_cast<uint32_t>(lists_.size()));
    lists_[old].users -= in_group;
    lists_.push_back({.first = kNoIndex, .users = in_group});
    there_.push_back(0);
    RowList rows = take_spare();
    const std::span<const Row> so_far = block.columns[lists_[old].first].rows.list();
    rows.edit().assign(so_far.begin(), so_far.end());
    for (const uint32_t column : group.columns) {
      if (list_of_[column] != old) continue;
      list_of_[column] = list;
      lists_[list].first = std::min(lists_[list].first, column);
      block.columns[column].rows = rows;
    }
    if (list_of_[lists_[old].first] == old) continue;
    lists_[old].first = static_cast<uint32_t>(std::ranges::find(list_of_, old) - list_of_.begin());
  }
  if (divided) ++epoch_;
}

}  // namespace pmjit
