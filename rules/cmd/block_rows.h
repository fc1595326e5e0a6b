// How many records a block of an evaluation holds.
#pragma once

#include "runtime/model/recording.h"
#include "runtime/program/program.h"

namespace pmjit {

// At most: so that the results of a block take some megabytes however many there are, or one row
// where that takes more. 0: no fewer than usual. `from`: where the evaluation starts.
uint32_t result_rows(const Program& program, const Recording& source, Stamp from);
// The same for rules, whose rows share lists, and of which no text is made: bounded by values, but
// of thousands of rules no fewer than make a block worth its while.
uint32_t rule_rows(const Program& program, const Recording& source, Stamp from);

}  // namespace pmjit
