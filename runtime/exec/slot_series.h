// Series: what one slot of a program holds over a round: one row an update of its clock, plus the
// last rows of the rounds before, so that history and slow operands reach back across blocks. That
// is one row, and of a slot with a history as many as it may look back to (Track::oldest_needed).
//
// Vacant lanes need a second roster. row.roster_id lists the lanes that have a value or are
// unknown; `offered` the instances that the operands delivered at all. An instance that was offered
// and is not in the roster is vacant (spec dialects.md §4.2); one that was not offered is unknown
// to whoever joins with it.
//
// Rosters of operands are ascending here. Where a sets step reads one, `delivered` has the list as
// it was recorded: there the order means something.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "runtime/exec/clock_tracks.h"
#include "runtime/model/feed.h"

namespace pmjit {

struct Series {
  Column column;
  std::vector<RosterId> offered;  // one a row; none: those of the rows
  Column carried;                 // of the waves before, the newest last
  std::vector<RosterId> carried_offered;
  std::vector<Segment> segments;  // of an operand of several hosts: what became of each
  bool keeps_order = false;
  std::vector<RosterId> delivered;  // one a row, if it keeps the order
  std::vector<RosterId> carried_delivered;

  void start_round(Elem elem) {
    column.clear();
    column.elem = elem;
    offered.clear();
  }
  // Between rounds.
  void keep_rosters(Rosters& rosters) const {
    for (const Row& row : carried.rows) rosters.keep(row.roster_id);
    for (const RosterId id : carried_offered) rosters.keep(id);
    for (const RosterId id : carried_delivered) rosters.keep(id);
  }
  // Copies the rows from `oldest` to the last of this round; nothing if it has none. Results still
  // look back at those carried so far: the copies take their place when the round ends.
  void keep(RowRef oldest, const Rosters& rosters) {
    if (column.rows.empty()) return;
    kept_.clear();
    kept_.elem = column.elem;
    kept_offered_.clear();
    kept_delivered_.clear();
    const auto end = static_cast<int64_t>(column.rows.size());
    for (RowRef ref = oldest; ref.index < end; ++ref.index) {
      const Row& row = row_of(ref);
      kept_.append_row(column_of(ref), row, rosters.size(row.roster_id));
      kept_offered_.push_back(offered_of(ref));
      if (keeps_order) kept_delivered_.push_back(delivered_of(ref));
    }
  }
  // Of many hosts, whose rows `hosts` are: of each of so many the last one, in their order.
  void keep_of_hosts(std::span<const HostId> hosts, size_t count, const Rosters& rosters) {
    kept_.clear();
    kept_.elem = column.elem;
    kept_offered_.clear();
    kept_delivered_.clear();
    last_of_host_.assign(count, RowRef{});
    for (uint32_t host = 0; host < count && !carried.rows.empty(); ++host) {
      last_of_host_[host].index = static_cast<int64_t>(host) - static_cast<int64_t>(count);
    }
    for (size_t i = 0; i < hosts.size(); ++i) {
      last_of_host_[hosts[i].index].index = static_cast<int64_t>(i);
    }
    for (const RowRef ref : last_of_host_) {
      if (ref.none()) {
        kept_.rows.push_back(Row{.roster_id = Rosters::kNobodyId, .status = kNotYetLogged});
        kept_offered_.push_back(Rosters::kNobodyId);
        if (keeps_order) kept_delivered_.push_back(Rosters::kNobodyId);
        continue;
      }
      const Row& row = row_of(ref);
      kept_.append_row(column_of(ref), row, rosters.size(row.roster_id));
      kept_offered_.push_back(offered_of(ref));
      if (keeps_order) kept_delivered_.push_back(delivered_of(ref));
    }
  }
  void keep_last(const Rosters& rosters) {
    keep({static_cast<int64_t>(column.rows.size()) - 1}, rosters);
  }
  void end_round() {
    if (kept_.rows.empty()) return;
    swap_columns(carried, kept_);
    std::swap(carried_offered, kept_offered_);
    std::swap(carried_delivered, kept_delivered_);
    kept_.clear();
  }
  // The round that was kept is not carried on.
  void forget_round() { kept_.clear(); }

  // Where a row is.
  [[nodiscard]] bool has(RowRef ref) const {
    return !ref.none() && (!ref.carried() || index_of(ref) < carried.rows.size());
  }
  [[nodiscard]] const Column& column_of(RowRef ref) const {
    return ref.carried() ? carried : column;
  }
  [[nodiscard]] size_t index_of(RowRef ref) const {
    return static_cast<size_t>(ref.index) + (ref.carried() ? carried.rows.size() : 0);
  }
  [[nodiscard]] const Row& row_of(RowRef ref) const { return column_of(ref).rows[index_of(ref)]; }
  [[nodiscard]] RosterId offered_of(RowRef ref) const {
    if (ref.carried()) return carried_offered[index_of(ref)];
    return offered.empty() ? row_of(ref).roster_id : offered[index_of(ref)];
  }
  [[nodiscard]] RosterId delivered_of(RowRef ref) const {
    return (ref.carried() ? carried_delivered : delivered)[index_of(ref)];
  }

 private:
  Column kept_;
  std::vector<RosterId> kept_offered_, kept_delivered_;
  std::vector<RowRef> last_of_host_;
};

}  // namespace pmjit
