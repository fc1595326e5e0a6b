// The reserved macros of time as pmie reckons them: within a day the clock goes on arithmetically,
// the calendar is asked when it passes midnight, goes back or a day or more has gone (Q27). It
// begins in 1970, without a date: on that day all of it counts from 0. Source: spec
// rules-language.md §4.
#pragma once

#include <ctime>

#include "compiler/compat/pmie/expr.h"
#include "runtime/text/zone.h"

namespace pmjit::pmie {

class RuleClock {
 public:
  explicit RuleClock(Zone& zone) : zone_(zone) {}
  void set(double when);
  // Of all but delta.
  [[nodiscard]] double value(Variable variable) const;

 private:
  Zone& zone_;
  int64_t at_ = 0;
  std::tm tm_{.tm_year = -1900};
};

}  // namespace pmjit::pmie
