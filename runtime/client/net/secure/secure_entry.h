// What the module's entry hands out.
#pragma once

#include "runtime/client/net/secure_module.h"

namespace pmjit {

[[nodiscard]] std::unique_ptr<TlsSessions> openssl_sessions();
[[nodiscard]] std::unique_ptr<SaslLogin> cyrus_login(std::string host, Credentials credentials);
[[nodiscard]] std::unique_ptr<SaslCheck> cyrus_check();

}  // namespace pmjit
