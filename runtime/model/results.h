// What an evaluation gives: for each root a column with exactly one row an evaluation time, and
// what the writers need to know of it beforehand.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/model/column.h"
#include "runtime/model/desc.h"

namespace pmjit {

struct ResultInfo {
  std::string name;  // the metric, the definition's name, or the expression as written
  Elem elem = Elem::f64;
  Semantics semantics = Semantics::instant;
  Units units;
  InDomId domain = kNullId;           // kNullId: one value a time
  std::vector<InDomId> met{};         // whose instances may be guests there
  InDomId recorded_domain = kNullId;  // as its host has it, where that differs (hosts.h)
  std::string host{};                 // of a run with several; empty: the only one, or all of them
};

// web1:disk.dev.read, of a run with several hosts; else the name alone.
[[nodiscard]] inline std::string name_with_host(const ResultInfo& info) {
  return info.host.empty() ? info.name : info.host + ":" + info.name;
}

using LaneReasons = std::unordered_map<uint64_t, int32_t>;  // Reason or PM_ERR_*

struct ResultBlock {
  std::vector<Stamp> times;
  // Of each time: whose results they are, where a wave has rows of many hosts (Wave::hosts).
  std::vector<HostId> hosts;
  // Of each time: counts the interruptions of the recording; nothing crosses from one to the next.
  // Empty: there are none.
  std::vector<uint64_t> segments;
  // columns[k].rows[i] belongs to times[i]. A row whose status is not 0 is unknown as a whole: no
  // lane of it has a value. A lane that is not valid is unknown; an instance that is not in the
  // roster is vacant.
  std::vector<Column> columns;
  // Where they were asked for, one a column: why values are unknown, by index into its values.
  std::vector<LaneReasons> reasons;
  // Where they were asked for, one a time: nothing was known for a while before it (a mark, or a
  // pause).
  std::vector<uint8_t> after_gap;

  void clear() {
    times.clear();
    hosts.clear();
    after_gap.clear();
    segments.clear();
    for (Column& column : columns) column.clear();
    for (LaneReasons& of_column : reasons) of_column.clear();
  }
};

// Why a row is unknown as a whole, or a lane of it: recorded at the leaves, found by exec/reasons
// above them. Negative values are PM_ERR_* of the value set.
enum Reason : int32_t {
  kKnown = 0,
  kNotYetLogged = 1,  // no observation in this segment yet
  kStale = 2,         // the latest observation is older than its age limit
  kGap = 3,           // a mark, or a pause longer than the age limit, ended the history
  kFirstSample = 4,   // delta, rate: no previous update
  kNoValue = 5,       // a value set without a value for one that is there
  kReset = 6,         // delta, rate: the counter fell
  kNoTime = 7,        // rate: no time between two updates
  kOverflow = 8,      // the integer is too large for its type
  kNotANumber = 9,    // NaN in a relation
  kNobody = 10,       // an aggregate or scalar() of no instance
  kSeveral = 11,      // scalar() of several
  kNoName = 12,       // a pattern, and an instance without a name
  kHostDown = 13,     // nothing could be fetched: a source's row of every metric of that host
};

// The points of a sweep: one expression with every combination of values of its parameters, the
// first parameter slowest. A point is a result of its own, in this order.
struct SweepPoints {
  std::string expression;               // as written
  std::vector<std::string> parameters;  // names, without $
  // Of each point: a number for each parameter, in text.
  std::vector<std::vector<std::string>> values;
};

}  // namespace pmjit
