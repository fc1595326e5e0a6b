// The variables that give standard options, and the check of debug flags.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/cmd/option_table.h"

namespace pmjit {

// The option that an environment variable stands for ("PCP_START_TIME": start).
[[nodiscard]] std::optional<Standard> option_of_variable(std::string_view name);

// What -D and PCP_DEBUG take: names with commas between them, or a number of old.
[[nodiscard]] bool is_debug_spec(std::string_view spec);

}  // namespace pmjit
