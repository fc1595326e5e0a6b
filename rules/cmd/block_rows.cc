#include "rules/cmd/block_rows.h"

#include <algorithm>

#include "rules/cmd/expected_run.h"
#include "runtime/base/limits.h"

namespace pmjit {

namespace {

// These are not much more than what a block is decoded of, whatever their lanes.
constexpr size_t kFewResults = 64;

// Of the metric that has most.
double lanes_expected(const Program& program, const Recording& source, Stamp from) {
  std::vector<PmId> metrics;
  for (const ProgramOperand& operand : program.operands) metrics.push_back(operand.desc.pmid);
  double out = 1;
  for (const MetricWork& work : expected_work(source, {.from = from}).of_metrics(metrics)) {
    out = std::max(out, work.lanes);
  }
  return out;
}

}  // namespace

uint32_t result_rows(const Program& program, const Recording& source, Stamp from) {
  const size_t roots = program.roots.size();
  if (roots <= kFewResults) return 0;
  size_t wide = 0;  // bytes of one lane of each result
  for (const ProgramRoot& root : program.roots) {
    if (root.info.domain != kNullId) wide += elem_bytes(root.info.elem);
  }
  size_t rows = std::max(limits::kResultRowsMax / roots, limits::kResultRowsLeast);
  if (wide > 0) {
    const double bytes = static_cast<double>(wide) * lanes_expected(program, source, from);
    rows =
        std::min(rows, static_cast<size_t>(static_cast<double>(limits::kResultBytesMax) / bytes));
  }
  return static_cast<uint32_t>(std::clamp<size_t>(rows, 1, limits::kBlockRowsMax));
}

}  // namespace pmjit
