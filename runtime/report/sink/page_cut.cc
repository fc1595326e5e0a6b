#include "runtime/report/sink/page_cut.h"

#include <algorithm>

namespace pmjit {

namespace {

bool has_texts(const Column& column) {
  return column.elem == Elem::text || column.elem == Elem::bytes;
}

// Of the values as they are; quoted or in hexadecimal they take twice that at most.
uint64_t text_bytes(const Column& column, const Row& row, uint64_t lanes) {
  uint64_t bytes = 0;
  const auto* texts = column.values.as<uint32_t>();
  for (uint64_t i = row.offset; i < row.offset + lanes; ++i) {
    if (column.is_valid(i)) bytes += column.dictionary[texts[i]].size();
  }
  return bytes;
}

uint64_t delivered(const Row& row, const Rosters& rosters) {
  return row.status == kKnown ? rosters.size(row.roster_id) : 0;
}

}  // namespace

// A row without lanes counts as one: it may have a line of its own.
PageCut::Part PageCut::part(size_t column, size_t row) const {
  const ColumnText& text = columns_[column];
  const Column& values = block_->columns[column];
  Part out{.lanes = text.lanes};
  const uint64_t there = text.lanes == ColumnText::kAsDelivered || has_texts(values)
                             ? delivered(values.rows[row], rosters_)
                             : 0;
  if (text.lanes == ColumnText::kAsDelivered) out.lanes = std::max<uint64_t>(1, there);
  out.bytes = out.lanes * text.bytes;
  if (has_texts(values)) out.bytes += text_bytes(values, values.rows[row], there);
  return out;
}

void PageCut::begin(const ResultBlock& block, size_t rows) {
  block_ = &block;
  at_ = {};
  uint64_t fixed = 0;
  for (size_t k = 0; k < columns_.size(); ++k) {
    if (columns_[k].lanes != ColumnText::kAsDelivered) {
      fixed += uint64_t{columns_[k].lanes} * columns_[k].bytes;
    }
  }
  bytes_.assign(rows, fixed);
  for (size_t k = 0; k < columns_.size(); ++k) add_varying(k);
}

// Most rows have the roster of the row before.
void PageCut::add_varying(size_t column) {
  const ColumnText& text = columns_[column];
  const Column& values = block_->columns[column];
  if (has_texts(values)) {
    const uint64_t fixed =
        text.lanes == ColumnText::kAsDelivered ? 0 : uint64_t{text.lanes} * text.bytes;
    for (size_t i = 0; i < bytes_.size(); ++i) bytes_[i] += part(column, i).bytes - fixed;
    return;
  }
  if (text.lanes != ColumnText::kAsDelivered) return;
  uint64_t last = 0;
  for (size_t i = 0; i < bytes_.size(); ++i) {
    const Row& row = values.rows[i];
    const bool as_before = i > 0 && row.roster_id == values.rows[i - 1].roster_id &&
                           row.status == values.rows[i - 1].status;
    if (!as_before) last = part(column, i).bytes;
    bytes_[i] += last;
  }
}

std::optional<PageRange> PageCut::next() {
  if (at_end()) return std::nullopt;
  PageRange page{.begin = at_, .end = {}};
  if (at_.column == 0 && at_.lane == 0) {
    uint64_t left = kPageBytes;
    for (; at_.row < bytes_.size() && bytes_[at_.row] <= left; ++at_.row) left -= bytes_[at_.row];
  }
  if (at_ == page.begin) cut_row();
  page.end = at_;
  return page;
}

// Onwards from `at_` within its row, by one lane at least.
void PageCut::cut_row() {
  const BlockPlace begin = at_;
  for (uint64_t left = kPageBytes; at_.column < columns_.size();
       at_ = {at_.row, at_.column + 1, 0}) {
    const Part all = part(at_.column, at_.row);
    if (all.lanes == 0) continue;
    const uint64_t rest = all.lanes - at_.lane;
    const uint64_t bytes = std::max<uint64_t>(1, all.bytes / all.lanes);
    if (rest * bytes > left) {
      at_.lane += left / bytes;
      if (at_ == begin) ++at_.lane;
      if (at_.lane < all.lanes) return;
    }
    left -= std::min(left, rest * bytes);
  }
  at_ = {at_.row + 1, 0, 0};
}

}  // namespace pmjit
