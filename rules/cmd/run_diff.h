// pmjit run --diff OLD NEW: what a change of rules changes.
#pragma once

#include <string>

#include "rules/cmd/rule_session.h"

namespace pmjit {

// The session's files are the old rules and the new ones. The exit status.
[[nodiscard]] int diff_rules(const RuleSessionOptions& options, const std::string& format,
                             const Clock& clock);

}  // namespace pmjit
