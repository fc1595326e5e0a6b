// KnownLanes: how many lanes the known rows of a column have. Columns of a block that share their
// rows are summed once.
//
//   KnownLanes known(rosters);                     // for one block
//   known.of(column.rows).lanes
//
// LostTimes: for how many values a time counts at which all of a metric is unknown. The note, the
// table of reasons and the chart count alike.
#pragma once

#include <algorithm>
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

struct LostTimes {
  uint64_t rows = 0, lanes = 0;  // known ones of the metric

  // As many as it has instances otherwise; of those that come and go the mean.
  [[nodiscard]] uint64_t values_each() const {
    return rows == 0 ? 1 : std::max<uint64_t>(1, (lanes + rows / 2) / rows);
  }
};

}  // namespace pmjit
