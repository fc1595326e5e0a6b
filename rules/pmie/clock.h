// The reserved macros of time as pmie reckons them: within a day the clock goes on arithmetically,
// the calendar is asked when it passes midnight, goes back or a day or more has gone (Q27). Source:
// spec rules-language.md §4.
#pragma once

#include <ctime>

#include "compiler/pmie/expr.h"
#include "runtime/model/zone.h"

namespace pmjit::pmie {

class RuleClock {
 public:
  explicit RuleClock(Zone& zone) : zone_(zone) {}
  void set(double when);
  // Of all but delta.
  [[nodiscard]] double value(Variable variable) const;

 private:
  Zone& zone_;
  bool is_set_ = false;
  int64_t at_ = 0;
  std::tm tm_{};
};

}  // namespace pmjit::pmie
