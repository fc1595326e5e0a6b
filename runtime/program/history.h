// How far back a program looks on a grid, where history is the row before: the results of a time
// depend on that time and so many before it. At recorded times it may be rows farther back
// (runtime/exec/clock_tracks.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/program/program.h"

namespace pmjit {

// In rows. None: on all of them, or on how libpcp comes to its values, which depends on what was
// fetched before.
[[nodiscard]] inline std::optional<uint32_t> history_rows(const Program& program) {
  const auto exact = [](const ProgramOperand& operand) {
    return operand.between == Between::exact;
  };
  if (!std::ranges::all_of(program.operands, exact)) return std::nullopt;
  std::vector<uint32_t> depth(program.slots.size(), 0);
  uint32_t most = 0;
  for (const Step& step : program.steps) {
    // Guests get their identifiers in the order in which they come.
    if (step.kind == StepKind::sets || step.kind == StepKind::meet) return std::nullopt;
    uint32_t& of_step = depth[step.out.index];
    for (const StepInput& input : step.inputs) {
      using enum StepInput::Kind;
      const uint32_t of_input = input.kind == seconds ? 0 : depth[input.slot.index];
      of_step = std::max(of_step, of_input + (input.kind == now ? 0 : 1));
    }
    most = std::max(most, of_step);
  }
  return most;
}

}  // namespace pmjit
