// The machine that we run on.
#pragma once

#include <string>

namespace pmjit {

// As gethostname() has it; empty: it has none.
[[nodiscard]] std::string local_host_name();
// As the kernel has it; "localdomain": nobody has named it.
[[nodiscard]] std::string local_domain_name();
// What systemd calls it; empty: nothing.
[[nodiscard]] std::string local_machine_id();

}  // namespace pmjit
