#include "runtime/client/net/secure_module.h"

#include <openssl/opensslv.h>
#include <sasl/sasl.h>

#include <mutex>

#include "runtime/base/module_file.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

constexpr ModuleFile kSecureFile{.file = "libpmjit-secure.so",
                                 .symbol = "pmjit_secure_module",
                                 .variable = "PMJIT_SECURE",
                                 .what = "module for encryption and logins"};

// The code is that of TLS settings that are wrong: of both it is this side that is badly set up.
Error without_secure(Error why) {
  if (why.fault() == Fault::not_found) {
    return std::move(why)
        .pm_code(pm_err::E_NOTCONN)
        .help(
            "install it from the same build, or set PMJIT_SECURE to its path; hosts without "
            "pcps://, secure sockets and users need none");
  }
  if (!why.help().empty()) return std::move(why).pm_code(pm_err::E_NOTCONN);
  return Error(why.fault(), "encryption and logins do not work here: " + why.what())
      .pm_code(pm_err::E_NOTCONN)
      .help("install OpenSSL 3 and Cyrus SASL (Debian: libssl3, libsasl2-2)");
}

Result<const SecureModule*> open_secure() {
  const Result<void*> entry = open_module(kSecureFile);
  if (!entry) return fail(without_secure(entry.error()));
  const SecureModule* const module = reinterpret_cast<decltype(&pmjit_secure_module)>(*entry)();
  if (module->version == kSecureVersion) return module;
  return fail(without_secure(other_version(kSecureFile, module->version, kSecureVersion)));
}

}  // namespace

Result<const SecureModule*> load_secure() {
  // Listed in tests/tidy: one module per process. A failure is not kept, for it may be of the
  // moment (no descriptor is left).
  static std::mutex lock;
  static const SecureModule* loaded = nullptr;
  const std::scoped_lock locked(lock);
  if (loaded != nullptr) return loaded;
  const auto opened = open_secure();
  if (opened) loaded = *opened;
  return opened;
}

const char* openssl_version() { return OPENSSL_VERSION_STR; }

// "M.m.s", of its headers.
#define PMJIT_TEXT_OF(number) #number
#define PMJIT_TEXT(number) PMJIT_TEXT_OF(number)
const char* sasl_version() {
  return PMJIT_TEXT(SASL_VERSION_MAJOR) "." PMJIT_TEXT(SASL_VERSION_MINOR) "." PMJIT_TEXT(
      SASL_VERSION_STEP);
}
#undef PMJIT_TEXT
#undef PMJIT_TEXT_OF

}  // namespace pmjit
