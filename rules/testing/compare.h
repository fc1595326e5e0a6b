// What came out of a test beside what it expects.
#pragma once

#include <span>

#include "rules/testing/run_test.h"

namespace pmjit {

// What is wrong, a text each; none: all is as expected. A failure: an expectation cannot be read.
[[nodiscard]] Result<std::vector<std::string>> compare(const RuleTestFile& file,
                                                       const RuleTest& test,
                                                       const RuleTestOutcome& outcome);

// The events of the rules that the section names, or all (README.md).
[[nodiscard]] std::vector<std::string> events_of_interest(const std::vector<EventLine>& expected,
                                                          const std::vector<EventLine>& actual,
                                                          bool all);

// A test file with what came out of its tests instead of what they expected.

// `text`: of the file; `outcomes`: of its tests, in their order. Only the bodies of sections that
// are expected change.
[[nodiscard]] std::string updated(const RuleTestFile& file, std::string_view text,
                                  std::span<const RuleTestOutcome> outcomes);

}  // namespace pmjit
