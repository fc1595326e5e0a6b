// Puts together what an evaluation gives: for each root a row at every evaluation time of the
// wave. Private to runtime/exec.
#pragma once

#include "runtime/exec/state.h"

namespace pmjit {

// Of each root: no later one has its slot (ExecState::last_use).
std::vector<bool> last_uses(const Program& program);

// Fills `block` from the wave that all steps have run for. Columns are moved out of their slots:
// last use.
void assemble(ExecState& state, const Wave& wave, const EvaluationOptions& options,
              ResultBlock& block);
// Moves their memory back into the slots, whatever has become of the content.
void take_back_results(ExecState& state, ResultBlock& block);

}  // namespace pmjit
