// Why lanes are unknown, where somebody asks: from a lane without a value back through the steps
// that made it, to the first operand that has none, down to what was observed. Source: spec
// dialects.md §4.2. Private to runtime/exec.
//
// The rows of a wave know what they were made from; of those before it only the last of each slot
// is still there. So the reasons of that row are worked out before its wave ends, and kept with
// it.
#pragma once

#include "runtime/exec/state.h"

namespace pmjit {

// After the steps of a wave, before its results are assembled: of all unknown lanes of the roots,
// and of the row of every slot that is kept. Nothing if nobody asks.
void find_reasons(ExecState& state, const Wave& wave);

}  // namespace pmjit
