// SaslLogin: one login at a collector, as messages that go to and fro. Cyrus SASL does it, in a
// module of its own (secure_module.h). Source: spec wire-protocol.md §3.5.
//
//   const auto login = (*secure)->log_in("web1", {.user = "bob", .password = "…"});
//   auto answer = login->start("PLAIN SCRAM-SHA-256");    // what the collector offers
//   while (answer) {
//     send(*answer);
//     if (login->done()) break;
//     answer = login->step(receive());
//   }
//
// Nothing asks the user here: what a mechanism wants and was not given is an error.
//
// SaslCheck is the other side of it, the collector's.
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace pmjit {

inline constexpr const char* kCollectorService = "PCP Collector";

struct Credentials {
  std::string user{};
  std::string password{};
  std::string method{};  // empty: the safest one of those that both sides have
  std::string realm{};
  bool may_send_clear = true;  // the password as it is; false: only proofs that one knows it
};

class SaslLogin {
 public:
  virtual ~SaslLogin() = default;
  // The mechanism, and what it says first.
  [[nodiscard]] virtual Result<std::string> start(std::string_view offered) = 0;
  [[nodiscard]] virtual Result<std::string> step(std::string_view challenge) = 0;
  // Our side has nothing more to say; the collector may refuse it still.
  [[nodiscard]] virtual bool done() const = 0;
};

// Each call may ask the system, a file or a daemon, and takes as long as these do.
class SaslCheck {
 public:
  virtual ~SaslCheck() = default;
  // First of all: the methods, separated by spaces.
  [[nodiscard]] virtual Result<std::string> offer() = 0;
  // What the client has said, and what to say to it: at first a method, a NUL and what that begins
  // with. With user() nothing more is said.
  [[nodiscard]] virtual Result<std::string> take(std::string_view said) = 0;
  [[nodiscard]] virtual const std::string& user() const = 0;  // empty: it is not proven yet
};

// What PCP's library reports for a failure of SASL's: PM_ERR_NYI and this number.
[[nodiscard]] int sasl_pm_code(int sasl_code);

// What a login by Kerberos (GSSAPI) needs on both sides.
[[nodiscard]] std::string kerberos_help(const std::string& host);

// Whether a method wants a password: the others prove by other means who the user is.
[[nodiscard]] bool needs_password(std::string_view method);

}  // namespace pmjit
