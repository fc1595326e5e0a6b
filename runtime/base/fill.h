// Texts of tables with places for arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pmjit {

// Each {} is replaced by the next argument, which is never read again itself: a name with {} in it
// stays as it is. There must be as many of one as of the other.
[[nodiscard]] std::string fill(std::string_view text, const std::vector<std::string>& args);

}  // namespace pmjit
