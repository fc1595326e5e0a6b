// RowSharing: which columns of a block share their list of rows, while records come. Columns whose
// rows have been equal so far share one, so a record costs a row a list instead of a row a column;
// a record that tells them apart gives each part its own.
//
//   RowSharing lists;
//   lists.start(block);                                // its columns are empty
//   lists.append(block, rows, record);   // for it and the records behind, before their values
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "runtime/model/column.h"

namespace pmjit {

// What a row takes in memory, in values: a limit on the values of a block bounds its rows, too.
inline constexpr uint64_t kRowAsValues = sizeof(Row) / sizeof(uint64_t);
// Rows of the block; those that columns side by side share count once.
[[nodiscard]] uint64_t rows_once(const Block& block);

// Columns of a record whose rows are equal.
struct RowGroup {
  RosterId roster_id = Rosters::kNobodyId;
  int32_t status = 0;
  uint32_t values = 0;  // of a row
  std::vector<uint32_t> columns{};
  std::vector<uint32_t> lists{};  // that these have
};

// The rows of a record: one a column, equal ones together.
class RecordRows {
 public:
  void clear();
  // `values`: how many the row has.
  void add(RosterId roster, int32_t status, uint32_t column, uint32_t values);
  [[nodiscard]] std::span<const RowGroup> groups() const { return std::span(groups_).first(used_); }

 private:
  friend class RowSharing;
  std::vector<RowGroup> groups_;  // those behind `used_` are memory
  size_t used_ = 0, last_ = 0;    // of the column before
  std::unordered_map<uint64_t, size_t> index_;
  uint64_t epoch_ = 0;  // of the lists, when they were looked up
};

class RowSharing {
 public:
  // From here on nobody else may change rows of the block until it is handed on. Where that cannot
  // be promised, as of rows of many hosts: not called, and each column has rows of its own.
  void start(Block& block);
  // To each record of the block from `record` on, which are all alike.
  void append(Block& block, RecordRows& rows, uint32_t record);
  // Rows that have been appended, each list once.
  [[nodiscard]] uint64_t rows() const { return rows_; }
  // Those that append() has for one record.
  [[nodiscard]] uint64_t rows_of(Block& block, RecordRows& rows);

 private:
  struct List {
    uint32_t first = 0, users = 0;  // a column that has it, and how many have
  };

  void find_lists(Block& block, RecordRows& rows);
  void find_lists(Block& block, RowGroup& group);
  RowList take_spare();

  std::vector<List> lists_;
  std::vector<uint32_t> list_of_;  // of each column
  std::vector<uint32_t> there_;    // of each list: columns of the group at hand; 0 between
  std::vector<RowList> spare_;     // memory for lists
  uint64_t epoch_ = 0;             // counts what changes lists
  uint64_t rows_ = 0;
};

}  // namespace pmjit
