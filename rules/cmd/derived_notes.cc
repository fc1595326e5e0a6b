// What eval says beside derived metrics of PCP's dialects.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "compiler/compat/definitions/set_expression.h"
#include "compiler/diag/no_match.h"
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

// The first pattern of the tree that selects nobody, and whom it could select.
struct Unmatched {
  NoMatch what;
  std::vector<std::string> instances;
};
std::optional<Unmatched> unmatched_in(const pcp::PcpTree& tree, const Catalog& catalog) {
  for (const pcp::PcpNode& node : tree.nodes) {
    if (node.kind != ExprKind::matchinst || node.unused) continue;
    const pcp::PcpNode& of = tree.nodes[node.args[0]];
    if (of.desc.indom == kNullId) continue;
    Unmatched out{.what = {.pattern = node.text,
                           .negated = node.negated,
                           .of = of.kind == ExprKind::name ? of.text : "the expression"},
                  .instances = {}};
    for (const auto& instance : catalog.instances(of.desc.indom)) {
      out.instances.push_back(instance.name);
    }
    if (out.what.holds(out.instances)) return out;
  }
  return std::nullopt;
}

}  // namespace

std::vector<bool> derived_by_pcp(const Program& program, const Catalog& catalog) {
  std::vector<bool> out;
  for (const ProgramRoot& root : program.roots) {
    const pcp::PcpTree* const tree = tree_of_root(program, root);
    out.push_back(tree != nullptr && !unmatched_in(*tree, catalog));
  }
  return out;
}

std::vector<std::string> notes_of_patterns(const Program& program, const Catalog& catalog) {
  std::vector<std::string> out;
  for (const ProgramRoot& root : program.roots) {
    const pcp::PcpTree* const tree = tree_of_root(program, root);
    if (tree == nullptr) continue;
    const auto unmatched = unmatched_in(*tree, catalog);
    if (!unmatched) continue;
    out.push_back(fmt::format("{}: {}\n  help: {}", root.info.name, unmatched->what.text(),
                              NoMatch::help(unmatched->instances)));
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
