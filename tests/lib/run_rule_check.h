// The run `check` of rules: what `pmjit check` says of rule files in the dialect pmie, and of
// strict ones that read well.
#pragma once

#include "runtime/testing/case_file.h"
#include "tests/lib/outcome.h"

namespace pmjit::cases {

// Has the case rules? Without metrics what the text alone shows.
[[nodiscard]] bool has_rules(const CaseFile& file);
[[nodiscard]] Outcome run_rule_check(const CaseFile& file);

}  // namespace pmjit::cases
