#include "runtime/client/login_refusal.h"

#include <fmt/format.h>

#include <cerrno>
#include <utility>

#include "runtime/client/net/sasl_login.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

// Numbers of Cyrus SASL, below PM_ERR_NYI.
constexpr int kNoMechanism = -4, kWrongPassword = -13, kNoSuchUser = -20;

Error refused(int32_t code, std::string what, std::string help) {
  return Error(Fault::io, std::move(what)).pm_code(code).help(std::move(help));
}

}  // namespace

bool is_login_refusal(int32_t code) {
  return code < pm_err::E_NYI || code == -ESRCH || code == pm_err::E_PERMISSION;
}

Error refused_login(int32_t code, const LoginAs& who) {
  const std::string& user = who.user;
  if (code < pm_err::E_NYI && code != pm_err::E_NYI + kNoMechanism && !who.method.empty() &&
      !needs_password(who.method)) {
    return refused(code,
                   fmt::format("the collector does not accept the login by {}: {}", who.method,
                               pm_error_text(code)),
                   kerberos_help(who.host) + "; pmcd.log may say more");
  }
  switch (code) {
    case pm_err::E_NYI + kWrongPassword:
      return refused(code,
                     fmt::format("the collector refuses the user \"{}\": wrong password", user),
                     "check the user name, the password and, if one is written, the method");
    case pm_err::E_NYI + kNoSuchUser:
      return refused(
          code, fmt::format("the collector knows no user \"{}\"", user),
          fmt::format("check the name; \"saslpasswd2 -a pmcd {}\" adds one on its host", user));
    case pm_err::E_NYI + kNoMechanism:
      return refused(code, "the collector does not offer this method of logging in",
                     "leave method=… out, or write another");
    case -ESRCH:
      return refused(code,
                     fmt::format("the password is right, but the collector's machine has no user "
                                 "\"{}\"",
                                 user),
                     "log in as a user that has an account there");
    case pm_err::E_PERMISSION:
      return refused(code,
                     fmt::format("the collector does not let the user \"{}\" read metrics", user),
                     "the [access] section of its pmcd.conf says what users may do");
    default:
      return refused(
          code, fmt::format("the collector refuses the user \"{}\": {}", user, pm_error_text(code)),
          "check the user name, the password and the method; pmcd.log may say more");
  }
}

}  // namespace pmjit
