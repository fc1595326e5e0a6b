// A test of rules in the strict dialect.
#pragma once

#include "rules/testing/run_test.h"
#include "rules/testing/test_hosts.h"

namespace pmjit {

// A text of rules; `file`: in which it stands, as tests of it are counted; empty: in the test.
struct RuleText {
  std::string name, text, file;
};

// Its rules have errors: those are the messages, and nothing of them runs.
[[nodiscard]] Result<RuleTestOutcome> run_strict_test(const std::vector<RuleText>& texts,
                                                      double delta, TestHosts hosts,
                                                      const RuleTestWorld& world);

}  // namespace pmjit
