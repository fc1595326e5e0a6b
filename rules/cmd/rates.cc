#include "rules/cmd/rates.h"

#include <algorithm>
#include <set>
#include <string>

namespace pmjit {

std::vector<SourceText> expressions_of_rates(const Program& program) {
  const auto is_counter = [](const ProgramRoot& root) {
    return root.info.semantics == Semantics::counter;
  };
  std::vector<SourceText> out;
  if (std::ranges::none_of(program.roots, is_counter)) return out;
  // A root's name is what was written, a metric or a definition: an expression in each case.
  // Of several hosts each has a root of it.
  std::set<std::string> seen;
  for (const ProgramRoot& root : program.roots) {
    const std::string& text = root.info.name;
    if (!root.info.host.empty() && !seen.insert(text).second) continue;
    out.push_back({.name = "<expression>", .text = is_counter(root) ? "rate(" + text + ")" : text});
  }
  return out;
}

}  // namespace pmjit
