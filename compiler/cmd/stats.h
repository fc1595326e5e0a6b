// What eval --stats prints: which evaluator ran and why, what was read, and how fast each stage
// was.
#pragma once

#include <chrono>

#include "compiler/cmd/output.h"
#include "compiler/driver/driver.h"
#include "runtime/exec/evaluation.h"

namespace pmjit {

struct RunTimes {
  using Clock = std::chrono::steady_clock;
  static Clock::time_point now() { return Clock::now(); }
};

void print_stats(const Compilation& made, const EvaluationStats& stats, const OutputStats& output,
                 uint64_t values_written, RunTimes::Clock::time_point begin);

}  // namespace pmjit
