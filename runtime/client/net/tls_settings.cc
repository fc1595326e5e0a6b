#include "runtime/client/net/tls_settings.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#include "runtime/base/blanks.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

constexpr std::array<std::pair<std::string_view, std::string TlsSettings::*>, 6> kTlsKeys{{
    {"tls-ca-cert-file", &TlsSettings::ca_file},
    {"tls-ca-cert-dir", &TlsSettings::ca_folder},
    {"tls-cert-file", &TlsSettings::certificate_file},
    {"tls-key-file", &TlsSettings::key_file},
    {"tls-ciphers", &TlsSettings::ciphers},
    {"tls-ciphersuites", &TlsSettings::cipher_suites},
}};

}  // namespace

Result<TlsSettings> read_tls_settings(const std::string& path) {
  TlsSettings out{.path = path};
  errno = 0;
  std::ifstream in(path);
  if (!in && errno != ENOENT) {
    return fail(Error(Fault::io, std::strerror(errno))
                    .at("TLS settings", path)
                    .pm_code(pm_err::E_NOTCONN)
                    .help("PCP_TLSCONF_PATH names another file"));
  }
  for (std::string line; std::getline(in, line);) {
    const std::string_view text = without_blanks(line);
    const size_t equals = text.find('=');
    if (text.starts_with('#') || equals == std::string_view::npos) continue;
    const auto key = std::ranges::find(kTlsKeys, without_blanks(text.substr(0, equals)),
                                       &decltype(kTlsKeys)::value_type::first);
    if (key != kTlsKeys.end()) out.*key->second = without_blanks(text.substr(equals + 1));
  }
  return out;
}

}  // namespace pmjit
