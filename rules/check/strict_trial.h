// Which rules of pmie strict takes: as they stand, else as they are rewritten for it. All are
// compiled together, so that the time grows with the rules.
#pragma once

#include <span>
#include <string>

#include "rules/strict/strict_replay.h"

namespace pmjit {

struct StrictTrial {
  std::string texts[2];  // as it stands, with the macros that it uses; and rewritten
  // What came of it.
  size_t taken = 0;       // which of the texts, if it is not refused
  std::string refused{};  // why strict takes neither, in a line
};

// The rules of those that are taken, in their order.
[[nodiscard]] strict::RuleSet take_in_strict(std::span<StrictTrial> trials, const Feeds& feeds,
                                             const strict::TaskOptions& options,
                                             const strict::ReadOptions& reading);

}  // namespace pmjit
