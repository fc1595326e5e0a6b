// Coverage: which rules of rule files the tests show firing, and which they show silent.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rules/testing/run_test.h"

namespace pmjit {

struct RuleCoverage {
  std::string file, rule;
  uint32_t fires = 0;   // tests in which it became true
  uint32_t silent = 0;  // tests in which it was false, and never true

  [[nodiscard]] bool covered() const { return fires > 0 && silent > 0; }
};

// In the order in which tests show them; rules that stand in a test are left out.
[[nodiscard]] std::vector<RuleCoverage> coverage_of(std::span<const RuleTestOutcome> outcomes);

}  // namespace pmjit
