// --help of a verb, from its table of options, for a terminal of 80 columns.
#pragma once

#include <string>

#include "rules/cmd/command.h"

namespace pmjit {

// `path`: how the verb is called, "pmjit explain why".
[[nodiscard]] std::string help_text(const Command& verb, const std::string& path);

}  // namespace pmjit
