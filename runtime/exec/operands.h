// Operands: recorded value sets as the strict dialect sees them. Instances ascend and stand once; a
// singular metric has exactly one lane; what was not delivered is unknown with its reason. Private
// to runtime/exec.
#pragma once

#include "runtime/exec/sampler.h"
#include "runtime/exec/state.h"

namespace pmjit {

// Moves the operand's observations of a wave into its slot.
void take_observations(ExecState& state, const ProgramOperand& operand, Observations& from);
// Moves their memory back.
void give_back_observations(ExecState& state, const ProgramOperand& operand, Observations& to);

}  // namespace pmjit
