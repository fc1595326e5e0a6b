// Series: what one slot of a program holds over a round: one row an update of its clock, plus the
// last row of the rounds before, so that history and slow operands reach back across blocks.
//
// Vacant lanes need a second roster. row.roster_id lists the lanes that have a value or are
// unknown; `offered` the instances that the operands delivered at all. An instance that was offered
// and is not in the roster is vacant (spec dialects.md §4.2); one that was not offered is unknown
// to whoever joins with it.
//
// Rosters of operands are ascending here. Where a sets step reads one, `delivered` has the list as
// it was recorded: there the order means something.
#pragma once

#include <utility>
#include <vector>

#include "runtime/model/feed.h"

namespace pmjit {

struct Series {
  Column column;
  std::vector<RosterId> offered;  // one a row
  Column carried;                 // of the rounds before: no row or one
  RosterId carried_offered;
  std::vector<Segment> segments;  // of an operand of several hosts: what became of each
  bool keeps_order = false;
  std::vector<RosterId> delivered;  // one a row, if it keeps the order
  RosterId carried_delivered;

  void start_round(Elem elem) {
    column.clear();
    column.elem = elem;
    offered.clear();
  }
  // Between rounds.
  void keep_rosters(Rosters& rosters) const {
    for (const Row& row : carried.rows) rosters.keep(row.roster_id);
    rosters.keep(carried_offered);
    rosters.keep(carried_delivered);
  }
  // Copies the last row of this round. Results still look back at the one before: it becomes the
  // carried row when the round ends.
  void keep_last(const Rosters& rosters) {
    if (column.rows.empty()) return;
    const Row& row = column.rows.back();
    kept_.clear();
    kept_.elem = column.elem;
    kept_.append_row(column, row, rosters.size(row.roster_id));
    kept_offered_ = offered.back();
    if (keeps_order) kept_delivered_ = delivered.back();
  }
  void end_round() {
    if (kept_.rows.empty()) return;
    std::swap(carried, kept_);
    carried_offered = kept_offered_;
    carried_delivered = kept_delivered_;
    kept_.clear();
  }
  // The round that was kept is not carried on.
  void forget_round() { kept_.clear(); }

 private:
  Column kept_;
  RosterId kept_offered_, kept_delivered_;
};

}  // namespace pmjit
