// Why lanes are unknown, where somebody asks: from a lane without a value back through the steps
// that made it, to the first operand that has none, down to what was observed. Source: spec
// dialects.md §4.2. Private to runtime/exec.
//
// The rows of a wave know what they were made from; of those before it only the carried ones of
// each slot are still there. So the reasons of these are worked out before their wave ends, and
// kept with them.
#pragma once

#include "runtime/exec/state.h"

namespace pmjit {

// After the steps of a wave, before its results are assembled: of all unknown lanes of the roots,
// and of the rows of every slot that are kept. Nothing if nobody asks.
void find_reasons(ExecState& state, const Wave& wave);

}  // namespace pmjit
