// The machine that we run on.
#pragma once

#include <string>

namespace pmjit {

// As gethostname() has it; empty: it has none.
[[nodiscard]] std::string local_host_name();

}  // namespace pmjit
