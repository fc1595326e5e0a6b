#include "compiler/differences/definitions/definition_differences.h"

#include <algorithm>

#include "compiler/differences/definitions/walk.h"

namespace pmjit {

void add_differences(const Ast& ast, const DifferenceOptions& options, Diags& diags) {
  const std::vector<Facts> facts = find_facts(ast, options);
  Diags found;
  TextRows(ast, facts, options, found).run();
  NumberRows(ast, facts, options, found).run();
  UnitRows(ast, facts, options, found).run();
  InstanceRows(ast, facts, options, found).run();
  AbsenceRows(ast, facts, options, found).run();
  // As one reads the text; of one place in the order of the table.
  std::vector<const Diag*> ordered;
  for (const Diag& diag : found.all()) ordered.push_back(&diag);
  std::ranges::stable_sort(ordered, {}, [](const Diag* diag) { return diag->span.begin; });
  for (const Diag* diag : ordered) diags.append(*diag);
}

}  // namespace pmjit
