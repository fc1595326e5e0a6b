// Encryption and logins as a module of their own (libpmjit-secure.so), opened when the first
// connection wants one of them: OpenSSL and Cyrus SASL cost every start 1.5 ms.
// load_secure() looks up one symbol, pmjit_secure_module, and checks the version. This header shows
// nothing of these libraries.
//
//   const auto secure = load_secure();
//   if (!secure) return fail(secure.error());    // it, or a library that it needs, is missing
//   const auto sessions = (*secure)->tls_sessions();
//
// Order of reading: tls_session.h, sasl_login.h, secure_module.cc, then net/secure.
#pragma once

#include <memory>
#include <string>

#include "runtime/client/net/sasl_login.h"
#include "runtime/client/net/tls_session.h"

namespace pmjit {

// Its functions may be called by several threads at once.
struct SecureModule {
  uint32_t version;
  std::unique_ptr<TlsSessions> (*tls_sessions)();
  std::unique_ptr<SaslLogin> (*log_in)(std::string host, Credentials credentials);
  std::unique_ptr<SaslCheck> (*check_login)();
};
inline constexpr uint32_t kSecureVersion = 3;  // bumped with these types, TlsPeer and Error

// Of $PMJIT_SECURE, else from where this code is installed: pmjit/libpmjit-secure.so next to our
// library, ../lib/pmjit from our program. Once a process; it stays until that ends.
[[nodiscard]] Result<const SecureModule*> load_secure();

// The libraries' versions, as pmGetAPIConfig() tells of them: "3.0.19", "2.1.28". Of their headers.
[[nodiscard]] const char* openssl_version();
[[nodiscard]] const char* sasl_version();

}  // namespace pmjit

extern "C" const pmjit::SecureModule* pmjit_secure_module();
