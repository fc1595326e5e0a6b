// What eval says beside derived metrics of PCP's dialects.
#include <fmt/core.h>

#include <algorithm>

#include "compiler/compat/definitions/set_expression.h"
#include "rules/cmd/eval_job.h"
#include "rules/cmd/report_columns.h"

namespace pmjit {

namespace {

// Null: the result is made otherwise.
const pcp::PcpTree* tree_of_root(const Program& program, const ProgramRoot& root) {
  const auto step = std::ranges::find(program.steps, root.slot, &Step::out);
  if (step == program.steps.end() || step->sets == nullptr) return nullptr;
  return pcp::tree_of(*step->sets);
}

bool looks_back(const pcp::PcpTree& tree) {
  return std::ranges::any_of(tree.nodes, [](const pcp::PcpNode& node) {
    return node.function == pcp::Function::delta || node.function == pcp::Function::rate;
  });
}

}  // namespace

std::vector<bool> derived_by_pcp(const Program& program) {
  std::vector<bool> out;
  for (const ProgramRoot& root : program.roots) {
    out.push_back(tree_of_root(program, root) != nullptr);
  }
  return out;
}

std::string note_of_groups(const Program& program, const Recording& recorded) {
  std::string first;
  double interval = 0;
  size_t more = 0;
  for (const ProgramRoot& root : program.roots) {
    const pcp::PcpTree* const tree = tree_of_root(program, root);
    if (tree == nullptr || !looks_back(*tree)) continue;
    const RecordRhythm rhythm = rhythm_of(recorded, tree->operands);
    if (!rhythm.in_groups) continue;
    if (!first.empty()) {
      ++more;
      continue;
    }
    first = root.info.name;
    interval = rhythm.interval;
  }
  if (first.empty()) return {};
  return fmt::format(
      "{}{}: the logger writes the metrics in groups, a moment apart. At these times PCP's delta() "
      "and rate() compare with the group before, and are often 0\n  help: -t {}sec gives values of "
      "whole intervals",
      first, more == 0 ? "" : fmt::format(" and {} more", more), interval);
}

}  // namespace pmjit
