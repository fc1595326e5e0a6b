// Batch: the rows of a stream that go out together. It is filled to its bound whatever the size of
// the blocks that rows come in, so that memory is bounded and readers get large batches. Of live
// hosts the writer puts it at each time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/report/arrow/batch_values.h"
#include "runtime/report/arrow/value_columns.h"

namespace pmjit::arrow {

class Batch {
 public:
  static constexpr size_t kRows = 64u << 10;

  explicit Batch(std::span<const ValueColumn> columns);

  struct Rows {  // of one metric at one time
    int64_t time;
    int32_t host, metric;                // codes; kNoName: of all hosts
    std::span<const int32_t> instances;  // codes, kNoName; empty: none has an instance
    size_t column;                       // where the values stand
    const Column& from;
    uint64_t first;  // of the values
    size_t count;    // no more than there is room for
  };
  void take(const Rows& rows);
  // How many rows with values in that column may be taken at once; 0: put the batch first.
  [[nodiscard]] size_t room(size_t column) const;
  [[nodiscard]] bool empty() const { return rows_ == 0; }
  [[nodiscard]] std::span<int32_t> instances() { return {instances_.data(), rows_}; }
  void put(Sink& sink);  // and starts anew

 private:
  std::vector<BatchValues> values_;
  size_t rows_ = 0;
  std::vector<int64_t> times_;
  std::vector<int32_t> hosts_;
  std::vector<int32_t> metrics_, instances_;
};

}  // namespace pmjit::arrow
