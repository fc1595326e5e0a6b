// Rules of the strict dialect, run by a verb: archives opened, the evaluator chosen from the work.
#pragma once

#include <functional>
#include <string>

#include "rules/replay/events.h"
#include "rules/strict/rule_set.h"
#include "runtime/model/stamp.h"

namespace pmjit {

struct StrictWindow {
  Stamp origin, end;
};

// `archives`: of one host, as -a has them. What is wrong with the rules is said.
[[nodiscard]] Result<void> replay_strict(const strict::RuleSet& rules, const std::string& archives,
                                         const StrictWindow& window, EventWriter& writer,
                                         const std::function<bool()>& stop);

}  // namespace pmjit
