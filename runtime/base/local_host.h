// The machine that we run on.
#pragma once

#include <string>
#include <string_view>

namespace pmjit {

// As gethostname() has it; empty: it has none.
[[nodiscard]] std::string local_host_name();
// As the kernel has it; "localdomain": nobody has named it.
[[nodiscard]] std::string local_domain_name();
// What systemd calls it; empty: nothing.
[[nodiscard]] std::string local_machine_id();
// In 64 hexadecimal digits: for those who may not know which machine it is.
[[nodiscard]] std::string sha256_text(std::string_view text);

}  // namespace pmjit
