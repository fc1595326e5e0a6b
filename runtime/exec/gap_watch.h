// GapWatch: before which evaluations there was a time of which nothing is known. That is after a
// mark, and after a pause: a step of more than 5/2 of the logging interval of the evaluations
// (intervals.h), after which what was known is too old. Source: spec dialects.md §13.1, §13.2.
#pragma once

#include "runtime/exec/intervals.h"
#include "runtime/exec/sampler.h"

namespace pmjit {

class GapWatch {
 public:
  // `discrete`: all operands are; they hold until the next observation, whenever that is.
  explicit GapWatch(bool discrete) : discrete_(discrete) {}

  // Of every group, in their order.
  bool follows_gap(const Group& group) {
    const bool marked = any_ && group.segment != last_.segment;
    const bool paused =
        any_ && !discrete_ && intervals_.limit().exceeded_by(nanos(group.t) - nanos(last_.t));
    if (marked) intervals_.start_segment();
    intervals_.update(group.t);
    last_ = group;
    any_ = true;
    return marked || paused;
  }

 private:
  bool discrete_;
  bool any_ = false;
  Group last_;
  Intervals intervals_;
};

}  // namespace pmjit
