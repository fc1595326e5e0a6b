// Block: the columns of one fetch group over a span of records: one record live, thousands from an
// archive.
//
// Records stand in the order of the source. A record that carries none of the plan's metrics is
// left out; a mark is kept, for nothing crosses it. Column i belongs to metric i of the plan;
// row.record says which record it came from. A column has no row for a record that does not carry
// its metric.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/model/column.h"
#include "runtime/model/stamp.h"

namespace pmjit {

struct Record {
  Stamp stamp;
  bool mark = false;    // "data stream interrupted here": no values
  uint32_t source = 0;  // whose it is, where a recording is of several (Recording::source_of)
};

struct Block {
  std::vector<Record> records;
  std::vector<Column> columns;
  uint64_t bytes = 0;  // bytes of the source that were walked to make it
  // Whose memory this is: of use to the cursor that filled the block, when it comes again.
  uint32_t owner = 0;

  void clear() {
    records.clear();
    for (Column& column : columns) column.clear();
    bytes = 0;
  }
};

}  // namespace pmjit
