// What a collector says of a user whom it does not let in. It says so by the codes of its SASL
// library, or of the system. Source: spec wire-protocol.md §3.5, §15.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/base/result.h"

namespace pmjit {

// Who logs in, by which method, and at which host as the method has it: Kerberos knows its service
// by that name.
struct LoginAs {
  std::string user{}, method{}, host{};
};

[[nodiscard]] bool is_login_refusal(int32_t code);
// Who it was, and what to do. The code stays that of the collector.
[[nodiscard]] Error refused_login(int32_t code, const LoginAs& who);

}  // namespace pmjit
