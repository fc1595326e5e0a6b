// Where neither -a nor -h is given: which of the arguments may be meant for an archive.
#pragma once

#include <string>
#include <vector>

namespace pmjit {

// For Command::wrong. `hosts`: the verb has -h.
[[nodiscard]] std::string missing_source(const std::vector<std::string>& arguments, bool hosts);

}  // namespace pmjit
