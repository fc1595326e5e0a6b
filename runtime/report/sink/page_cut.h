// PageCut: where the text of a block is cut into pages. A page is so large that its text stays in
// the processor's caches, and no larger, however many values a row has: small rows share a page,
// and a large one is cut between two of its lanes.
//
//   PageCut cut(columns, rosters);         once a writer
//   cut.begin(block, rows);                once a block
//   while (auto page = cut.next()) …       in the order of the text
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/model/results.h"

namespace pmjit {

// In the order of the text: row by row, in a row column by column, in a column lane by lane.
struct BlockPlace {
  size_t row = 0, column = 0, lane = 0;
  bool operator==(const BlockPlace&) const = default;
};

// From one place to before another one. Lanes are counted as in ColumnText.
struct PageRange {
  static constexpr size_t kAllLanes = SIZE_MAX;
  BlockPlace begin, end;

  // Gives each row's parts to part(row, column, first lane, lane behind the last or kAllLanes),
  // between begin_row(row) and end_row(row, whole): is the row's last lane among them?
  template <class Begin, class Part, class End>
  void walk(size_t columns, Begin begin_row, Part part, End end_row) const {
    for (BlockPlace at = begin; at.row <= end.row; at = {at.row + 1, 0, 0}) {
      const bool whole = at.row < end.row;
      if (!whole && end.column == 0 && end.lane == 0) return;
      begin_row(at);
      for (const size_t last = whole ? columns : end.column; at.column < last;) {
        part(at.row, at.column, at.lane, kAllLanes);
        at = {at.row, at.column + 1, 0};
      }
      if (!whole && end.lane != 0) part(at.row, at.column, at.lane, end.lane);
      end_row(at.row, whole);
    }
  }
};

// What one column puts into each row: about so many bytes a lane, besides texts.
struct ColumnText {
  static constexpr uint32_t kAsDelivered = UINT32_MAX;
  uint32_t bytes = 0;
  uint32_t lanes = kAsDelivered;  // those of the row's roster, or always this many
};

class PageCut {
 public:
  static constexpr uint64_t kPageBytes = 192u << 10;

  PageCut(std::vector<ColumnText> columns, const Rosters& rosters)
      : columns_(std::move(columns)), rosters_(rosters) {}
  // The first `rows` of a block, which is there until its last page is cut.
  void begin(const ResultBlock& block, size_t rows);
  // None: that was the last one.
  std::optional<PageRange> next();
  [[nodiscard]] bool at_end() const { return at_.row == bytes_.size(); }

 private:
  struct Part {
    uint64_t lanes = 0, bytes = 0;  // of all of them
  };
  [[nodiscard]] Part part(size_t column, size_t row) const;
  void add_varying(size_t column);
  void cut_row();

  std::vector<ColumnText> columns_;
  const Rosters& rosters_;
  const ResultBlock* block_ = nullptr;
  std::vector<uint64_t> bytes_;  // of each row
  BlockPlace at_;
};

}  // namespace pmjit
