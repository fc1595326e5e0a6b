// Truth values of a row, 64 lanes at a time: a sweep has tens of millions of them.
#pragma once

#include "runtime/model/column.h"

namespace pmjit {

struct RowTruth {
  uint64_t trues = 0, unknown = 0;  // lanes
};

// Of `lanes` truth values from `offset` on. Bit i of `ever` becomes 1 where lane i is true; words
// for `lanes` bits.
RowTruth fold_truths(const Column& column, uint64_t offset, uint64_t lanes, uint64_t* ever);

}  // namespace pmjit
