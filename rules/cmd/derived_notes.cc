// What eval says beside derived metrics of PCP's dialects.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "compiler/compat/definitions/set_expression.h"
#include "compiler/diag/no_match.h"
#include "rules/cmd/eval_job.h"
#include "rules/cmd/report_columns.h"
#include "runtime/base/near.h"

namespace pmjit {

namespace {

// Null: the result is made otherwise.
const pcp::PcpTree* tree_of_root(const Program& program, const ProgramRoot& root) {
  const auto step = std::ranges::find(program.steps, root.slot, &Step::out);
  if (step == program.steps.end() || step->sets == nullptr) return nullptr;
  return pcp::tree_of(*step->sets);
}

std::vector<std::string> instance_names(const Catalog& catalog, InDomId indom) {
  std::vector<std::string> out;
  for (const auto& instance : catalog.instances(indom)) out.push_back(instance.name);
  return out;
}

bool looks_back(const pcp::PcpTree& tree) {
  return std::ranges::any_of(tree.nodes, [](const pcp::PcpNode& node) {
    return node.function == pcp::Function::delta || node.function == pcp::Function::rate;
  });
}

// A node that selects nobody, and whom it could select.
struct Unmatched {
  std::string text, help;
};

std::string name_of(const pcp::PcpNode& node) {
  return node.kind == ExprKind::name ? node.text : "the expression";
}

std::optional<Unmatched> unmatched_pattern(const pcp::PcpNode& node, const pcp::PcpNode& of,
                                           const Catalog& catalog) {
  if (of.desc.indom == kNullId) return std::nullopt;
  const NoMatch none{.pattern = node.text, .negated = node.negated, .of = name_of(of)};
  const auto names = instance_names(catalog, of.desc.indom);
  if (!none.holds(names)) return std::nullopt;
  return Unmatched{.text = none.text(), .help = NoMatch::help(names)};
}

std::optional<Unmatched> unmatched_instance(const pcp::PcpNode& node, const pcp::PcpNode& of,
                                            const Catalog& catalog) {
  if (of.desc.indom == kNullId) {
    return Unmatched{.text = no_instances_text(name_of(of), node.text), .help = kNoInstancesHelp};
  }
  const auto names = instance_names(catalog, of.desc.indom);
  const bool known =
      std::ranges::any_of(catalog.names_ever(of.desc.indom), [&](const std::string& name) {
        return name == node.text || matches_first_word(name, node.text);
      });
  if (known || names.empty()) return std::nullopt;
  return Unmatched{.text = fmt::format("{} has no instance {}", name_of(of), node.text),
                   .help = NoMatch::help(names)};
}

// The first one of the tree.
std::optional<Unmatched> unmatched_in(const pcp::PcpTree& tree, const Catalog& catalog) {
  for (const pcp::PcpNode& node : tree.nodes) {
    if (node.unused) continue;
    std::optional<Unmatched> found;
    if (node.kind == ExprKind::matchinst) {
      found = unmatched_pattern(node, tree.nodes[node.args[0]], catalog);
    }
    if (node.kind == ExprKind::instance) {
      found = unmatched_instance(node, tree.nodes[node.args[0]], catalog);
    }
    if (found) return found;
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

std::vector<PatternNote> notes_of_patterns(const Program& program, const Catalog& catalog) {
  std::vector<PatternNote> out;
  for (size_t k = 0; k < program.roots.size(); ++k) {
    const ProgramRoot& root = program.roots[k];
    const pcp::PcpTree* const tree = tree_of_root(program, root);
    if (tree == nullptr) continue;
    const auto unmatched = unmatched_in(*tree, catalog);
    if (!unmatched) continue;
    out.push_back({k, fmt::format("{}: {}\n  help: {}", name_with_host(root.info), unmatched->text,
                                  unmatched->help)});
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
