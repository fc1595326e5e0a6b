// A test file with what came out of its tests instead of what they expected.
#pragma once

#include <span>

#include "rules/testing/run_test.h"

namespace pmjit {

// `text`: of the file; `outcomes`: of its tests, in their order. Only the bodies of sections that
// are expected change.
[[nodiscard]] std::string updated(const RuleTestFile& file, std::string_view text,
                                  std::span<const RuleTestOutcome> outcomes);

}  // namespace pmjit
