// The entry of libpmjit-secure.so. Order of reading: tls_context.h, openssl_session.cc,
// cyrus_library.h, cyrus_login.cc, cyrus_check.cc.
#include "runtime/client/net/secure/secure_entry.h"

namespace pmjit {

namespace {

constexpr SecureModule kSecureModule{.version = kSecureVersion,
                                     .tls_sessions = openssl_sessions,
                                     .log_in = cyrus_login,
                                     .check_login = cyrus_check};

}  // namespace

}  // namespace pmjit

extern "C" __attribute__((visibility("default"))) const pmjit::SecureModule* pmjit_secure_module() {
  return &pmjit::kSecureModule;
}
