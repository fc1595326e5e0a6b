// Why a strict rule is true, false or unknown at a time: its conditions as trees, with the values
// of each part by host and instance, why what is unknown is so, and how far each comparison is from
// changing.
#pragma once

#include <string>

#include "rules/strict/task.h"

namespace pmjit::strict {

struct WhyText {
  Stamp when;  // of the last evaluation up to the end of the run
  std::string text;
};

// Of RuleSet::rules. A failure's text is all that is to be said.
[[nodiscard]] Result<WhyText> why_text(const RuleSet& set, size_t rule, const Feeds& feeds,
                                       const TaskOptions& options);

}  // namespace pmjit::strict
