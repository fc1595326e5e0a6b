// BatchValues: one value column of a record batch while it fills: numbers side by side, truth as
// bits, texts end to end with their ends. A partial column has values of some rows only, and a bit
// a row that says of which.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/bytes.h"
#include "runtime/model/column.h"
#include "runtime/report/arrow/messages.h"

namespace pmjit::arrow {

class BatchValues {
 public:
  BatchValues(Elem elem, bool is_partial, size_t rows_max);

  // Values [first, first + count) of a result are those of rows [row, row + count). Rows ascend.
  void take(size_t row, const Column& from, uint64_t first, size_t count);
  // How many may be taken at once: texts one by one, for their size is bounded, too.
  [[nodiscard]] size_t at_once() const { return is_text() ? 1 : SIZE_MAX; }
  [[nodiscard]] size_t text_bytes() const { return texts_.size(); }
  void add_to(MessageBody& body, size_t rows);
  void clear(size_t rows);

 private:
  [[nodiscard]] bool is_text() const { return elem_ == Elem::text || elem_ == Elem::bytes; }
  void take_texts(size_t row, const Column& from, uint64_t first, size_t count);
  void end_texts(size_t rows);  // rows without a text have an empty one

  Elem elem_;
  bool is_partial_;
  Buffer data_;                   // numbers, bits
  std::vector<int32_t> ends_{0};  // of texts: where row i begins and, next, where it ends
  std::string texts_;
  std::vector<uint64_t> present_;  // of a partial column
  size_t taken_ = 0;               // rows with a value
};

}  // namespace pmjit::arrow
