// What is known of logins without Cyrus SASL: the client and the module have it, each for itself.
#include "runtime/client/net/sasl_login.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <array>

#include "runtime/model/pm_codes.h"

namespace pmjit {

int sasl_pm_code(int sasl_code) { return pm_err::E_NYI + sasl_code; }

std::string kerberos_help(const std::string& host) {
  return fmt::format(
      "with Kerberos, kinit gets you a ticket, and the collector's keytab needs the key of "
      "\"{}/{}\"",
      kCollectorService, host);
}

bool needs_password(std::string_view method) {
  constexpr std::array<std::string_view, 5> kWithout{"ANONYMOUS", "GSSAPI", "GS2-KRB5",
                                                     "GSS-SPNEGO", "EXTERNAL"};
  return std::ranges::none_of(kWithout, [&](std::string_view one) {
    return one.size() == method.size() && strncasecmp(one.data(), method.data(), one.size()) == 0;
  });
}

}  // namespace pmjit
