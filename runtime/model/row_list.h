// RowList: the rows of a column. Metrics that are logged together have equal rows, record for
// record, so their columns may share one list. The decoder makes it once, and later stages read it
// once. edit() copies a shared list, so that a change of one column leaves the others as they are.
//
//   for (const Row& row : column.rows) …       column.rows[i]       column.rows.size()
//   column.rows.edit()[i].stamp = …;           // of this column alone
//   other.rows.shares_list(column.rows)        // then they are equal
#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "runtime/model/roster.h"
#include "runtime/model/stamp.h"

namespace pmjit {

// Row: one metric at one time. A negative status is the PM_ERR_* that stands for the whole value
// set (no values then, roster kNobodyId); status 0 with roster kNobodyId is a value set of no
// instances.
struct Row {
  Stamp stamp{};  // the observation's own
  RosterId roster_id{};
  int32_t status = 0;
  uint32_t record = 0;  // index into Block::records
  uint64_t offset = 0;  // of its first value, in values
};

class RowList {
 public:
  RowList() = default;
  RowList(std::initializer_list<Row> rows) { edit() = rows; }
  RowList(const RowList& other) : list_(other.list_) {
    if (list_ != nullptr) list_->users.fetch_add(1, std::memory_order_relaxed);
  }
  RowList(RowList&& other) noexcept : list_(std::exchange(other.list_, nullptr)) {}
  RowList& operator=(RowList other) noexcept {
    std::swap(list_, other.list_);
    return *this;
  }
  ~RowList() { let_go(); }

  [[nodiscard]] std::span<const Row> list() const {
    return list_ != nullptr ? std::span<const Row>(list_->rows) : std::span<const Row>();
  }
  [[nodiscard]] size_t size() const { return list_ != nullptr ? list_->rows.size() : 0; }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] const Row& operator[](size_t i) const { return list_->rows[i]; }
  [[nodiscard]] const Row& front() const { return list_->rows.front(); }
  [[nodiscard]] const Row& back() const { return list_->rows.back(); }
  [[nodiscard]] auto begin() const { return list().begin(); }
  [[nodiscard]] auto end() const { return list().end(); }
  [[nodiscard]] bool shares_list(const RowList& other) const { return list_ == other.list_; }
  // The same for all that share it, while it is there.
  [[nodiscard]] const void* identity() const { return list_; }

  // The list of this column alone.
  [[nodiscard]] std::vector<Row>& edit();
  // The list of all columns that share it; nobody else may be looking at them.
  [[nodiscard]] std::vector<Row>& edit_for_all() { return list_->rows; }
  void push_back(const Row& row) { edit().push_back(row); }
  Row& emplace_back() { return edit().emplace_back(); }
  // Keeps capacity where the list is not shared.
  void clear();
  // Has it a list that is not shared, be it empty?
  [[nodiscard]] bool has_own_list() const { return list_ != nullptr && is_own(); }

 private:
  struct List {
    std::atomic<uint32_t> users = 1;
    std::vector<Row> rows;
  };
  [[nodiscard]] bool is_own() const { return list_->users.load(std::memory_order_acquire) == 1; }
  void let_go() {
    if (list_ != nullptr && list_->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete list_;
    list_ = nullptr;
  }

  List* list_ = nullptr;  // null: no rows
};

inline std::vector<Row>& RowList::edit() {
  if (list_ == nullptr) {
    list_ = new List;
  } else if (!is_own()) {
    auto* const own = new List;
    own->rows = list_->rows;
    let_go();
    list_ = own;
  }
  return list_->rows;
}

inline void RowList::clear() {
  if (list_ == nullptr) return;
  if (is_own()) {
    list_->rows.clear();
  } else {
    let_go();
  }
}

}  // namespace pmjit
