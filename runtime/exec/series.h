// Series: what one slot of a program holds over a round: one row an update of its clock, plus the
// last row of the rounds before, so that history and slow operands reach back across blocks.
//
// Vacant lanes need a second roster. row.roster_id lists the lanes that have a value or are
// unknown; `offered` the instances that the operands delivered at all. An instance that was offered
// and is not in the roster is vacant (spec dialects.md §4.2); one that was not offered is unknown
// to whoever joins with it.
#pragma once

#include <vector>

#include "runtime/model/column.h"

namespace pmjit {

struct Series {
  Column column;
  std::vector<RosterId> offered;  // one a row
  Column carried;                 // no row or one
  RosterId carried_offered;

  void start_round(Elem elem) {
    column.clear();
    column.elem = elem;
    offered.clear();
  }
  // Keeps the last row of this round for the next.
  void carry(const Rosters& rosters) {
    if (column.rows.empty()) return;
    const Row& row = column.rows.back();
    carried.clear();
    carried.elem = column.elem;
    carried.append_row(column, row, rosters.size(row.roster_id));
    carried_offered = offered.back();
  }
};

}  // namespace pmjit
