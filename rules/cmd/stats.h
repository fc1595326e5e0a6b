// What eval --stats prints: which evaluator ran and why, what was read, and how fast each stage
// was.
#pragma once

#include <optional>

#include "compiler/driver/driver.h"
#include "rules/cmd/output.h"
#include "runtime/base/clock.h"
#include "runtime/exec/evaluation.h"

namespace pmjit {

// Of what happens once, around the evaluation.
struct RunTimes {
  Instant begin{};
  double wall_s = 0;                  // from the beginning to these figures
  double end_s = 0;                   // of the output, behind the last row
  double open_s = 0;                  // archives: their metadata; threads; the window
  std::optional<double> draw_s = {};  // a chart
};

// Of every stage that took part. `lanes`: of the results that were given out.
void print_stats(const Compilation& made, const EvaluationStats& stats, const OutputStats& output,
                 uint64_t lanes, uint64_t values_written, const RunTimes& times);

}  // namespace pmjit
