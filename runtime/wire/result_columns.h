// ResultColumns: RESULT and HIGHRES_RESULT PDUs become rows of columns, without a step between.
// Sets are matched by metric, never by position: a collector may answer in another order, or with
// fewer sets, after an agent was restarted. Source: spec wire-protocol.md §5.5, §5.6, §6.
//
//   ResultColumns results(rosters);
//   for (const Desc& desc : plan) results.add_metric(desc, *elem_from_pm(desc.pm_type));
//   Block block;
//   results.prepare(block);
//   auto stamp = results.append(bytes, block);    // one row per metric that the PDU carries
//
// | the PDU has                        | the metric's row                                |
// |---|---|
// | no set of it                       | none                                            |
// | numval 0                           | no instances (Rosters::kNobodyId), status 0     |
// | numval below 0                     | status: that PM_ERR_*; no values                |
// | values of another type or length   | status PM_ERR_TYPE; no values                   |
// | values, in place or in blocks      | its roster, and the values                      |
//
// The PDU is checked as a whole first. If it is refused, the block is as it was.
#pragma once

#include "runtime/base/result.h"
#include "runtime/model/record_decoder.h"
#include "runtime/wire/messages.h"

namespace pmjit::wire {

class ResultColumns {
 public:
  // `rosters` outlives it; rosters of rows are ids in it.
  explicit ResultColumns(Rosters& rosters) : decoder_(rosters, Misfits::become_status) {}

  // Column i is metric i in the order of the calls; each metric once. Types that no column holds
  // (events) cannot be asked for.
  void add_metric(const Desc& desc, Elem elem) { decoder_.add_metric(desc, elem); }
  // Clears the block, and gives it the plan's columns.
  void prepare(Block& block) { decoder_.prepare(block); }

  // Appends what the PDU carries of the plan. The stamp is that of the rows. Refused, besides what
  // decode() refuses: a PDU of another type, a time that is none.
  [[nodiscard]] Result<Stamp> append(Bytes pdu, Block& block);

 private:
  Decoder decoder_;
};

}  // namespace pmjit::wire
