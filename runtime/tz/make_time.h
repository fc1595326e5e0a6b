// make_time(): the moment at which a clock shows some fields, as mktime() finds it.
//
//   std::tm tm{.tm_mday = 27, .tm_mon = 9, .tm_year = 124, .tm_isdst = -1};   // and tm_hour = 2
//   int64_t guess = 0;
//   make_time(*rules, tm, guess)              // Berlin: 02:00 comes twice that night
//
// Which of two moments, and what is made of an hour that was left out, depends on the offset that
// the call before came to: the C library keeps that for the process, the caller here. 0 is what a
// process begins with. Of several texts that belong together, as of a window, pass one guess on.
#pragma once

#include <cstdint>
#include <ctime>

#include "runtime/tz/rules.h"

namespace pmjit::tz {

// Fields need not be in range; tm_isdst says by which clock they are, -1 by that of the time. -1:
// no such moment.
[[nodiscard]] int64_t make_time(const Rules& rules, const std::tm& fields, int64_t& guess);

}  // namespace pmjit::tz
