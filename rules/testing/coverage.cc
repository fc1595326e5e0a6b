#include "rules/testing/coverage.h"

#include <map>

namespace pmjit {

std::vector<RuleCoverage> coverage_of(std::span<const RuleTestOutcome> outcomes) {
  std::vector<RuleCoverage> out;
  std::map<std::pair<std::string, std::string>, size_t> index;
  for (const RuleTestOutcome& outcome : outcomes) {
    for (const RuleSeen& seen : outcome.rules) {
      if (seen.file.empty()) continue;
      const auto [at, is_new] = index.try_emplace({seen.file, seen.name}, out.size());
      if (is_new) out.push_back({.file = seen.file, .rule = seen.name});
      RuleCoverage& rule = out[at->second];
      rule.fires += seen.was_true ? 1 : 0;
      rule.silent += seen.was_false && !seen.was_true ? 1 : 0;
    }
  }
  return out;
}

}  // namespace pmjit
