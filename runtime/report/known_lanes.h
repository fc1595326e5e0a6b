// KnownLanes: how many lanes the known rows of a column have. Columns of a block that share their
// rows are summed once.
//
//   KnownLanes known(rosters);                     // for one block
//   known.of(column.rows).lanes
#pragma once

#include <cstdint>

#include "runtime/model/row_list.h"

namespace pmjit {

class KnownLanes {
 public:
  struct Sum {
    uint64_t lanes = 0;
    bool all = true;  // every row is known
  };

  explicit KnownLanes(const Rosters& rosters) : rosters_(rosters) {}

  [[nodiscard]] const Sum& of(const RowList& rows) {
    if (rows.empty() || rows.identity() != last_) {
      last_ = rows.identity();
      sum_ = {};
      for (const Row& row : rows) {
        if (row.status == 0) {
          sum_.lanes += rosters_.size(row.roster_id);
        } else {
          sum_.all = false;
        }
      }
    }
    return sum_;
  }

 private:
  const Rosters& rosters_;
  const void* last_ = nullptr;
  Sum sum_;
};

}  // namespace pmjit
