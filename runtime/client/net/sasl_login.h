// SaslLogin: one login at a collector, as messages that go to and fro. Cyrus SASL does it; its
// types stay in sasl_login.cc. Source: spec wire-protocol.md §3.5.
//
//   SaslLogin login("web1", {.user = "bob", .password = "…"});
//   auto answer = login.start("PLAIN SCRAM-SHA-256");     // what the collector offers
//   while (answer) {
//     send(*answer);
//     if (login.done()) break;
//     answer = login.step(receive());
//   }
//
// Nothing asks the user here: what a mechanism wants and was not given is an error.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace pmjit {

struct Credentials {
  std::string user{};
  std::string password{};
  std::string method{};  // empty: the safest one of those that both sides have
  std::string realm{};
  bool may_send_clear = true;  // the password as it is; false: only proofs that one knows it
};

class SaslLogin {
 public:
  SaslLogin(std::string host, Credentials credentials);
  ~SaslLogin();
  SaslLogin(const SaslLogin&) = delete;
  SaslLogin& operator=(const SaslLogin&) = delete;

  // The mechanism, and what it says first.
  [[nodiscard]] Result<std::string> start(std::string_view offered);
  [[nodiscard]] Result<std::string> step(std::string_view challenge);
  // Our side has nothing more to say; the collector may refuse it still.
  [[nodiscard]] bool done() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// What PCP's library reports for a failure of SASL's: PM_ERR_NYI and this number.
[[nodiscard]] int sasl_pm_code(int sasl_code);

// The methods that want a password, and that send it as it is.
[[nodiscard]] bool needs_password(std::string_view method);

}  // namespace pmjit
