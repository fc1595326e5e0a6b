#include "rules/compat/clock.h"

#include <cmath>

namespace pmjit::pmie {

void RuleClock::set(double when) {
  constexpr int64_t kHour = 3600, kDay = 24 * kHour;
  const auto sec = static_cast<int64_t>(std::floor(when));
  const int64_t gone = sec - at_;
  at_ = sec;
  const int64_t of_day = tm_.tm_hour * kHour + tm_.tm_min * 60 + tm_.tm_sec + gone;
  if (gone < 0 || gone >= kDay || of_day >= kDay) {
    tm_ = zone_.local(sec);
    return;
  }
  tm_.tm_hour = static_cast<int>(of_day / kHour);
  tm_.tm_min = static_cast<int>(of_day % kHour / 60);
  tm_.tm_sec = static_cast<int>(of_day % 60);
}

double RuleClock::value(Variable variable) const {
  switch (variable) {
    case Variable::minute: return tm_.tm_min;
    case Variable::hour: return tm_.tm_hour;
    case Variable::day: return tm_.tm_mday;
    case Variable::month: return tm_.tm_mon;
    case Variable::year: return tm_.tm_year + 1900;
    case Variable::day_of_week: return tm_.tm_wday;
    default: return 0;
  }
}

}  // namespace pmjit::pmie
