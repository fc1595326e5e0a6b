// GridMetric: one metric at the times of a grid, which interpolation reads for itself, record by
// record: where rows side by side (GridColumn) do not say it all.
#pragma once

#include <cstdint>
#include <utility>

#include "runtime/client/archive_context/replay_context.h"
#include "runtime/model/column.h"
#include "runtime/model/fetched_values.h"

namespace pmjit {

class GridMetric {
 public:
  struct Start {
    Stamp time;          // of its first fetch
    uint64_t spent = 0;  // fetches before the first that is wanted
    bool known = false;  // had it values in this segment?
  };
  // `marks` outlives it, where it is exact; so do the notes, if they are not null.
  GridMetric(const Archives& archives, const Desc& desc, Between between, ReplayStep step,
             Marks* marks, RecordNotes* notes, const Start& start)
      : context_(archives, BadVolumes::refuse),
        desc_(desc),
        exact_(between == Between::exact),
        known_(start.known),
        spent_(start.spent) {
    context_.set_between(between, exact_ ? marks : nullptr);
    if (notes != nullptr) context_.share(*notes);
    context_.set_mode(ReplayMode::interpolated, start.time, step);
    fetched_.in_columns = true;
  }

  void watch(UndescribedMetrics& undescribed) { context_.watch(undescribed); }
  void goes_on() { goes_on_ = exact_; }
  [[nodiscard]] Result<void> fetch() {
    for (; spent_ > 0; --spent_) {
      if (auto done = fetch_next(); !done) return done;
    }
    return fetch_next();
  }
  // So many fetches are not wanted.
  void spend(uint64_t fetches) { spent_ += fetches; }
  // Nothing that was known counts any more.
  void start_segment() {
    known_ = false;
    goes_on_ = false;
  }
  // False: nobody knows whether it is known.
  [[nodiscard]] bool append(Stamp time, uint32_t record, Rosters& rosters, Column& column);
  void close_files() { context_.close_files(); }
  // Since it was asked before.
  [[nodiscard]] uint64_t bytes_read() {
    const uint64_t before = std::exchange(bytes_read_, context_.bytes_read());
    return bytes_read_ - before;
  }

 private:
  [[nodiscard]] Result<void> fetch_next() { return context_.fetch({&desc_.pmid, 1}, {}, fetched_); }

  ReplayContext context_;
  Desc desc_;
  bool exact_;
  bool goes_on_ = false;  // at its first time: was it known before?
  Fetched fetched_;
  RosterId last_roster_id_ = Rosters::kNobodyId;
  bool known_;
  uint64_t spent_;
  uint64_t bytes_read_ = 0;
};

}  // namespace pmjit
